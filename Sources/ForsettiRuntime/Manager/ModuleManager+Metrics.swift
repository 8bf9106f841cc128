import ForsettiCore

extension ModuleManager {
  /// Modules whose counts are read before others have their turn.
  private static let measuresAtOnce = 16

  /// Every discovered or desired module as it is measured now. Processes are read elsewhere, one after the other, and the
  /// reactor goes on meanwhile; so figures of different modules are some time apart.
  /// - Parameter looksAtProcesses: whether processes are read at all.
  public func metrics(looksAtProcesses: Bool = true) async -> [ModuleMetrics] {
    var metrics: [ModuleMetrics] = []
    for (place, id) in moduleIDs.enumerated() {
      metrics.append(await measure(id, looksAtProcess: looksAtProcesses))
      // Of a thousand modules even what is counted takes a while, in which calls wait.
      if !looksAtProcesses, place % Self.measuresAtOnce == Self.measuresAtOnce - 1 { await Task.yield() }
    }
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
