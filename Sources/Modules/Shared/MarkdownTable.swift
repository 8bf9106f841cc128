internal import ForsettiModuleKit

/// Tables of Markdown, and the texts in them.
enum MarkdownTable {
  /// Scalars of one cell at most.
  private static let cellLimit = 1_000

  /// The lines of a table; each row has as many cells as there are columns.
  static func lines(columns: [String], rows: some Sequence<[String]>) -> [String] {
    let rule = columns.map { _ in "---" }
    return [line(columns.map(escaped)), line(rule)] + rows.map { line($0.map(escaped)) }
  }

  private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

  /// A text on one line that neither leaves its cell nor becomes markup: names of devices are anybody's. Breaks of lines stay
  /// as such, what would move a reader's cursor or reorder the text is a space.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    var previous: Unicode.Scalar?
    for (count, scalar) in text.trimmedScalars.unicodeScalars.enumerated() {
      if count == cellLimit { return escaped + "…" }
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r": escaped += "<br>"
      case _ where scalar.isUnfitForDisplay: escaped += " "
      default:
        if "\\|`*_[]<>!#~&".unicodeScalars.contains(scalar) { escaped += "\\" }
        escaped.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return escaped
  }
}
