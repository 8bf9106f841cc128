import ForsettiCore
import ForsettiIPC
import ForsettiSandbox
import ForsettiTestKit
import Synchronization
import Testing

@testable import ForsettiRuntime

/// A module without a process: the test says how each step goes and hears which were taken.
@ReactorActor final class ScriptedInstance: ModuleInstance {
  let plan = SandboxPlan.derive(grants: [], policy: SandboxPolicy())
  let module: LoadedManifest
  private let world: ScriptedWorld
  private let ended: @ReactorActor (ModuleExit) -> Void
  private var exit: ModuleExit?
  private(set) var grants: [Capability]?
  private(set) var evidence: CrashEvidence?
  let program: ModuleProgram? = nil

  init(_ module: LoadedManifest, _ world: ScriptedWorld, ended: @escaping @ReactorActor (ModuleExit) -> Void)
  {
    self.module = module
    self.world = world
    self.ended = ended
  }

  var id: String { module.manifest.moduleID }

  func launch() async throws(ModuleManagerError) -> DescribeMessage {
    world.trace.append("launch \(id)")
    if let error = world.launchErrors[id] { throw error }
    return world.descriptions[id] ?? ScriptedWorld.description(of: module.manifest)
  }

  func start(grants: [Capability]) async throws(ModuleManagerError) {
    self.grants = grants
    world.trace.append("start \(id)")
    if let gate = world.startGates[id] { await gate.wait() }
    if let exit { throw .crashedDuringStart(moduleID: id, exit: exit) }
    if let error = world.startErrors[id] { throw error }
  }

  func stop() async -> ModuleExit {
    guard let exit else {
      world.trace.append("stop \(id)")
      world.startGates[id]?.open()
      if let gate = world.stopGates[id] { await gate.wait() }
      return end(ModuleExit(status: .exited(code: 0), reason: .stopped))
    }
    return exit
  }

  func kill() { _ = end(ModuleExit(status: .signalled(9), reason: .supervisorShutdown)) }

  func gauge() -> ProcessGauge? { world.gauge }

  var process: RunningProcess? {
    exit == nil ? RunningProcess(pid: 1, activationNanoseconds: nil) : nil
  }

  func observe() async -> ModuleProcessInfo? { process.map(ModuleProcessInfo.init) }

  /// Ends the "process" unasked.
  func crash() { end(.crashed(signal: 11)) }

  /// Ends it unasked, for this reason.
  func end(_ reason: ExitReason) { _ = end(ModuleExit(status: .signalled(11), reason: reason)) }

  private func end(_ exit: ModuleExit) -> ModuleExit {
    // Whoever ended first counts, as it does for a process.
    if let exit = self.exit { return exit }
    self.exit = exit
    if exit.reason != .stopped { evidence = CrashEvidence(message: "scripted") }
    ended(exit)
    return exit
  }
}

/// A door that a test opens.
@ReactorActor final class Gate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var arrivals: [CheckedContinuation<Void, Never>] = []
  private var arrived = 0

  /// Waits until the test opens it.
  func wait() async {
    arrived += 1
    for arrival in arrivals { arrival.resume() }
    arrivals = []
    // On the way into the closure other work may run, and open it.
    await withCheckedContinuation { isOpen ? $0.resume() : waiters.append($0) }
  }

  /// Waits until somebody stands before it.
  func someoneWaits() async {
    await withCheckedContinuation { arrived > 0 ? $0.resume() : arrivals.append($0) }
  }

  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}

/// Everything around the manager, in memory.
@ReactorActor final class ScriptedWorld: ModuleLauncher {
  var trace: [String] = []
  var launchErrors: [String: ModuleManagerError] = [:]
  var startErrors: [String: ModuleManagerError] = [:]
  var startGates: [String: Gate] = [:]
  var stopGates: [String: Gate] = [:]
  var descriptions: [String: DescribeMessage] = [:]
  var instances: [String: ScriptedInstance] = [:]
  /// Those whose programs may be started again, as of the last reload.
  var keptModules: [String]?
  /// How long each is to run before it counts as stable.
  var convalescences: [String: Duration] = [:]
  let store = ScriptedStore()
  let entitlements = StaticEntitlementProvider(Entitlements())
  let surface = UISurfaceManager()
  let clock = FakeClock()
  /// Of all processes.
  var gauge: ProcessGauge?
  var crashReporter: CrashReporter?
  var auditLog: any AuditRecorder = NoAudit()
  var policy: Policy

  init(policy: Policy = Policy()) { self.policy = policy }

  func makeInstance(
    for module: LoadedManifest, by policy: Policy, convalescence: Duration?,
    ended: @escaping @ReactorActor (ModuleExit) -> Void
  ) async throws(ModuleManagerError) -> any ModuleInstance {
    let instance = ScriptedInstance(module, self, ended: ended)
    instances[module.manifest.moduleID] = instance
    convalescences[module.manifest.moduleID] = convalescence
    return instance
  }

  func keepPrograms(of catalog: ForsettiModuleCatalog) {
    keptModules = catalog.manifests.map(\.manifest.moduleID).sorted()
  }

  func manager(
    _ manifests: [ModuleManifest], desired: ActivationState = ActivationState(), hash: String = "00"
  ) -> ModuleManager {
    var environment = ModuleManager.Environment(
      policy: policy, store: store, entitlements: entitlements, launcher: self, surface: surface,
      crashReporter: crashReporter, logger: SilentLogger(), clock: clock, wallClock: { 7 }, jitter: { 0.5 })
    environment.auditLog = auditLog
    return ModuleManager(
      catalog: ForsettiModuleCatalog(
        manifests.map { LoadedManifest(manifest: $0, path: "/m.json", sha256: hash) }),
      desired: desired, environment: environment)
  }

  static func description(
    of manifest: ModuleManifest, contributions: UIContributions? = nil
  ) -> DescribeMessage {
    let isUI = manifest.moduleType != .service
    return DescribeMessage(
      descriptor: manifest.descriptor, manifest: manifest, isUIModule: isUI,
      contributions: isUI ? contributions ?? UIContributions() : nil)
  }
}

/// State in memory that can be told to fail.
final class ScriptedStore: ModuleStateStore {
  struct Content {
    var activation: ActivationState?
    var records: [String: ModuleRegistrationRecord] = [:]
    var acceptances: [String: Acceptance] = [:]
    var isFirstBootDone = false
    var failure: StoreError?
    var histories: [String: RestartHistory] = [:]
    var commits = 0
    var meanwhile: (@Sendable () -> Void)?
  }

  let content = Mutex(Content())

  var activationNow: ActivationState? { content.withLock { $0.activation } }
  var commits: Int { content.withLock { $0.commits } }
  func fail(_ error: StoreError?) { content.withLock { $0.failure = error } }

  func activation() -> ActivationState? { activationNow }
  func isFirstBootDone() -> Bool { content.withLock { $0.isFirstBootDone } }
  func record(moduleID: String) -> ModuleRegistrationRecord? { content.withLock { $0.records[moduleID] } }
  func acceptance(moduleID: String) -> Acceptance? { content.withLock { $0.acceptances[moduleID] } }

  func saveAcceptance(_ acceptance: Acceptance) {
    content.withLock { $0.acceptances[acceptance.moduleID] = acceptance }
  }

  func restartHistory(moduleID: String) -> RestartHistory {
    content.withLock { $0.histories[moduleID] ?? RestartHistory() }
  }
  func quarantinedModuleIDs() -> [String] {
    content.withLock { $0.histories.filter { $0.value.quarantine != nil }.keys.sorted() }
  }
  func saveRestartHistory(_ history: RestartHistory, moduleID: String) throws(StoreError) {
    let failure = content.withLock { content in
      if content.failure == nil { content.histories[moduleID] = history }
      return content.failure
    }
    if let failure { throw failure }
  }

  /// Runs a body during the next commit, and lets what it starts go on before the commit returns.
  func whenCommitting(_ body: @escaping @Sendable () -> Void) { content.withLock { $0.meanwhile = body } }

  func commit(_ change: StateChange) async throws(StoreError) {
    let meanwhile = content.withLock { content in
      defer { content.meanwhile = nil }
      return content.meanwhile
    }
    if let meanwhile {
      meanwhile()
      for _ in 0..<10 { await Task.yield() }
    }
    let failure = content.withLock { content -> StoreError? in
      if let failure = content.failure { return failure }
      content.commits += 1
      if let activation = change.activation { content.activation = activation }
      for record in change.records {
        content.records[record.moduleID] = record
        content.acceptances[record.moduleID] = nil
      }
      if change.completesFirstBoot { content.isFirstBootDone = true }
      return nil
    }
    if let failure { throw failure }
  }
}

/// Keeps decisions for the test.
final class RecordingAudit: AuditRecorder {
  private let recorded = Mutex<[AuditEvent]>([])

  var events: [AuditEvent] { recorded.withLock { $0 } }

  func record(_ event: AuditEvent) { recorded.withLock { $0.append(event) } }
}

/// A manifest of a test's own.
func manifest(
  _ id: String, _ type: ModuleType = .service, capabilities: [Capability] = [], product: String? = nil,
  displayName: String = "Test", role: DefaultModuleRole? = nil, requires: [DefaultModuleRole] = [],
  ui: UIRequirements? = nil, platforms: [Platform] = [.linux]
) -> ModuleManifest {
  ModuleManifest(
    moduleID: id, displayName: displayName, moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
    moduleType: type, supportedPlatforms: platforms,
    minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0), capabilitiesRequested: capabilities,
    iapProductID: product, entryPoint: id.replacing(".", with: "_"), defaultModuleRole: role,
    runtimeRequirements: RuntimeRequirements(
      ui: ui ?? (type == .service ? nil : UIRequirements()),
      dataIsolation: DataIsolation(requiredDefaultRoles: requires)))
}

/// Lets the runtime's own tasks go on until something has come about, or the test's time is over: an issue then, with what
/// was seen last.
@ReactorActor private func yield(until isMet: () -> Bool, seen: () -> String) async {
  while !isMet() {
    guard !Task.isCancelled else {
      Issue.record("the test's time is over, and \(seen())")
      return
    }
    await Task.yield()
  }
}

extension ModuleManager {
  /// Where a module stands.
  func state(of id: String) -> ModuleStatus.State? {
    status().modules.first { $0.moduleID == id }?.state
  }

  /// Goes once through the module's lock: the activation under way is done then.
  func settled(_ id: String) async { _ = try? await activate(id, saving: .registration) }

  /// Waits until the module is in a state; each turn lets the runtime's own tasks go on.
  func waitForState(_ state: ModuleStatus.State, of id: String) async {
    await yield(
      until: { self.state(of: id) == state }, seen: { "\(id) is \(String(describing: self.state(of: id)))" })
  }
}

extension FakeClock {
  /// Waits until so many calls are to be made.
  func waitForPending(_ count: Int) async {
    await yield(until: { pending >= count }, seen: { "\(pending) of \(count) calls are to be made" })
  }
}

extension ScriptedWorld {
  /// Waits until a module's start was called so often.
  func waitForStarts(of id: String, _ count: Int) async {
    await yield(
      until: { trace.filter { $0 == "start \(id)" }.count >= count },
      seen: { "no \(count) starts of \(id): \(trace)" })
  }
}
