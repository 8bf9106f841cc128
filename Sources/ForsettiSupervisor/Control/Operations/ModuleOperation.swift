import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// A gate on the way to active, as it crosses the control socket.
struct ModuleGateItem: ControlRecord, Equatable {
  var gate = ""
  var outcome = ExplainReport.Gate.Outcome.passed.rawValue
  var reason = ""

  init() {}

  init(_ gate: ExplainReport.Gate) {
    self.gate = gate.name
    outcome = gate.outcome.rawValue
    reason = gate.reason
  }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("gate", &gate)
    try members("outcome", &outcome)
    try members("reason", &reason)
  }
}

/// What a module is, by its manifest, the policy and its state, whether or not it runs.
struct ModuleAnswer: ControlRecord, Equatable {
  var moduleID = ""
  var displayName: String?
  /// As in `status`; `refused` for a bundle that is not let in.
  var state = ""
  var origin: String?
  /// The manifest's path, or the folder of a bundle that is refused.
  var file: String?
  var sha256: String?
  /// The manifest as the supervisor reads it, as text: maps here keep no order. Keys that it does not know are left out.
  var manifest: String?
  var warnings: [String] = []
  /// Why it does not run; absent where it does.
  var fault: String?
  var wayOut: String?
  var gates: [ModuleGateItem] = []
  var decisions: [ModuleDecision] = []

  init() {}

  init(_ moduleID: String, state: String, _ standstill: Standstill?) {
    self.moduleID = moduleID
    self.state = state
    fault = standstill?.fault
    wayOut = standstill?.wayOut
  }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("moduleID", &moduleID)
    try members("displayName", &displayName)
    try members("state", &state)
    try members("origin", &origin)
    try members("file", &file)
    try members("sha256", &sha256)
    try members("manifest", &manifest)
    try members("warnings", &warnings)
    try members("fault", &fault)
    try members("wayOut", &wayOut)
    try members("gates", &gates)
    try members("decisions", &decisions)
  }
}

extension ControlOperations {
  /// A module's manifest, what the policy decided of it and where it says so, and why it does not run where it does not.
  static let module = ControlOperation<ModuleRequest, NoValue, ModuleAnswer>("module", .read) {
    (request, call) throws(ControlFailure) in
    let manager = try call.manager
    let name = try request.name()
    if manager.catalog[name] == nil, let answer = unadmitted(name, manager) { return answer }
    let id = try manager.find(name)
    guard let module = manager.catalog[id], let status = manager.status(of: id) else {
      throw ControlFailure(.failed, .dataError, "no module is called \(name.quoted())")
    }
    return try await answer(of: module, status, manager)
  }

  /// What is known of a bundle that is not let in, or of a module that is meant to run and is no longer there.
  @ReactorActor private static func unadmitted(_ name: String, _ manager: ModuleManager) -> ModuleAnswer? {
    if let refusal = manager.catalog.refusal(of: name) {
      let error = ModuleManagerError.bundleRefused(moduleID: refusal.name, reason: refusal.reason)
      var answer = ModuleAnswer(
        refusal.name, state: "refused",
        Standstill(fault: refusal.reason.plain(limit: 800), wayOut: error.wayOut))
      answer.file = refusal.path
      return answer
    }
    guard let status = manager.status(of: name), let failure = status.failure else {
      return nil
    }
    return ModuleAnswer(
      name, state: status.state.rawValue, Standstill(fault: failure.fault, wayOut: failure.wayOut))
  }

  @ReactorActor private static func answer(
    of module: LoadedManifest, _ status: ModuleStatus, _ manager: ModuleManager
  ) async throws(ControlFailure) -> ModuleAnswer {
    let id = module.manifest.moduleID
    let isUnlocked = await manager.isUnlocked(module)
    let registration: RegistrationView
    do throws(StoreError) {
      let kept = try await manager.registration(of: id)
      registration = RegistrationView(record: kept.record, acceptance: kept.acceptance)
    } catch { throw ControlFailure(CommandFailure(error)) }
    let gates = ExplainGates(
      module: module, catalog: manager.catalog, policy: manager.policy, registration: registration,
      isUnlocked: isUnlocked, host: nil
    ).all
    var answer = ModuleAnswer(
      id, state: status.state.rawValue,
      Standstill(
        status, type: module.manifest.moduleType, isDesired: manager.isDesired(id),
        hasRun: registration.record != nil, gates: gates))
    answer.displayName = module.manifest.displayName
    answer.origin = module.origin.text
    answer.file = module.path
    answer.sha256 = module.sha256
    answer.manifest = JSONWriter.text(module.manifest.jsonValue, style: .pretty)
    answer.warnings = module.warnings.map { "\($0.line):\($0.column): \($0.text)" }
    answer.gates = gates.map(ModuleGateItem.init)
    answer.decisions = ModuleDecision.all(of: module, by: manager.policy, isUnlocked: isUnlocked)
    return answer
  }
}
