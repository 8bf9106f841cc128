public import ForsettiCore

/// What was counted of one module since the supervisor started.
public struct ModuleCounts: Sendable {
  /// Calls that it made, as they ended.
  public var made = CallCounts()
  /// Calls to it, as they ended.
  public var provided = CallCounts()
  /// How long calls took that it made, without those that were answered in the turn that took them up.
  public var latency = LatencyBuckets()
  /// Bytes of its frames.
  public var bytesFrom: UInt64 = 0
  /// Bytes of frames to it.
  public var bytesTo: UInt64 = 0
  /// Events that it published and might.
  public var eventsPublished: UInt64 = 0
  /// Events that went to its pipe.
  public var eventsDelivered: UInt64 = 0
  /// Events for it that gave way to newer ones before they did.
  public var eventsDropped: UInt64 = 0
  /// Records and lines within its rate.
  public var logLines: UInt64 = 0
  /// Records and lines above its rate.
  public var logLinesDropped: UInt64 = 0
  /// System calls that the supervisor answered.
  public var servedCalls: UInt64 = 0
  /// Restarts that were decided on, by why it had ended.
  public var restarts: [ExitKind: UInt64] = [:]

  /// Nothing counted.
  public init() {}

  /// All restarts.
  public var totalRestarts: UInt64 { restarts.values.reduce(0, &+) }
}

/// The few of a module's counts that people look for.
public struct ModuleFigures: Sendable, Hashable {
  /// Calls that it made and that have ended.
  public var calls: UInt64
  /// Those of them that did not end well.
  public var failedCalls: UInt64
  /// Events for it that gave way to newer ones.
  public var droppedEvents: UInt64
  /// Log lines above its rate.
  public var droppedLogLines: UInt64
  /// Restarts that were decided on.
  public var restarts: UInt64

  /// Takes them from all counts.
  init(_ counts: ModuleCounts) {
    calls = counts.made.total
    failedCalls = counts.made.failures
    droppedEvents = counts.eventsDropped
    droppedLogLines = counts.logLinesDropped
    restarts = counts.totalRestarts
  }
}

/// What a table shows of a module as time goes on; counts are since the supervisor started.
public struct ModuleTally: Sendable, Hashable {
  /// Which module.
  public var moduleID: String
  /// Where it stands.
  public var state: ModuleStatus.State
  /// Calls that it made, as they ended.
  public var calls: UInt64 = 0
  /// Those of them that did not end well.
  public var failedCalls: UInt64 = 0
  /// Events that it published and was told of.
  public var events: UInt64 = 0
  /// Restarts that were decided on.
  public var restarts: UInt64 = 0
  /// Bytes of memory as last seen, those that it has with others by its share; `nil` without a process.
  public var memoryBytes: Int?
}

/// One module as it is measured now.
public struct ModuleMetrics: Sendable {
  /// Which module.
  public var moduleID: String
  /// Where it stands.
  public var state: ModuleStatus.State
  /// What was counted.
  public var counts: ModuleCounts
  /// Calls of it that are not answered yet.
  public var openMade = 0
  /// Calls to it that are not answered yet.
  public var openProvided = 0
  /// Its process, if it has one.
  public var process: ProcessFigures?
  /// Seconds since it became active.
  public var uptimeSeconds: Double?

  /// Makes the metrics of a module that does not run.
  public init(moduleID: String, state: ModuleStatus.State, counts: ModuleCounts = ModuleCounts()) {
    self.moduleID = moduleID
    self.state = state
    self.counts = counts
  }
}

/// All that is measured, at one time.
public struct MetricsSnapshot: Sendable {
  /// Where the boot stands, by its name: one of `BootState.names`.
  public var bootState: String
  /// Milliseconds since the supervisor began.
  public var uptimeMilliseconds: Int
  /// The supervisor's own process.
  public var supervisor: ProcessFigures?
  /// Spans of calls, for a collector of traces.
  public var spans: SpanCounts
  /// Every discovered or desired module.
  public var modules: [ModuleMetrics]

  /// Makes a snapshot.
  public init(
    bootState: String, uptimeMilliseconds: Int, supervisor: ProcessFigures?,
    spans: SpanCounts = SpanCounts(), modules: [ModuleMetrics]
  ) {
    self.bootState = bootState
    self.uptimeMilliseconds = uptimeMilliseconds
    self.supervisor = supervisor
    self.spans = spans
    self.modules = modules
  }
}
