import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// What `accept` asks of a supervisor that runs.
struct AcceptRequest: ControlRecord {
  /// The whole ID: a part of it could mean another module once files have changed.
  var moduleID = ""
  /// What the person looked at.
  var sha256 = ""
  /// Whether a module that comes from elsewhere now takes over the data.
  var keepsData = false

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("moduleID", &moduleID)
    try members("sha256", &sha256)
    try members("keepsData", &keepsData)
  }
}

extension ControlOperations {
  /// Takes a person's word that a module may be activated as its files are now.
  static let accept = ControlOperation<AcceptRequest, NoValue, NoValue>("accept", .trust) {
    (request, call) throws(ControlFailure) in
    do throws(CommandFailure) {
      let policy = try await PolicyInput.readAnew(call.context.policyPath)
      do throws(AcceptFailure) {
        let acceptance = try await call.context.bootstrap.runtime.accept(
          moduleID: request.moduleID, sha256: request.sha256, keepsData: request.keepsData, by: policy)
        guard let acceptance else { return NoValue() }
        call.context.auditLog.record(
          AuditEvent(
            .accepted, moduleID: acceptance.moduleID, actor: call.peer.name, details: acceptance.auditDetails)
        )
      } catch { throw CommandFailure(error) }
    } catch { throw ControlFailure(error) }
    return NoValue()
  }
}

extension CommandFailure {
  /// A person's word that was not taken.
  init(_ failure: AcceptFailure) {
    switch failure {
    case .reading(.manifests(let error)): self.init(error)
    case .reading:
      self.init(status: .temporaryFailure, message: "the supervisor is not ready; ask again when it is")
    case .module(let error): self.init(error)
    case .differs(let id, let sha256):
      self.init(status: .dataError, message: "\(id) has sha256 \(sha256) now; look at it again with accept")
    case .dataUndecided(let id):
      self.init(
        status: .usage,
        message:
          "\(id) comes from elsewhere now: --data keep gives it the data; to erase them, stop the supervisor first"
      )
    case .state(let error): self.init(error)
    }
  }
}
