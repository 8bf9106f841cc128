/// Rows as CSV (RFC 4180) that are safe to open in a spreadsheet: a text from a device is never taken for a formula.
///
/// A document that would be larger than an export may be goes on in a next one, which begins with the titles again.
struct CSVWriter {
  private let header: [UInt8]
  private let limit: Int
  private var finished: [[UInt8]] = []
  private var current: [UInt8]

  /// Begins with a row of titles.
  /// - Parameter documentLimit: bytes of one document at most, unless a single row is longer.
  init(columns: [String], documentLimit: Int = DocumentParts.documentLimit) {
    header = Self.line(columns)
    limit = documentLimit
    current = header
  }

  /// Adds a row; it has as many cells as there are titles.
  mutating func add(_ cells: [String]) {
    let line = Self.line(cells)
    if current.count + line.count > limit, current.count > header.count {
      finished.append(current)
      current = header
    }
    current += line
  }

  /// All of it, in UTF-8: one document as a rule, several where one would be too large.
  var documents: [[UInt8]] { finished + [current] }

  // MARK: - Cells

  private static func line(_ cells: [String]) -> [UInt8] {
    var line: [UInt8] = []
    for (place, cell) in cells.enumerated() {
      if place > 0 { line.append(UInt8(ascii: ",")) }
      line += quoted(guarded(cell)).utf8
    }
    line += "\r\n".utf8
    return line
  }

  /// The text with an apostrophe where a spreadsheet would compute what follows: at its beginning, and behind what some
  /// spreadsheets take for the end of a cell, quoted or not. Plain numbers stay as they are: there is nothing in them to
  /// compute.
  static func guarded(_ cell: String) -> String {
    if isNumber(cell) { return cell }
    var guarded = ""
    var isAtStart = true
    for scalar in cell.unicodeScalars {
      if isAtStart, beginsFormula(scalar) { guarded += "'" }
      guarded.unicodeScalars.append(scalar)
      isAtStart = endsCell(scalar) || isAtStart && (scalar == " " || scalar == "\"")
    }
    return guarded
  }

  private static func endsCell(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ",", ";", "\t", "\r", "\n": true
    default: false
    }
  }

  /// The full-width forms are what an East Asian keyboard types, and some spreadsheets take them for the plain ones. A tab
  /// or a return before a formula is dropped by others.
  private static func beginsFormula(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
    default: false
    }
  }

  private static func isNumber(_ cell: String) -> Bool {
    var digits = 0
    var points = 0
    for byte in cell.utf8.dropFirst() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "."): points += 1
      default: return false
      }
    }
    return digits > 0 && points <= 1
      && (cell.utf8.first == UInt8(ascii: "-") || cell.utf8.first == UInt8(ascii: "+"))
  }

  /// In quotes where a separator, a quote or a line break is in it. Semicolons and tabs separate cells in some countries.
  private static func quoted(_ cell: String) -> String {
    guard cell.utf8.contains(where: needsQuotes) else { return cell }
    var text = "\""
    for scalar in cell.unicodeScalars {
      if scalar == "\"" { text += "\"" }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\""), 0x09, 0x0A, 0x0D: true
    default: false
    }
  }
}
