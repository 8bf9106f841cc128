import ForsettiCore

/// Reports as text, and the bounds of their parts.
enum DiagnosticText {
  private static let longestMessage = 4_096
  private static let longestName = 256
  private static let longestValue = 1_024
  private static let mostMetadata = 32
  /// An exported document fits into one frame.
  private static let largestDocument = 960 << 10
  private static let limits = JSONLimits(
    bytes: 1 << 20, depth: 4, stringBytes: longestValue * 2, arrayElements: 4)

  /// The report with everything cut to its bounds.
  static func cut(_ report: DiagnosticReport) -> DiagnosticReport {
    var report = report
    report.source = cut(report.source, longestName)
    report.category = cut(report.category, longestName)
    report.message = cut(report.message, longestMessage)
    let kept = sorted(report.metadata).prefix(mostMetadata).map {
      (cut($0.key, longestName), cut($0.value, longestValue))
    }
    report.metadata = Dictionary(kept, uniquingKeysWith: { first, _ in first })
    return report
  }

  /// The longest beginning of a text that has so many bytes of UTF-8 at most.
  static func cut(_ text: String, _ limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
      text.utf8.formIndex(before: &end)
    }
    return String(text[..<end])
  }

  static func json(_ metadata: [String: String]) -> String {
    JSONWriter.text(.object(sorted(metadata).map { ($0.key, .string($0.value)) }))
  }

  static func metadata(_ text: String) -> [String: String] {
    guard let members = try? JSONParser.parse(Array(text.utf8), limits: limits).root.members else {
      return [:]
    }
    return Dictionary(
      members.map { ($0.key, $0.value.stringValue ?? "") }, uniquingKeysWith: { first, _ in first })
  }

  /// All reports as one document.
  static func document(
    _ reports: [DiagnosticReport], _ format: DiagnosticFormat
  ) throws(ServiceError) -> [UInt8] {
    let bytes =
      switch format {
      case .json: JSONWriter.bytes(.object([("events", .array(reports.map(value)))]), style: .pretty)
      case .markdown: Array(markdown(reports).utf8)
      }
    guard bytes.count <= largestDocument else { throw .tooLarge(limit: UInt64(largestDocument)) }
    return bytes
  }

  private static func value(_ report: DiagnosticReport) -> JSONValue {
    .object([
      ("time", .integer(report.time)), ("source", .string(report.source)),
      ("category", .string(report.category)), ("severity", .string(report.severity.rawValue)),
      ("message", .string(report.message)),
      ("metadata", .object(sorted(report.metadata).map { ($0.key, .string($0.value)) })),
    ])
  }

  private static func markdown(_ reports: [DiagnosticReport]) -> String {
    var text =
      "| time | source | category | severity | message | metadata |\n| --- | --- | --- | --- | --- | --- |\n"
    for report in reports {
      let metadata = sorted(report.metadata).map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
      let cells = [
        "\(report.time)", report.source, report.category, report.severity.rawValue, report.message, metadata,
      ]
      text += "| " + cells.map(cell).joined(separator: " | ") + " |\n"
    }
    return text
  }

  /// Modules' text must neither leave its cell nor become markup.
  private static func cell(_ text: String) -> String {
    var escaped = ""
    for scalar in text.plain(limit: longestMessage).unicodeScalars {
      if "\\|`*_[]<>!#~&".unicodeScalars.contains(scalar) { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }

  private static func sorted(_ metadata: [String: String]) -> [(key: String, value: String)] {
    metadata.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
