import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct DiagnosticsDocumentTests {
  private static func report(_ number: Int, _ severity: LogLevel = .info) -> DiagnosticReport {
    DiagnosticReport(
      source: "com.example.a", category: "c", severity: severity, message: "message |\(number)| `x`",
      metadata: ["reason": "r\(number)"], time: Int64(number) * 1_000)
  }

  @Test("JSON says what it is of, and has the events oldest first") func json() throws {
    let documents = DiagnosticsDocument.documents([Self.report(1), Self.report(2, .error)], .json, at: 0)
    let root = try JSONParser.parse(try #require(documents.first)).root
    #expect(documents.count == 1)
    #expect(root["appName"]?.stringValue == "Forsetti")
    #expect(root["exportedAt"]?.stringValue == "1970-01-01T00:00:00.000Z")
    #expect(root["eventCount"]?.integerValue == 2)
    let events = root["events"]?.elements ?? []
    #expect(events.map { $0["severity"]?.stringValue } == ["info", "error"])
    #expect(events.last?["message"]?.stringValue == "message |2| `x`")
    #expect(events.last?["metadata"]?["reason"]?.stringValue == "r2")
  }

  @Test("a long export is several documents, each of which fits") func parts() throws {
    let reports = (0..<9_000).map { Self.report($0) }
    let documents = DiagnosticsDocument.documents(reports, .json, at: 0)
    #expect(documents.count > 1)
    #expect(documents.allSatisfy { $0.count <= DocumentParts.documentLimit })
    let limits = JSONLimits(bytes: 1 << 20, depth: 6, arrayElements: 10_000)
    let counts = try documents.map {
      try JSONParser.parse($0, limits: limits).root["events"]?.elements?.count ?? 0
    }
    #expect(counts.reduce(0, +) == 9_000)
  }

  @Test("Markdown has counts, highlights newest first, and lines that stay lines") func markdown() throws {
    let reports = [Self.report(1, .error), Self.report(2), Self.report(3, .warning)]
    let text = String(
      decoding: try #require(DiagnosticsDocument.documents(reports, .markdown, at: 0).first), as: UTF8.self)
    #expect(text.contains("| error | 1 |"))
    let highlights = try #require(text.firstRange(of: "## Highlights")),
      events = try #require(text.firstRange(of: "## Events"))
    let between = String(text[highlights.upperBound..<events.lowerBound])
    let warning = try #require(between.firstRange(of: "[WARNING]")),
      error = try #require(between.firstRange(of: "[ERROR]"))
    #expect(warning.lowerBound < error.lowerBound)
    #expect(!between.contains("[INFO]"))
    #expect(
      text.contains(
        "- 1970-01-01T00:00:01.000Z [ERROR] com.example.a, c: message \\|1\\| \\`x\\` (reason=r1)\n"))
  }

  @Test("Markdown shows the newest, and says how many there are") func bounded() throws {
    let reports = (0..<1_001).map { Self.report($0) }
    let text = String(
      decoding: try #require(DiagnosticsDocument.documents(reports, .markdown, at: 0).first), as: UTF8.self)
    #expect(text.contains("The newest 1000 of 1001"))
    #expect(!text.contains("(reason=r0)"))
    #expect(text.contains("(reason=r1000)"))
  }

  @Test("a file is called after what it is and when it was written", arguments: ["json", "md"])
  func fileName(ending: String) {
    let name = ExportFileName.make(
      DiagnosticsDocument.filePrefix, at: 1_796_002_119_123, fileExtension: ending)
    #expect(name == "forsetti-diagnostics-20261130-012839.\(ending)")
  }

  @Test("nothing makes a document too", arguments: DiagnosticFormat.allCases) func empty(
    format: DiagnosticFormat
  ) {
    #expect(DiagnosticsDocument.documents([], format, at: 0).count == 1)
  }
}
