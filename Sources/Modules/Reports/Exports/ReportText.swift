internal import ForsettiModuleKit

/// A report as plain text, for mails and tickets: the figures, and the first rows.
enum ReportText {
  /// Rows at most.
  static let rowLimit = 500
  /// Models and other groups that are listed.
  static let groupLimit = 10

  private static let columns: [ReportField] = [.name, .serialNumber, .model, .osVersion, .building]

  static func text(of result: ReportResult) -> String {
    let name = result.definition.name.plain()
    var lines = [
      name, String(repeating: "=", count: name.count), "", result.definition.summary.plain(),
      "Taken at \(timestampText(result.takenAt)).", "",
    ]
    lines += result.warnings.map { "Note: \($0.plain())" }
    if !result.warnings.isEmpty { lines.append("") }
    lines += ["Total Devices: \(result.devices.count)", ""]
    let figures = result.figures
    if result.definition.grouping != .deviceType, result.definition.grouping != .model {
      lines += table("By \(result.definition.grouping.title)", result.groups)
    }
    lines += table("Device Types", figures.types) + table("Models", figures.models)
    lines += table("Storage Used", figures.storage) + table("Battery", figures.battery)
    return (lines + devices(result)).joined(separator: "\n") + "\n"
  }

  /// The largest groups, their numbers one below the other.
  private static func table(_ title: String, _ counts: [ReportCount]) -> [String] {
    let shown = counts.prefix(groupLimit).map { ($0.label.plain(), $0.count) }
    let width = shown.map(\.0.count).max() ?? 0
    var lines =
      [title] + shown.map { "  " + $0 + String(repeating: " ", count: width - $0.count + 2) + "\($1)" }
    if counts.count > shown.count { lines.append("  and \(counts.count - shown.count) more") }
    return lines + [""]
  }

  private static func devices(_ result: ReportResult) -> [String] {
    let note = result.note(ofFirst: rowLimit).map { [$0] } ?? []
    let rows = result.devices.prefix(rowLimit).map { device in
      "  " + columns.map { device.text(of: $0)?.plain() ?? "-" }.joined(separator: " | ")
    }
    return ["Devices"] + note + rows
  }
}
