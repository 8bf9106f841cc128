public import ForsettiCore
import ForsettiIPC

extension ModuleManager {
  /// Hands what a person entered to the module that the policy names, and waits until it has verified and kept it. Nothing
  /// of the values is kept here; what becomes of it is in the audit log, without them.
  /// - Parameters:
  ///   - values: as `SecretDeclaration.checked` leaves them.
  ///   - person: who entered them, as the audit log names whoever acts.
  /// - Throws: `serviceUnavailable` when the module is not active, `serviceDenied(unknown)` when it takes no secrets,
  ///   `deadlineExceeded`, `moduleCrashed`, or what the module says of the values, with those of secret fields hidden.
  public func hand(
    _ secret: SecretDeclaration, _ values: [String: String], inTheNameOf person: String,
    timeoutMilliseconds: UInt32 = 60_000
  ) async throws(ServiceError) {
    do throws(ServiceError) {
      guard let broker = environment.broker else {
        throw .serviceUnavailable(role: secret.moduleID, why: "this runtime carries no calls")
      }
      _ = try await broker.call(
        RuntimeMethods.receiveSecret, SecretRequest(secretID: secret.secretID, values: values),
        moduleID: secret.moduleID, timeoutMilliseconds: timeoutMilliseconds)
    } catch {
      let shown = secret.hiding(values, in: error)
      note(secret, person, ["outcome": "refused", "reason": shown.reason])
      throw shown
    }
    note(secret, person, ["outcome": "accepted"])
  }

  private func note(_ secret: SecretDeclaration, _ person: String, _ details: [String: String]) {
    environment.auditLog.record(
      AuditEvent(
        .entrusted, moduleID: secret.moduleID, actor: person,
        details: details.merging(["secret": secret.secretID]) { $1 }))
  }
}

extension ServiceError {
  /// For people: a module's own words without what only a program tells apart.
  public var reason: String {
    switch self {
    case .failed(_, let message): message
    case .invalidArgument(let name, let reason): "\(name): \(reason)"
    case .serviceUnavailable(_, let why): why
    case .deadlineExceeded: "the module did not answer in time"
    case .moduleCrashed: "the module ended before it answered"
    default: "\(self)"
    }
  }
}

extension SecretDeclaration {
  /// What a module answers for itself has texts of its own; those of the runtime hold no values.
  fileprivate func hiding(_ values: [String: String], in error: ServiceError) -> ServiceError {
    switch error {
    case .failed(let code, let message):
      .failed(code: hiding(values, in: code), message: hiding(values, in: message))
    case .invalidArgument(let name, let reason):
      .invalidArgument(name: hiding(values, in: name), reason: hiding(values, in: reason))
    case .serviceUnavailable(let role, let why):
      .serviceUnavailable(role: hiding(values, in: role), why: hiding(values, in: why))
    case .serviceDenied(let denial, let detail): .serviceDenied(denial, detail: hiding(values, in: detail))
    case .moduleCrashed(let id): .moduleCrashed(moduleID: hiding(values, in: id))
    case .quotaExceeded(let what): .quotaExceeded(hiding(values, in: what))
    case .notFound(let what): .notFound(hiding(values, in: what))
    case .moduleCommunicationDenied(let reason):
      .moduleCommunicationDenied(reason: hiding(values, in: reason))
    case .targetUnavailable(let id): .targetUnavailable(moduleID: hiding(values, in: id))
    case .deadlineExceeded, .cancelled, .rateLimited, .tooLarge: error
    }
  }
}
