import ForsettiIPC
import ForsettiRuntime

/// What is counted and measured of one module; counts are since the supervisor's start.
struct ModuleFiguresItem: ControlRecord, Equatable {
  var moduleID = ""
  var state = ""
  /// Calls that it made, and those to it, that have ended.
  var calls = 0
  var failedCalls = 0
  var providedCalls = 0
  /// Calls that it made, by how long they took: bucket N holds those of up to 2^N µs.
  var latency: [Int] = []
  /// Events that it published and was told of.
  var events = 0
  /// Bytes of frames, both ways.
  var bytes = 0
  var restarts = 0
  /// Of its process; absent without one.
  var memoryBytes: Int?
  var cpuSeconds: Double?

  init() {}

  init(_ metrics: ModuleMetrics) {
    let counts = metrics.counts
    moduleID = metrics.moduleID
    state = metrics.state.rawValue
    calls = Int(clamping: counts.made.total)
    failedCalls = Int(clamping: counts.made.failures)
    providedCalls = Int(clamping: counts.provided.total)
    latency = (0...LatencyBuckets.bounded).map { Int(clamping: counts.latency[$0]) }
    events = Int(clamping: counts.eventsPublished &+ counts.eventsDelivered)
    bytes = Int(clamping: counts.bytesFrom &+ counts.bytesTo)
    restarts = Int(clamping: counts.totalRestarts)
    memoryBytes = metrics.process?.proportionalBytes
    cpuSeconds = metrics.process?.cpuSeconds
  }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("moduleID", &moduleID)
    try members("state", &state)
    try members("calls", &calls)
    try members("failedCalls", &failedCalls)
    try members("providedCalls", &providedCalls)
    try members("latency", &latency)
    try members("events", &events)
    try members("bytes", &bytes)
    try members("restarts", &restarts)
    try members("memoryBytes", &memoryBytes)
    try members("cpuSeconds", &cpuSeconds)
  }
}

/// The supervisor itself and all modules, at one time. The modules come as items, one each; the client puts them in.
struct FiguresAnswer: ControlRecord, Equatable {
  var supervisor = SupervisorFigures()
  var modules: [ModuleFiguresItem] = []

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try supervisor.visit(&members)
    try members("modules", &modules)
  }
}

extension ControlOperations {
  /// Counts and measures of every module, for whoever makes rates of two such answers.
  static let figures = ControlOperation<NoValue, ModuleFiguresItem, FiguresAnswer>("figures", .read) {
    (_, call) throws(ControlFailure) in
    let manager = call.context.bootstrap.runtime.moduleManager
    for ids in manager?.moduleIDsInTurns ?? [] {
      let metrics = await manager?.metrics(of: ids) ?? []
      try await call.stream.send(made: { metrics.map(ModuleFiguresItem.init(_:)) })
    }
    return FiguresAnswer(supervisor: await SupervisorFigures(call.context, reloads: manager?.reloads ?? 0))
  }
}
