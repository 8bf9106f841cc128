public import ForsettiCore

/// Activates, deactivates and reconciles modules (seed "Activation Logic"; SPEC §3). A module's operations run one
/// after the other; different modules do not wait for each other.
@ReactorActor
public final class ModuleManager {
  /// A module that runs.
  struct ActiveModule {
    let module: LoadedManifest
    let instance: any ModuleInstance
    /// Counts the modules that became active, so that a shutdown can go backwards.
    let order: Int
    /// `clock.now` then.
    let since: UInt64
    /// What it was started by; a reload may have come since.
    let policy: Policy
  }

  /// A module whose process has started and that is not active yet.
  struct StartedModule {
    let module: ActiveModule
    /// What the surface will show; `nil` for a service.
    let contributions: UIContributions?
    /// The registration to save; `nil` where the stored one holds.
    let record: ModuleRegistrationRecord?
  }

  /// The key that UI and app modules share: only one of them is active. No module ID is like it.
  static let exclusiveUI = "exclusive UI"

  let environment: Environment
  /// What it works by now.
  var deployment: Deployment { didSet { changes &+= 1 } }
  var active = ActiveModules() { didSet { changes &+= 1 } }
  /// How often it may have changed where a module stands: which there are, which run, and why the others do not. As long as it
  /// stays, `moduleIDs` does, and of `status(of:)` what is not counted or timed.
  public private(set) var changes: UInt64 = 0
  /// What was last seen of their processes.
  var looks = ProcessLooks()
  /// How often the deployment was replaced by a reload.
  public internal(set) var reloads = 0
  /// Why desired modules are not active.
  var failures: [String: ModuleManagerError] = [:] { didSet { changes &+= 1 } }
  /// When modules ended unasked, also before this supervisor started, and which are quarantined; of those that it has
  /// asked for.
  var histories: [String: RestartHistory] = [:] { didSet { changes &+= 1 } }
  /// What the processes of failed starts left, until it is known what follows.
  var failedStarts: [String: Remains] = [:]
  /// Starts of modules that ended unasked, while they wait for their backoff.
  private(set) var restartTimers: [String: ScheduledTimer] = [:] { didSet { changes &+= 1 } }
  /// Modules that were stopped for the restart of another and follow once that one is active, by its ID.
  var waiting: [String: [String]] = [:]
  /// Roles that have lost their provider since it was last active.
  var lostRoles: Set<DefaultModuleRole> = []
  /// Desired state as stored.
  private(set) var desired: ActivationState
  /// Instances between their making and `active`, so that a shutdown can end them at once.
  var launching: [String: any ModuleInstance] = [:]
  let operations = KeyedLock()
  /// Taken last and held for one write: two changes of desired state can't lose each other.
  private let writes = KeyedLock()
  private var activations = 0
  private(set) var isShuttingDown = false
  private var shutdown: Task<[ModuleEnd], Never>?
  /// Modules that are being stopped, by order.
  var retiring: [Int: ActiveModule] = [:]

  /// Makes a manager over discovered modules and the stored desired state.
  public init(catalog: ForsettiModuleCatalog, desired: ActivationState, environment: Environment) {
    self.desired = desired
    self.environment = environment
    deployment = Deployment(policy: environment.policy, catalog: catalog)
    environment.broker?.use(deployment.providers)
  }

  /// What the deployment allows now.
  public var policy: Policy { deployment.policy }
  /// What was discovered.
  public var catalog: ForsettiModuleCatalog { deployment.catalog }
  var providers: ProviderDirectory { deployment.providers }

  /// IDs of the active modules, in the order in which they became active.
  public var activeModuleIDs: [String] { active.ids }

  /// The UI or app module that is active now, if any.
  public var activeUIModuleID: String? { active.uiModuleID }

  // MARK: Activation

  /// How much of an activation is saved.
  enum Saving {
    /// A person asked: the module is desired from now on.
    case desire
    /// It was desired before: at most its registration is new.
    case registration
    /// Nothing; the caller saves the record that is returned.
    case nothing
  }

  /// Activates a module because a person asked: desired state follows. An active module is a quiet success. One that was
  /// desired before and does not start comes back as after any other end.
  public func activateModule(moduleID: String) async throws(ModuleManagerError) {
    do throws(ModuleManagerError) { try await activate(moduleID, saving: .desire) } catch {
      noteFailedOrder(of: moduleID, error)
      throw error
    }
  }

  /// Activates a module. Returns its registration record where that is new and `saving` left it to the caller.
  @discardableResult
  func activate(
    _ moduleID: String, saving: Saving
  ) async throws(ModuleManagerError) -> ModuleRegistrationRecord? {
    let module = try discovered(moduleID)
    let id = module.manifest.moduleID
    let keys: Set<String> = module.manifest.moduleType == .service ? [id] : [id, Self.exclusiveUI]
    return try await operations.withLock(keys) { () async throws(ModuleManagerError) in
      guard !isShuttingDown else { throw .shuttingDown(moduleID: id) }
      // Looked up again here: while this waited for its turn, it may have changed with a reload.
      let module = try discovered(id)
      // Whoever activates it now takes the place of its restart.
      setRestart(nil, of: id)
      // Asked again here: while this waited for its turn, a person may have stopped the module or chosen another UI.
      guard saving != .registration || isDesired(id) else { return nil }
      guard !active.contains(id) else {
        if saving == .desire { try await save { $0.add(module.manifest) } }
        return nil
      }
      do throws(StoreError) { try await learnHistory(of: module) } catch {
        throw error.during("read the restart history of \(id)")
      }
      // Only a person's word lets it out of quarantine, and only once it runs.
      if saving == .registration, let quarantine = quarantine(of: id) {
        throw .quarantined(moduleID: id, cause: quarantine.cause)
      }
      let admission: Admission
      do throws(ModuleManagerError) { admission = try await admit(module, by: deployment) } catch {
        auditRefusal(id, error)
        throw error
      }
      do throws(ModuleManagerError) { try await bringUp(module, admission, saving) } catch {
        auditRefusal(id, error)
        // Of a desired module its recovery tells.
        if saving == .nothing || saving == .desire && !comesBack(id) { reportFailedStart(of: id) }
        throw error
      }
      failures[id] = nil
      await release(id)
      startWaiting(for: id)
      return saving == .nothing ? admission.newRecord : nil
    }
  }

  /// From the process's making to the module's being active; whatever fails, no process is left.
  private func bringUp(
    _ module: LoadedManifest, _ admission: Admission, _ saving: Saving
  ) async throws(ModuleManagerError) {
    let started = try await start(module, admission, by: deployment)
    defer { launching[module.manifest.moduleID] = nil }
    do throws(ModuleManagerError) { try await install(started, saving) } catch {
      await endFailedStart(of: started.module.instance, module, by: started.module.policy)
      throw isShuttingDown ? .shuttingDown(moduleID: module.manifest.moduleID) : error
    }
    if let warning = providers.unusedRoleWarning(for: module.manifest) {
      environment.logger.warning(warning, moduleID: module.manifest.moduleID)
    }
  }

  /// From the process's making to its having started; it is among `launching` then. Whatever fails, no process is left.
  func start(
    _ module: LoadedManifest, _ admission: Admission, by deployment: Deployment
  ) async throws(ModuleManagerError) -> StartedModule {
    let id = module.manifest.moduleID
    activations += 1
    let order = activations
    var module = module
    module.dataOrigin = admission.dataOrigin
    let convalescence = histories[id]?.convalescence(
      by: deployment.policy.restart(for: id, origin: module.origin), now: environment.wallClock())
    let instance = try await environment.launcher.makeInstance(
      for: module, by: deployment.policy, convalescence: convalescence
    ) { [weak self] exit in
      self?.ended(id, order, exit)
    }
    guard !isShuttingDown else { throw .shuttingDown(moduleID: id) }
    launching[id] = instance
    do throws(ModuleManagerError) {
      let description = try await instance.launch()
      let contributions = try ActivationChecks.contributions(
        of: description, manifest: module.manifest, grants: admission.grants, policy: deployment.policy,
        providers: deployment.providers)
      try await instance.start(grants: admission.grants)
      // Asked again: a product may be withdrawn while the module starts, when nobody looks at it yet.
      guard await isUnlocked(module) else {
        throw ModuleManagerError.moduleLocked(moduleID: id, productID: module.manifest.iapProductID)
      }
      return StartedModule(
        module: ActiveModule(
          module: module, instance: instance, order: order, since: environment.clock.now,
          policy: deployment.policy),
        contributions: contributions, record: admission.newRecord)
    } catch {
      await endFailedStart(of: instance, module, by: deployment.policy)
      launching[id] = nil
      throw isShuttingDown ? .shuttingDown(moduleID: id) : error
    }
  }

  /// Makes a started module the active one. The state is saved first: if that fails the module is stopped and
  /// everything is as it was. The old UI goes last: at no time is there none.
  private func install(_ ready: StartedModule, _ saving: Saving) async throws(ModuleManagerError) {
    let (started, contributions) = (ready.module, ready.contributions)
    let id = started.module.manifest.moduleID
    let before = desired
    let records = saving == .nothing ? [] : [ready.record].compactMap { $0 }
    try await save(records: records) {
      if saving == .desire { $0.add(started.module.manifest) }
    }
    // It may have ended while the state was saved, unheard, for it was not active yet: then nothing has changed.
    guard let process = started.instance.process, !isShuttingDown else {
      if saving == .desire { try await save { $0.restore(started.module.manifest, as: before) } }
      throw .crashedDuringStart(moduleID: id, exit: await started.instance.stop())
    }
    let previous = contributions == nil ? nil : activeUIModuleID.flatMap { active[$0] }
    active[id] = started
    if let contributions { environment.surface.present(contributions, of: id) }
    let milliseconds = Milliseconds(nanoseconds: process.activationNanoseconds ?? 0)
    environment.logger.info("activated in \(milliseconds)", moduleID: id, metadata: ["pid": "\(process.pid)"])
    auditGrants(started.module, registered: ready.record)
    announce(.activated, id)
    if let previous { _ = await retire(previous) }
  }

  // MARK: Selection and deactivation

  /// Selects the UI module that is shown; it must be active. `nil` deactivates the active one.
  public func setSelectedUIModule(moduleID: String?) async throws(ModuleManagerError) {
    guard let moduleID else {
      if let id = activeUIModuleID { try await deactivateModule(moduleID: id) }
      return
    }
    let module = try discovered(moduleID)
    let id = module.manifest.moduleID
    guard active.contains(id) else { throw .moduleNotActive(moduleID: id) }
    guard module.manifest.moduleType != .service else { throw .notUIModule(moduleID: id) }
    try await save { $0.add(module.manifest) }
  }

  /// Deactivates a module because a person asked: desired state follows. An inactive one is a success, and so is one that is
  /// desired still and no longer discovered.
  public func deactivateModule(moduleID: String) async throws(ModuleManagerError) {
    let id = isDesired(moduleID) ? moduleID : try discovered(moduleID).manifest.moduleID
    try await operations.withLock([id]) { () async throws(ModuleManagerError) in
      try await save { $0.remove(id) }
      setRestart(nil, of: id)
      failures[id] = nil
      startWaiting(for: id)
      guard let module = active[id] else { return }
      // It is gone either way; who asked should know that its own stop did not run to the end.
      if case .stopForced = await retire(module).reason { throw .stopTimedOut(moduleID: id) }
    }
  }

  /// Stops a module and leaves desired state alone; says why it does not run from now on.
  func suspend(_ id: String, because failure: ModuleManagerError) async {
    await operations.withLock([id]) { () async in
      guard active.contains(id) || isDesired(id) else { return }
      setRestart(nil, of: id)
      failures[id] = failure
      if let module = active[id] { _ = await retire(module) }
    }
  }

  /// Remembers why a desired module is not active; `nil` forgets it.
  func noteFailure(_ id: String, _ failure: ModuleManagerError?) { failures[id] = failure }

  /// Replaces the start that waits for a module's backoff; the earlier one is cancelled.
  func setRestart(_ timer: ScheduledTimer?, of id: String) {
    restartTimers[id]?.cancel()
    restartTimers[id] = timer
  }

  /// Stops everything, last activated first, and refuses further activations. Desired state stays.
  /// Returns how each module ended, in the order of stopping.
  /// A second call waits for the first one's end.
  public func shutDown() async -> [ModuleEnd] {
    if let shutdown { return await shutdown.value }
    isShuttingDown = true
    for id in restartTimers.keys { setRestart(nil, of: id) }
    let task = Reactor.task { await self.stopEverything() }
    shutdown = task
    return await task.value
  }

  /// Ends every process at once, for a person who will not wait for a shutdown under way.
  public func kill() {
    for instance in launching.values { instance.kill() }
    for module in active.all { module.instance.kill() }
    for module in retiring.values { module.instance.kill() }
  }

  /// Takes a module out and ends its process. Its surface goes first: nobody is shown a module that stops.
  func retire(_ module: ActiveModule) async -> ModuleExit {
    let id = module.module.manifest.moduleID
    // A later process of it serves already: the module itself does not stop.
    let isReplaced = active[id].map { $0.order != module.order } ?? false
    if active[id]?.order == module.order {
      active[id] = nil
      environment.surface.remove(id)
    }
    retiring[module.order] = module
    let exit = await module.instance.stop()
    retiring[module.order] = nil
    auditEnd(id, exit)
    if let left = Remains(of: module.instance, module.module, by: module.policy, exit) {
      report(left, uptimeMilliseconds: uptimeMilliseconds(of: module), next: .staysDown(.beingStopped))
    }
    if exit.reason == .stopped {
      environment.logger.info("deactivated", moduleID: id)
    } else {
      environment.logger.warning("deactivated: \(exit)", moduleID: id)
    }
    if !isReplaced { announce(.deactivated, id) }
    return exit
  }

  /// A module ended. If nobody asked, it leaves no UI and no false active state; its neighbours go on.
  func ended(_ id: String, _ order: Int, _ exit: ModuleExit) {
    guard let module = active[id], module.order == order else { return }
    active[id] = nil
    environment.surface.remove(id)
    failures[id] = .ended(moduleID: id, exit: exit)
    environment.logger.error("ended unasked: \(exit)", moduleID: id)
    announce(.ended, id)
    let left = noteEnd(of: module.instance, module.module, by: module.policy, exit)
    let uptime = uptimeMilliseconds(of: module)
    Reactor.task { await self.recover(id, from: exit, left: left, uptimeMilliseconds: uptime) }
  }

  private func uptimeMilliseconds(of module: ActiveModule) -> Int64 {
    Int64(clamping: (environment.clock.now &- module.since) / 1_000_000)
  }

  /// Changes desired state and saves registration records with it, in one transaction; nothing to say, no write.
  func save(
    records: [ModuleRegistrationRecord] = [], completesFirstBoot: Bool = false,
    _ edit: (inout ActivationState) -> Void
  ) async throws(ModuleManagerError) {
    try await writes.withLock(["state"]) { () async throws(ModuleManagerError) in
      var state = desired
      edit(&state)
      guard state != desired || completesFirstBoot || !records.isEmpty else { return }
      do throws(StoreError) {
        try await environment.store.commit(
          StateChange(activation: state, records: records, completesFirstBoot: completesFirstBoot))
      } catch { throw error.during("save the desired state") }
      desired = state
    }
  }
}
