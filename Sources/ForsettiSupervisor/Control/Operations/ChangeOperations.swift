import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// A module by the name that a person has for it.
struct ModuleRequest: ControlRecord {
  var module: String?

  init() {}

  init(_ module: String?) { self.module = module }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("module", &module)
  }

  /// The name, which must be there.
  func name() throws(ControlFailure) -> String {
    guard let module else { throw ControlFailure(.invalidRequest, .usage, "module: a name is meant") }
    return module
  }
}

/// Where a module stands after a change.
struct ChangeAnswer: ControlRecord {
  var moduleID: String?
  var state: String?

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("moduleID", &moduleID)
    try members("state", &state)
  }

  @ReactorActor
  init(of moduleID: String, _ manager: ModuleManager) {
    self.moduleID = moduleID
    state = manager.state(of: moduleID)?.rawValue
  }

  init() {}
}

extension ControlOperations {
  typealias Change = ControlOperation<ModuleRequest, NoValue, ChangeAnswer>

  /// Activates a module; it is desired from now on.
  static let activate = change("activate") { (manager, id) throws(ModuleManagerError) in
    try await manager.activateModule(moduleID: id)
  }

  /// Deactivates a module; it is not desired any more.
  static let deactivate = change("deactivate") { (manager, id) throws(ModuleManagerError) in
    try await manager.deactivateModule(moduleID: id)
  }

  /// Stops a module and starts it again.
  static let restart = change("restart") { (manager, id) throws(ModuleManagerError) in
    try await manager.restartModule(moduleID: id)
  }

  /// Forgets a module's crashes and ends its quarantine.
  static let reset = change("reset") { (manager, id) throws(ModuleManagerError) in
    try await manager.resetModule(moduleID: id)
  }

  /// Shows a UI module, which is active; none deactivates the one that is.
  static let selectUI = Change("select-ui", .change) { (request, call) throws(ControlFailure) in
    let manager = try call.manager
    let id = try request.module.map { (name) throws(ControlFailure) in try manager.find(name) }
    do throws(ModuleManagerError) { try await manager.setSelectedUIModule(moduleID: id) } catch {
      throw ControlFailure(CommandFailure(error))
    }
    return id.map { ChangeAnswer(of: $0, manager) } ?? ChangeAnswer()
  }

  /// Ends the supervisor, as SIGTERM does. The connection ends with it.
  static let shutdown = ControlOperation<NoValue, NoValue, NoValue>("shutdown", .change) {
    (_, call) throws(ControlFailure) in
    call.context.shutDown()
    return NoValue()
  }

  private static func change(
    _ name: String,
    _ work: @escaping @ReactorActor @Sendable (ModuleManager, String) async throws(ModuleManagerError) -> Void
  ) -> Change {
    Change(name, .change) { (request, call) throws(ControlFailure) in
      let manager = try call.manager
      let id = try manager.find(request.name())
      do throws(ModuleManagerError) { try await work(manager, id) } catch {
        throw ControlFailure(CommandFailure(error))
      }
      return ChangeAnswer(of: id, manager)
    }
  }
}
