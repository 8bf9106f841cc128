import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// A line of `crashes list`.
struct CrashSummary: ControlRecord, Equatable {
  var id = ""
  var moduleID: String?
  /// Milliseconds since 1970.
  var endedAt: Int?
  var uptimeMilliseconds: Int?
  var reason: String?
  var message: String?
  var next: String?
  /// Why the file is no report; then the others are absent.
  var fault: String?

  init() {}

  init(_ entry: CrashReportStore.Entry) {
    id = entry.id.text
    switch entry.report {
    case .success(let report):
      moduleID = report.module.moduleID
      endedAt = Int(report.endedAt)
      uptimeMilliseconds = Int(report.uptimeMilliseconds)
      reason = report.exit.reason.kind.rawValue
      message = report.exit.description
      next = report.next.message
    case .failure(let error): fault = error.description
    }
  }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("id", &id)
    try members("moduleID", &moduleID)
    try members("endedAt", &endedAt)
    try members("uptimeMilliseconds", &uptimeMilliseconds)
    try members("reason", &reason)
    try members("message", &message)
    try members("next", &next)
    try members("fault", &fault)
  }
}

/// Which report is meant.
struct CrashRequest: ControlRecord {
  /// An ID, as much of its beginning as only one has, or `latest`.
  var report = ""

  init() {}

  init(_ report: String) { self.report = report }

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("report", &report)
  }
}

/// One report, as Resources/Schemas/crash-report.schema.json has it.
struct CrashAnswer: ControlRecord {
  var report = JSONValue.null

  mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
    try members("report", &report)
  }
}

extension ControlOperations {
  /// The crash reports that are kept, newest first.
  static let crashes = ControlOperation<NoValue, CrashSummary, NoValue>("crashes", .read) {
    (_, call) throws(ControlFailure) in
    let store = call.context.crashReports
    let list = try await reading { () throws(CommandFailure) in try CrashFiles(store).list() }
    for summary in list { try await call.stream.send(summary) }
    return NoValue()
  }

  /// One crash report.
  static let crash = ControlOperation<CrashRequest, NoValue, CrashAnswer>("crash", .read) {
    (request, call) throws(ControlFailure) in
    let store = call.context.crashReports
    let report = try await reading { () throws(CommandFailure) in try CrashFiles(store).report(request.report)
    }
    var answer = CrashAnswer()
    answer.report = report.jsonValue
    return answer
  }

  /// Off the reactor: a slow disk holds up nobody but who asks.
  private nonisolated static func reading<Value: Sendable>(
    _ read: @escaping @Sendable () throws(CommandFailure) -> Value
  ) async throws(ControlFailure) -> Value {
    do throws(CommandFailure) { return try await Reactor.away(read) } catch { throw ControlFailure(error) }
  }
}
