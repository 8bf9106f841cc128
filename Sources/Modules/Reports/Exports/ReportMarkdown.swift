internal import ForsettiModuleKit

/// A report as Markdown: the figures, and the first rows.
enum ReportMarkdown {
  /// Rows at most: a longer table is read by programs, which take CSV.
  static let rowLimit = 500

  static func text(of result: ReportResult) -> String {
    let definition = result.definition
    var lines = [
      "# \(MarkdownTable.escaped(definition.name))", "", MarkdownTable.escaped(definition.summary), "",
      "Taken at \(timestampText(result.takenAt)).", "",
    ]
    for warning in result.warnings { lines += ["> \(MarkdownTable.escaped(warning))", ""] }
    lines += ["Total Devices: \(result.devices.count)", ""]
    for section in ReportSection.all(of: result) {
      lines += ["## \(section.title)", ""]
      lines += MarkdownTable.lines(
        columns: [section.label, "Count"], rows: section.counts.map { [$0.label, "\($0.count)"] })
      lines.append("")
    }
    return (lines + devices(result)).joined(separator: "\n") + "\n"
  }

  private static func devices(_ result: ReportResult) -> [String] {
    let note = result.note(ofFirst: rowLimit).map { [$0, ""] } ?? []
    return ["## Devices", ""] + note
      + MarkdownTable.lines(
        columns: ReportField.columns.map(\.title),
        rows: result.devices.prefix(rowLimit).map { device in
          ReportField.columns.map { device.text(of: $0) ?? "" }
        })
  }
}
