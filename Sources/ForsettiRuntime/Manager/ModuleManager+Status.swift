public import ForsettiCore

extension ModuleManager {
  /// Every discovered or desired module as it is now; no process is looked at.
  public func status() -> RuntimeStatus {
    RuntimeStatus(selectedUIModuleID: activeUIModuleID, modules: moduleIDs.compactMap { status(of: $0) })
  }

  /// Every discovered or desired module, its process included, each as it is when its turn comes.
  public func observe() async -> RuntimeStatus {
    var modules: [ModuleStatus] = []
    for id in moduleIDs {
      if let status = await observe(id) { modules.append(status) }
    }
    return RuntimeStatus(selectedUIModuleID: activeUIModuleID, modules: modules)
  }

  /// IDs of all discovered or desired modules: active ones in the order of their activation, then desired ones that do
  /// not run, then the rest.
  public var moduleIDs: [String] {
    let quarantined = histories.lazy.filter { $0.value.quarantine != nil }.map(\.key)
    let failed = Set(failures.keys).union(quarantined).filter { !active.contains($0) }
    let rest = catalog.manifests.map(\.manifest.moduleID).filter {
      !active.contains($0) && !failed.contains($0)
    }
    return active.ids + failed.sorted() + rest
  }

  /// One module as it is now, its process included; `nil` for one that nobody knows. The look at a process takes a tenth of
  /// a millisecond, most of it elsewhere than on the reactor, which goes on meanwhile.
  public func observe(_ moduleID: String) async -> ModuleStatus? {
    guard var status = status(of: moduleID) else { return nil }
    status.process = await active[status.moduleID]?.instance.observe()
    return status
  }

  /// One module as it is now; `nil` for one that nobody knows. Of its process no more is told than the supervisor knows
  /// without looking at it.
  public func status(of moduleID: String) -> ModuleStatus? {
    let id = active.contains(moduleID) ? moduleID : catalog[moduleID]?.manifest.moduleID ?? moduleID
    guard let module = active[id] else {
      let failure = failure(of: id)
      guard failure != nil || catalog[id] != nil else { return nil }
      var status = ModuleStatus(
        moduleID: id, type: catalog[id]?.manifest.moduleType,
        state: failure == nil ? .discovered : stateOfFailed(id), failure: failure)
      if failure != nil { status.figures = ModuleFigures(counts(of: id)) }
      return status
    }
    let instance = module.instance
    var status = ModuleStatus(
      moduleID: id, type: module.module.manifest.moduleType, state: .active,
      process: instance.process.map(ModuleProcessInfo.init), plan: instance.plan
    )
    status.activeSince = module.since
    status.uptimeMilliseconds = Int(clamping: (environment.clock.now &- module.since) / 1_000_000)
    status.figures = ModuleFigures(counts(of: id))
    if let session = environment.broker?.session(of: id) {
      status.lateAnswers = Int(clamping: session.lateAnswers)
      status.refusals = Int(clamping: session.refusals.total)
    }
    return status
  }

  /// The process ID of an active module; `nil` for any other. It costs nothing: no process is looked at.
  public func processID(of moduleID: String) -> Int32? {
    active[catalog[moduleID]?.manifest.moduleID ?? moduleID]?.instance.process?.pid
  }

  /// Where one module stands now; `nil` for one that is not discovered. It costs nothing: no process is looked at.
  public func state(of moduleID: String) -> ModuleStatus.State? {
    guard let id = catalog[moduleID]?.manifest.moduleID else { return nil }
    if active.contains(id) { return .active }
    return failures[id] == nil && quarantine(of: id) == nil ? .discovered : stateOfFailed(id)
  }

  /// What is kept of a module's registration: its record, and what a person has accepted since.
  public func registration(
    of moduleID: String
  ) async throws(StoreError) -> (record: ModuleRegistrationRecord?, acceptance: Acceptance?) {
    let record = try await environment.store.record(moduleID: moduleID)
    return (record, try await environment.store.acceptance(moduleID: moduleID))
  }

  private func stateOfFailed(_ id: String) -> ModuleStatus.State {
    if quarantine(of: id) != nil { return .quarantined }
    if case .waitingForModule = failures[id] { return .restarting }
    return restartTimers[id] == nil ? .failed : .restarting
  }

  private func failure(of id: String) -> ModuleManagerError? {
    failures[id] ?? quarantine(of: id).map { .quarantined(moduleID: id, cause: $0.cause) }
  }
}
