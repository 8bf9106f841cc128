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

  /// The same with what was last seen of their processes.
  public func counts(of ids: some Collection<String>) -> [ModuleMetrics] {
    ids.map { id in
      var metrics = measure(id)
      metrics.process = active[id].flatMap { looks[$0.order] }
      return metrics
    }
  }

  /// Looks at some processes, others each time; of few modules at all.
  public func lookAtProcesses() async {
    let due = looks.due(of: active.orders, now: environment.clock.now)
    for place in stride(from: 0, to: due.count, by: Self.modulesAtOnce) {
      let orders = due[place...].prefix(Self.modulesAtOnce)
      let gauges = orders.map { order in active.id(of: order).flatMap { active[$0]?.instance.gauge() } }
      for (order, figures) in zip(orders, await ProcessGauge.read(gauges)) { looks[order] = figures }
    }
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
