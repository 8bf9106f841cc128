import ForsettiCore

extension ModuleManager {
  /// IDs of all discovered or desired modules, in the order of `moduleIDs`, some at a time: so many that calls may wait for
  /// what is looked up of them, and that the way to another thread and back is little beside it.
  public var moduleIDsInTurns: [ArraySlice<String>] {
    let ids = moduleIDs
    return stride(from: 0, to: ids.count, by: Self.modulesAtOnce).map {
      ids[$0...].prefix(Self.modulesAtOnce)
    }
  }
  private static let modulesAtOnce = 16

  /// Every discovered or desired module as it is measured now; figures of different modules are some time apart.
  public func metrics() async -> [ModuleMetrics] {
    var metrics: [ModuleMetrics] = []
    for ids in moduleIDsInTurns { metrics += await self.metrics(of: ids) }
    return metrics
  }

  /// Some modules as they are measured now. Processes are read elsewhere, and the reactor goes on meanwhile.
  public func metrics(of ids: some Collection<String>) async -> [ModuleMetrics] {
    var metrics = ids.map(measure)
    let figures = await ProcessGauge.read(ids.map { active[$0]?.instance.gauge() })
    for (place, figures) in zip(metrics.indices, figures) { metrics[place].process = figures }
    return metrics
  }

  /// A module as a table shows it, with what was last seen of its memory: all of it is known, and next to nothing is done for
  /// it.
  public func tally(of id: String) -> ModuleTally {
    let order = active.order(of: id)
    var tally = ModuleTally(moduleID: id, state: order == nil ? state(of: id) ?? .failed : .active)
    tally.memoryBytes = order.flatMap { looks[$0] }?.proportionalBytes
    guard let meter = environment.broker?.meters[id] else { return tally }
    tally.calls = meter.counts.made.total
    tally.failedCalls = meter.counts.made.failures
    tally.events = meter.counts.eventsPublished &+ meter.counts.eventsDelivered
    tally.restarts = meter.counts.totalRestarts
    return tally
  }

  /// Looks at some processes, others each time; of few modules at all.
  public func lookAtProcesses() async {
    let due = looks.due(of: active.orders, now: environment.clock.now).compactMap { order in
      active.id(of: order).flatMap { active[$0]?.instance.gauge() }.map { (order: order, gauge: $0) }
    }
    guard !due.isEmpty else { return }
    let seen = await ProcessGauge.look(at: due.map { (gauge: $0.gauge, earlier: looks[$0.order]) })
    for (order, look) in zip(due.map(\.order), seen) { looks[order] = look }
  }

  /// What was counted of one module since the supervisor started; nothing where nobody counts.
  public func counts(of moduleID: String) -> ModuleCounts {
    environment.broker?.meters[moduleID].counts ?? ModuleCounts()
  }

  /// What is counted of it: all but its process.
  private func measure(_ id: String) -> ModuleMetrics {
    guard let module = active[id] else {
      // One that is desired and no longer discovered runs nowhere.
      return ModuleMetrics(moduleID: id, state: state(of: id) ?? .failed, counts: counts(of: id))
    }
    var metrics = ModuleMetrics(moduleID: id, state: .active, counts: counts(of: id))
    metrics.uptimeSeconds = Double(environment.clock.now &- module.since) / 1e9
    if let session = environment.broker?.session(of: id) {
      metrics.openMade = session.incoming.count
      metrics.openProvided = session.outgoing.count
    }
    return metrics
  }
}
