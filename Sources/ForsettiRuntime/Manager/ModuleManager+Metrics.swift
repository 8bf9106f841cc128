import ForsettiCore

extension ModuleManager {
  /// Every discovered or desired module as it is measured now. Processes are read elsewhere, one after the other, and the
  /// reactor goes on meanwhile; so figures of different modules are some time apart.
  /// - Parameter looksAtProcesses: whether processes are read at all.
  public func metrics(looksAtProcesses: Bool = true) async -> [ModuleMetrics] {
    var metrics: [ModuleMetrics] = []
    for id in moduleIDs { metrics.append(await measure(id, looksAtProcess: looksAtProcesses)) }
    return metrics
  }

  /// What was counted of one module since the supervisor started; nothing where nobody counts.
  public func counts(of moduleID: String) -> ModuleCounts {
    environment.broker?.meters[moduleID].counts ?? ModuleCounts()
  }

  private func measure(_ id: String, looksAtProcess: Bool) async -> ModuleMetrics {
    // One that is desired and no longer discovered runs nowhere.
    var metrics = ModuleMetrics(moduleID: id, state: state(of: id) ?? .failed, counts: counts(of: id))
    guard let module = active[id] else { return metrics }
    metrics.uptimeSeconds = Double(environment.clock.now &- module.since) / 1e9
    if let session = environment.broker?.session(of: id) {
      metrics.openMade = session.incoming.count
      metrics.openProvided = session.outgoing.count
    }
    if looksAtProcess { metrics.process = await module.instance.measure() }
    return metrics
  }
}
