import ForsettiBlocking
import ForsettiCore
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiServices

@Suite struct DiagnosticsTests {
  private func report(_ message: String, _ severity: LogLevel = .info, category: String = "c")
    -> DiagnosticReport
  {
    DiagnosticReport(source: "forged", category: category, severity: severity, message: message, time: 1)
  }

  @Test("a report carries the module's own name and the supervisor's time") func attribution() async throws {
    let clock = WallClock()
    let scratch = try Scratch()
    let services = try await scratch.services { $0.now = { clock.now } }
    try await services.diagnostics(caller("a.one")).emit(
      DiagnosticReport(
        source: "b.two", category: "c", severity: .warning, message: "m\n\0|", metadata: ["k": "v\u{1b}"],
        time: 5))
    let found = try await services.diagnostics(caller("b.two")).events(DiagnosticFilter())
    #expect(
      found == [
        DiagnosticReport(
          source: "a.one", category: "c", severity: .warning, message: "m\n\0|", metadata: ["k": "v\u{1b}"],
          time: clock.now)
      ])
    // They are there after a restart.
    #expect(try await scratch.services().diagnostics(caller()).events(DiagnosticFilter()) == found)
  }

  @Test("filters are joined, newest first, and bounded") func filters() async throws {
    let clock = WallClock()
    let services = try await Scratch().services { $0.now = { clock.now } }
    let one = services.diagnostics(caller("a.one"))
    for (index, severity) in LogLevel.allCases.enumerated() {
      try await one.emit(report("\(index)", severity, category: index % 2 == 0 ? "even" : "odd"))
      clock.advance(1)
    }
    try await services.diagnostics(caller("a.two")).emit(report("two", .error))
    func messages(_ filter: DiagnosticFilter) async throws -> [String] {
      try await one.events(filter).map(\.message)
    }
    #expect(try await messages(DiagnosticFilter()) == ["two", "3", "2", "1", "0"])
    #expect(try await messages(DiagnosticFilter(source: "a.one", limit: 2)) == ["3", "2"])
    #expect(try await messages(DiagnosticFilter(category: "even")) == ["2", "0"])
    #expect(try await messages(DiagnosticFilter(source: "a.one", atLeast: .warning)) == ["3", "2"])
    #expect(try await messages(DiagnosticFilter(source: "a.one", since: 1_800_000_003_000)) == ["3"])
    #expect(try await messages(DiagnosticFilter(source: "' OR 1=1 --")) == [])
    for limit in [Int.min, 0, 1_001, Int.max] {
      await #expect(throws: ServiceError.invalidArgument(name: "limit", reason: "1 to 1000 is meant")) {
        try await messages(DiagnosticFilter(limit: limit))
      }
    }
  }

  @Test("a module that reports without end pushes out its own reports") func bounds() async throws {
    let scratch = try Scratch()
    let store = try await DiagnosticsStore(
      path: scratch("d.sqlite"), bounds: .init(perSource: 10, total: 25, slack: 5),
      on: BlockingExecutor(name: "test"))
    try await store.add(DiagnosticReport(source: "quiet", category: "c", severity: .error, message: "kept"))
    for number in 0..<200 {
      try await store.add(
        DiagnosticReport(source: "loud", category: "c", severity: .info, message: "\(number)"))
    }
    let all = try await store.reports(DiagnosticFilter(limit: 1_000))
    #expect(all.first?.message == "199")
    #expect(all.filter { $0.source == "loud" }.count <= 16)
    #expect(all.last?.message == "kept")
    for number in 0..<100 {
      try await store.add(DiagnosticReport(source: "s\(number)", category: "c", severity: .info, message: ""))
    }
    #expect(try await store.reports(DiagnosticFilter(limit: 1_000)).count <= 31)
  }

  @Test("long texts are cut between characters, never refused") func cut() async throws {
    let diagnostics = try await Scratch().services().diagnostics(caller())
    let long = String(repeating: "\u{20ac}", count: 10_000)
    try await diagnostics.emit(
      DiagnosticReport(
        category: long, severity: .info, message: long,
        metadata: Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", long) })))
    let found = try #require(try await diagnostics.events(DiagnosticFilter()).first)
    #expect(found.message == String(repeating: "\u{20ac}", count: 1_365))
    #expect(found.category.utf8.count == 255)
    #expect(found.metadata.count == 32)
    #expect(found.metadata.values.allSatisfy { $0.utf8.count == 1_023 })
  }

  @Test("documents hold every report, and no text leaves its cell") func export() async throws {
    let services = try await Scratch().services()
    let diagnostics = services.diagnostics(caller("a.one"))
    try await diagnostics.emit(report("a | b\n<script>\u{1b}[2J"))
    let json = try await diagnostics.export(DiagnosticFilter(), format: .json)
    let document = try JSONParser.parse(json, limits: JSONLimits())
    #expect(document.root["events"]?.elements?.first?["message"]?.stringValue == "a | b\n<script>\u{1b}[2J")
    let markdown = String(
      decoding: try await diagnostics.export(DiagnosticFilter(), format: .markdown), as: UTF8.self)
    #expect(markdown.split(separator: "\n").count == 3)
    #expect(markdown.contains(#"a \| b\\u{A}\<script\>\\u{1B}\[2J"#))
  }

  @Test("the supervisor's own reports keep their source") func keep() async throws {
    let services = try await Scratch().services()
    try await services.keep(
      DiagnosticReport(
        source: "forsetti.runtime", category: "bootstrap", severity: .error, message: "m", time: 9))
    let found = try await services.diagnostics(caller()).events(DiagnosticFilter(source: "forsetti.runtime"))
    #expect(found.first?.time == 9)
  }
}
