internal import ForsettiModuleKit

/// Events as documents for people, and for their programs.
enum DiagnosticsDocument {
  /// What the documents say they are of.
  private static let appName = "Forsetti"
  /// What an exported file begins with.
  static let filePrefix = "forsetti-diagnostics"
  /// Events of one Markdown document at most; programs, which take more, read JSON.
  static let markdownLimit = 1_000
  /// Events that its beginning tells apart.
  private static let highlightLimit = 20
  /// Bytes of the events of one document; what stands around them is small.
  private static let eventBytes = DocumentParts.documentLimit - 4_096

  /// - Parameters:
  ///   - reports: oldest first.
  ///   - time: milliseconds since 1970.
  static func documents(_ reports: [DiagnosticReport], _ format: DiagnosticFormat, at time: Int64)
    -> [[UInt8]]
  {
    switch format {
    case .json: json(reports, at: time)
    case .markdown: [Array(markdown(reports, at: time).utf8)]
    }
  }

  private static func json(_ reports: [DiagnosticReport], at time: Int64) -> [[UInt8]] {
    let parts = DocumentParts.split(reports.map(\.json), limit: eventBytes) { JSONWriter.bytes($0).count + 1 }
    return parts.enumerated().map { index, events in
      JSONWriter.bytes(
        .record([
          "appName": .string(appName), "exportedAt": .string(timestampText(time)),
          "eventCount": .integer(reports.count),
          "part": .record(["number": .integer(index + 1), "of": .integer(parts.count)]),
          "events": .array(events),
        ]))
    }
  }

  private static func markdown(_ reports: [DiagnosticReport], at time: Int64) -> String {
    var lines = ["# \(appName) diagnostics", "", "Exported at \(timestampText(time)).", ""]
    let counts = LogLevel.allCases.reversed().map { level in
      [level.rawValue, "\(reports.count { $0.severity == level })"]
    }
    lines += MarkdownTable.lines(columns: ["Severity", "Events"], rows: counts) + [""]
    let highlights = reports.reversed().filter { $0.severity.weight >= LogLevel.warning.weight }
    if !highlights.isEmpty {
      lines += ["## Highlights", ""] + highlights.prefix(highlightLimit).map(line) + [""]
    }
    lines += ["## Events", ""]
    let shown = reports.suffix(markdownLimit)
    if shown.count < reports.count {
      lines += ["The newest \(shown.count) of \(reports.count); JSON has them all.", ""]
    }
    return (lines + shown.map(line)).joined(separator: "\n") + "\n"
  }

  private static func line(_ report: DiagnosticReport) -> String {
    let source = MarkdownTable.escaped(report.source)
    let category = MarkdownTable.escaped(report.category)
    let facts = metadata(report)
    return
      "- \(timestampText(report.time)) [\(report.severity.rawValue.uppercased())] \(source), \(category): "
      + MarkdownTable.escaped(report.message) + (facts.isEmpty ? "" : " (\(MarkdownTable.escaped(facts)))")
  }

  /// On one line.
  static func metadata(_ report: DiagnosticReport) -> String {
    report.sortedMetadata.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
  }
}
