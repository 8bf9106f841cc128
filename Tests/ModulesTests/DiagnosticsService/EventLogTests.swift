import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct EventLogTests {
  private static func report(_ message: String, _ severity: LogLevel = .info) -> DiagnosticReport {
    DiagnosticReport(
      source: "com.example.\(severity)", category: "test", severity: severity, message: message,
      metadata: ["reason": "Why"], time: 1)
  }

  @Test("the newest are held, and numbers have no gap") func newest() {
    var log = EventLog()
    for number in 1...(EventLog.limit + 3) {
      #expect(log.add(Self.report("\(number)")).number == Int64(number))
    }
    #expect(log.events.count == EventLog.limit)
    #expect(log.events.first?.report.message == "4")
    #expect(log.next == Int64(EventLog.limit + 4))
    log.clear(upTo: log.next - 2)
    #expect(log.events.map(\.report.message) == ["\(EventLog.limit + 3)"])
    #expect(log.add(Self.report("x")).number == Int64(EventLog.limit + 4))
  }

  @Test("severities are counted, and sources are listed") func counts() {
    var log = EventLog()
    for severity in [LogLevel.error, .info, .error] { _ = log.add(Self.report("x", severity)) }
    #expect(log.counts.map(\.count) == [2, 0, 1, 0])
    #expect(log.counts.first?.severity == .error)
    #expect(log.sources == ["com.example.error", "com.example.info"])
  }

  private static let queries: [(EventQuery, Bool)] = [
    (EventQuery(), true), (EventQuery(text: "MESSAGE"), true), (EventQuery(text: "why"), true),
    (EventQuery(text: "reason"), true), (EventQuery(text: "example.warn"), true),
    (EventQuery(text: "x"), true),
    (EventQuery(text: "absent"), false), (EventQuery(atLeast: .warning), true),
    (EventQuery(atLeast: .error), false),
    (EventQuery(source: "com.example.warning"), true), (EventQuery(source: "com.example"), false),
    (EventQuery(text: "message", atLeast: .error), false),
  ]

  @Test("a query lets through what fulfils all of it", arguments: queries)
  func query(query: EventQuery, expected: Bool) {
    #expect(query.matches(Self.report("A message", .warning)) == expected)
  }

  private static let forms: [([String: String], EventQuery)] = [
    ([:], EventQuery()), (["text": " a ", "severity": "All", "source": "All"], EventQuery(text: "a")),
    (["severity": "warning", "source": "x"], EventQuery(atLeast: .warning, source: "x")),
    (["severity": "loud", "source": ""], EventQuery()),
    (["text": String(repeating: "x", count: 257)], EventQuery()),
  ]

  @Test("a form becomes a query, and what it can't be is no condition", arguments: forms)
  func form(payload: [String: String], query: EventQuery) { #expect(EventQuery(form: payload) == query) }

  private static let notices: [(String, LogLevel?)] = [
    ("forsetti.lifecycle.ended", .error), ("forsetti.lifecycle.provider_lost", .warning),
    ("forsetti.lifecycle.activated", .info), ("forsetti.lifecycle.new_word", nil),
  ]

  @Test("what the runtime tells of modules is kept, with its weight", arguments: notices)
  func notice(type: String, severity: LogLevel?) {
    let payload = ["moduleID": "com.example.a", "role": "api", "other": "x"]
    let report = LifecycleNotice.report(type, payload, at: 5)
    #expect(report?.severity == severity)
    guard let report else { return }
    #expect(report.source == "forsetti.runtime")
    #expect(report.time == 5)
    #expect(DiagnosticRedaction.redacted(report).metadata == ["moduleID": "com.example.a", "role": "api"])
    #expect(LifecycleNotice.report(type, [:], at: 5) == nil)
  }
}
