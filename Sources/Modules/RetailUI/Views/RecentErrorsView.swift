internal import ForsettiModuleKit

/// The errors and warnings that diagnostics has kept last, newest first.
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
      .table(columns: ["Time", "Severity", "Source", "Category", "What"], rows: reports.map(row))
    }
  }

  /// How many there are among them.
  static func count(_ errors: RetailState.RecentErrors) -> String {
    guard case .known(let reports) = errors else { return "unknown" }
    let count = reports.count { $0.severity == .error }
    return "\(count) of the last \(reports.count) reports"
  }

  private static func row(_ report: DiagnosticReport) -> [ViewNode] {
    [
      .text(timestampText(report.time), style: .code),
      .badge(report.severity.rawValue, tone: report.severity == .error ? .error : .warning),
      .text(report.source), .text(report.category),
      .text(report.message),
    ]
  }
}
