import ForsettiCore

extension ModuleManager {
  /// Modules that are measured before others have their turn: of a thousand even what is counted takes a while, in which
  /// calls wait, and the way to another thread and back is worth more than one process.
  private static let modulesAtOnce = 16

  /// Every discovered or desired module as it is measured now. Processes are read elsewhere, some at a time, and the
  /// reactor goes on meanwhile; so figures of different modules are some time apart.
  /// - Parameter looksAtProcesses: whether processes are read at all.
  public func metrics(looksAtProcesses: Bool = true) async -> [ModuleMetrics] {
    var metrics: [ModuleMetrics] = []
    var rest = moduleIDs[...]
    while !rest.isEmpty {
      let ids = rest.prefix(Self.modulesAtOnce)
      rest = rest.dropFirst(ids.count)
      metrics += ids.map(measure)
      guard looksAtProcesses else {
        await Task.yield()
        continue
      }
      let figures = await ProcessGauge.read(ids.map { active[$0]?.instance.gauge() })
      for (place, figures) in zip(metrics.indices.suffix(ids.count), figures) {
        metrics[place].process = figures
      }
    }
    return metrics
  }

  /// What was counted of one module since the supervisor started; nothing where nobody counts.
  public func counts(of moduleID: String) -> ModuleCounts {
    environment.broker?.meters[moduleID].counts ?? ModuleCounts()
  }

  /// What is counted of it: all but its process.
  private func measure(_ id: String) -> ModuleMetrics {
    // One that is desired and no longer discovered runs nowhere.
    var metrics = ModuleMetrics(moduleID: id, state: state(of: id) ?? .failed, counts: counts(of: id))
    guard let module = active[id] else { return metrics }
    metrics.uptimeSeconds = Double(environment.clock.now &- module.since) / 1e9
    if let session = environment.broker?.session(of: id) {
      metrics.openMade = session.incoming.count
      metrics.openProvided = session.outgoing.count
    }
    return metrics
  }
}
