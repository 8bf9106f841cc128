internal import ForsettiModuleKit

/// Dates as reports show and compare them: `2026-11-30`, whose order is that of their texts.
enum ReportDay {
  /// The date that a text begins with; another text as it is, nothing for a blank one.
  static func normalised(_ text: String?) -> String? {
    guard let text = text?.trimmedScalars, !text.isEmpty else { return nil }
    return day(beginning: text) ?? text
  }

  /// Whether a text is a date and nothing else.
  static func isDay(_ text: String) -> Bool { text.utf8.count == length && day(beginning: text) != nil }

  private static let length = 10

  private static func day(beginning text: String) -> String? {
    guard let beginning = String(text.utf8.prefix(length)) else { return nil }
    return CivilTime(iso8601: beginning)?.dateText
  }
}
