import ForsettiCore

extension ModuleManager {
  /// Every discovered or desired module as it is now.
  public func status() -> RuntimeStatus {
    let running = activeModuleIDs
    let quarantined = histories.filter { $0.value.quarantine != nil }.keys
    let failed = Set(failures.keys).union(quarantined).filter { active[$0] == nil }.sorted()
    let known = Set(running).union(failed)
    let rest = catalog.manifests.map(\.manifest.moduleID).filter { !known.contains($0) }
    return RuntimeStatus(
      selectedUIModuleID: activeUIModuleID,
      modules: running.map { id in
        let instance = active[id]?.instance
        return ModuleStatus(
          moduleID: id, state: .active, process: instance?.inspect(), plan: instance?.plan)
      } + failed.map { ModuleStatus(moduleID: $0, state: stateOfFailed($0), failure: failure(of: $0)) }
        + rest.map { ModuleStatus(moduleID: $0, state: .discovered) })
  }

  /// Where one module stands now; `nil` for one that is not discovered. It costs nothing: no process is looked at.
  public func state(of moduleID: String) -> ModuleStatus.State? {
    guard let id = catalog[moduleID]?.manifest.moduleID else { return nil }
    if active[id] != nil { return .active }
    return failures[id] == nil && quarantine(of: id) == nil ? .discovered : stateOfFailed(id)
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
