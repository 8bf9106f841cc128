internal import ForsettiModuleKit

/// The errors that diagnostics has kept, newest first.
enum RecentErrorsView {
  static func node(_ errors: RetailState.RecentErrors) -> ViewNode {
    switch errors {
    case .unknown: .text("Unknown: diagnostics was not heard yet.", style: .caption)
    case .unavailable(let why):
      .list([
        .badge("Diagnostics can't be asked", tone: .warning), .text(why, style: .caption),
        .text("Refresh asks again.", style: .caption),
      ])
    case .known(let reports) where reports.isEmpty: .badge("none", tone: .success)
    case .known(let reports):
      .table(columns: ["Time", "Source", "Category", "What"], rows: reports.map(row))
    }
  }

  /// How many, in a word.
  static func count(_ errors: RetailState.RecentErrors) -> String {
    guard case .known(let reports) = errors else { return "unknown" }
    return "\(reports.count)"
  }

  private static func row(_ report: DiagnosticReport) -> [ViewNode] {
    [
      .text(timestampText(report.time), style: .code), .text(report.source), .text(report.category),
      .text(report.message),
    ]
  }
}
