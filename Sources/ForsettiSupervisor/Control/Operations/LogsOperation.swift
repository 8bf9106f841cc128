import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// What `logs` asks.
struct LogsRequest: ControlRecord {
  var module: String?
  var level = LogLevel.debug.rawValue
  /// Records of the past.
  var count = 100
  /// Whether those to come are wanted too.
  var follows = false

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("module", &module)
    try members("level", &level)
    try members("count", &count)
    try members("follows", &follows)
  }
}

/// One record of the log; the texts are as they came, for whoever prints them to make fit.
struct LogItem: ControlRecord, Equatable {
  /// Milliseconds since 1970.
  var time = 0
  var level = ""
  var origin = ""
  var moduleID: String?
  var message = ""
  var metadata: [String: String] = [:]

  init() {}

  init(_ record: LogRecord) {
    time = Int(record.time)
    level = record.level.rawValue
    origin = record.origin.rawValue
    moduleID = record.moduleID
    message = record.message
    metadata = record.metadata
  }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("time", &time)
    try members("level", &level)
    try members("origin", &origin)
    try members("module", &moduleID)
    try members("message", &message)
    try members("metadata", &metadata)
  }
}

extension ControlOperations {
  /// Recent records, and with `follows` each later one, until it is taken back.
  static let logs = ControlOperation<LogsRequest, LogItem, NoValue>("logs", .read) {
    (request, call) throws(ControlFailure) in
    guard let level = LogLevel(rawValue: request.level) else {
      throw ControlFailure(.invalidRequest, .usage, "level: debug, info, warning or error is meant")
    }
    let id = try request.module.map { (name) throws(ControlFailure) in try call.manager.find(name) }
    // Before the past is read, so that nothing falls between the two.
    let coming = request.follows ? call.context.log.follow() : nil
    let past = call.context.log.recent(max(0, request.count), level: level, moduleID: id)
    for entry in past { try await call.stream.send(LogItem(entry.record)) }
    guard let coming else { return NoValue() }
    var last = past.last?.number ?? 0
    for await entry in coming where entry.number > last {
      last = entry.number
      if LogHistory.matches(entry.record, level, id) { call.stream.offer(LogItem(entry.record)) }
    }
    return NoValue()
  }
}

extension LogItem {
  /// The line that the supervisor's own log has for it, line end included.
  func line(json: Bool, isColoured: Bool) -> [UInt8] {
    let record = LogRecord(
      time: Int64(time), level: LogLevel(rawValue: level) ?? .info,
      origin: LogRecord.Origin(rawValue: origin) ?? .module, moduleID: moduleID, message: message,
      metadata: metadata)
    return json ? record.jsonLine : record.textLine(isColoured: isColoured)
  }
}
