internal import ForsettiModuleKit

/// Which events a person wants to see.
struct EventQuery: Sendable, Equatable {
  /// In source, category, message or metadata, whatever its case; empty is no condition.
  var text = ""
  /// This severity or worse.
  var atLeast: LogLevel?
  var source: String?

  /// Bytes of a text at most.
  static let textLimit = 256
  /// What stands for no condition in a list to choose from.
  static let everything = "All"

  func matches(_ report: DiagnosticReport) -> Bool {
    if let atLeast, report.severity.weight < atLeast.weight { return false }
    if let source, !source.hasSameScalars(as: report.source) { return false }
    guard !text.isEmpty else { return true }
    let wanted = text.lowercased()
    let texts =
      [report.source, report.category, report.message] + report.metadata.flatMap { [$0.key, $0.value] }
    return texts.contains { $0.lowercased().contains(wanted) }
  }
}

extension EventQuery {
  /// Reads what a form sent; what is no choice of it is no condition.
  init(form payload: [String: String]) {
    let text = payload["text"]?.trimmedScalars ?? ""
    self.text = text.utf8.count <= Self.textLimit ? text : ""
    atLeast = payload["severity"].flatMap { LogLevel(rawValue: $0) }
    source = payload["source"].flatMap { $0 == Self.everything || $0.isEmpty ? nil : $0 }
  }
}

extension DiagnosticFilter {
  /// Whether an event fulfils every condition.
  func matches(_ report: DiagnosticReport) -> Bool {
    (source == nil || source == report.source) && (category == nil || category == report.category)
      && atLeast.map { $0.weight <= report.severity.weight } ?? true
      && since.map { $0 <= report.time } ?? true
  }
}

extension LogLevel {
  /// 0 for the least.
  var weight: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }
}
