/// The forms in which a report can be exported.
enum ReportFormat: String, Sendable, CaseIterable {
  case csv, json, markdown, html, text

  /// What people call it.
  var title: String {
    switch self {
    case .csv: "CSV"
    case .json: "JSON"
    case .markdown: "Markdown"
    case .html: "HTML"
    case .text: "Text"
    }
  }

  /// Of the file's name, without the dot.
  var fileExtension: String {
    switch self {
    case .markdown: "md"
    case .text: "txt"
    case .csv, .json, .html: rawValue
    }
  }

  /// The whole report, or the figures and a bounded part of the rows: several documents where one would be larger than an
  /// export may be.
  func documents(of result: ReportResult) -> [[UInt8]] {
    switch self {
    case .csv: ReportCSV.documents(of: result)
    case .json: ReportJSON.documents(of: result)
    case .markdown: [Array(ReportMarkdown.text(of: result).utf8)]
    case .html: [Array(ReportHTML.text(of: result).utf8)]
    case .text: [Array(ReportText.text(of: result).utf8)]
    }
  }

  /// What a report's file begins with: `forsetti-report-` and its name in lower-case letters, digits and `-`.
  static func prefix(of name: String) -> String {
    var slug = ""
    for scalar in name.lowercased().unicodeScalars {
      let isKept = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
      if isKept {
        slug.unicodeScalars.append(scalar)
      } else if !slug.isEmpty, slug.last != "-" {
        slug += "-"
      }
    }
    while slug.hasSuffix("-") { slug.removeLast() }
    return "forsetti-report-" + (slug.isEmpty ? "devices" : slug)
  }
}

/// All rows, with the columns of `ReportField.columns`.
enum ReportCSV {
  static func documents(of result: ReportResult) -> [[UInt8]] {
    var csv = CSVWriter(columns: ReportField.columns.map(\.title))
    for device in result.devices { csv.add(ReportField.columns.map { device.text(of: $0) ?? "" }) }
    return csv.documents
  }
}
