import ForsettiIPC
import ForsettiRuntime

/// What `live` asks.
struct LiveRequest: ControlRecord {
  /// The `revision` of an earlier answer: modules that have not changed since are left out. 0 for all.
  var since = 0

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("since", &since)
  }
}

/// What a table shows of a module as time goes on; counts are since the supervisor's start.
struct LiveLine: TableRow, Equatable {
  var moduleID = ""
  var state = ""
  /// Calls that it made and that have ended, and those of them that did not end well.
  var calls = 0
  var failedCalls = 0
  /// Events that it published and was told of.
  var events = 0
  var restarts = 0
  /// Of its process, as last seen; absent without one, and where none was looked at yet.
  var memoryBytes: Int?

  init() {}

  init(_ tally: ModuleTally) {
    moduleID = tally.moduleID
    state = tally.state.rawValue
    calls = Int(clamping: tally.calls)
    failedCalls = Int(clamping: tally.failedCalls)
    events = Int(clamping: tally.events)
    restarts = Int(clamping: tally.restarts)
    memoryBytes = tally.memoryBytes
  }

  /// A process that comes or goes changes the share that every other one has of their common pages by a little, so less than a
  /// sixty-fourth of its memory is no change.
  func shows(_ other: LiveLine) -> Bool {
    var other = other
    if let mine = memoryBytes, let theirs = other.memoryBytes,
      (mine &- theirs).magnitude < mine.magnitude / 64
    {
      other.memoryBytes = mine
    }
    return self == other
  }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("moduleID", &moduleID)
    try members("state", &state)
    try members("calls", &calls)
    try members("failedCalls", &failedCalls)
    try members("events", &events)
    try members("restarts", &restarts)
    try members("memoryBytes", &memoryBytes)
  }
}

/// What is told beside the modules, which come as items.
struct LiveAnswer: ControlRecord, Equatable {
  var supervisor = SupervisorFigures()
  /// What to ask by the next time.
  var revision = 0
  /// Whether the items are all modules, so that others are gone.
  var isWhole = true

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try supervisor.visit(&members)
    try members("revision", &revision)
    try members("isWhole", &isWhole)
  }
}

extension ControlOperations {
  /// What changed of each module, for whoever shows all of them and asks again and again.
  static let live = ControlOperation<LiveRequest, LiveLine, LiveAnswer>("live", .read) {
    (request, call) throws(ControlFailure) in
    let context = call.context
    let manager = context.bootstrap.runtime.moduleManager
    // First, so that whoever hears of a reload has heard of its modules.
    let reloads = manager?.reloads ?? 0
    var answer = LiveAnswer()
    if let manager {
      await manager.lookAtProcesses()
      let table = context.tables.live
      try await table.update(from: manager, isSteady: false) { LiveLine(manager.tally(of: $0)) }
      let told = table.rows.told(since: request.since)
      try await call.stream.send(encoded: told.rows)
      (answer.revision, answer.isWhole) = (told.revision, told.isWhole)
    }
    answer.supervisor = await SupervisorFigures(context, reloads: reloads)
    return answer
  }
}
