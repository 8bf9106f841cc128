internal import ForsettiModuleKit

/// Reads CSV (RFC 4180) from strangers: quotes, line breaks in quotes, either kind of line end, a byte order mark. Bounded,
/// and each fault has its place.
struct CSVReader {
  /// A cell, and where it begins.
  struct Cell: Sendable, Hashable {
    var text: String
    var position: TextPosition
  }

  /// What may be read at most.
  struct Limits: Sendable {
    /// Bytes of the whole text.
    var bytes = 256 << 10
    /// Rows, the titles among them.
    var rows = 2_001
    /// Cells of a row.
    var columns = 64
    /// Bytes of a cell.
    var cellBytes = 1_024
  }

  private let bytes: [UInt8]
  private let separator: UInt8
  private let limits: Limits
  private var place = 0
  private var position = TextPosition(line: 1, column: 1)

  /// All rows of a text that are not empty. Rows may differ in length; whether that is a fault is for the caller to say.
  static func rows(of text: String, limits: Limits = Limits()) throws(CSVFault) -> [[Cell]] {
    let start = TextPosition(line: 1, column: 1)
    guard text.utf8.count <= limits.bytes else { throw CSVFault(start, .textTooLong(bytes: limits.bytes)) }
    var bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    var reader = CSVReader(bytes, limits)
    var rows: [[Cell]] = []
    while reader.place < reader.bytes.count {
      let start = reader.position
      let row = try reader.row()
      // An empty line holds one empty cell.
      guard row.count > 1 || row.first?.text.isEmpty == false else { continue }
      guard rows.count < limits.rows else { throw CSVFault(start, .tooManyRows(limits.rows)) }
      rows.append(row)
    }
    return rows
  }

  private init(_ bytes: [UInt8], _ limits: Limits) {
    self.bytes = bytes
    self.limits = limits
    separator = Self.separator(of: bytes)
  }

  /// Spreadsheets of some countries separate by semicolons, and some by tabs: whichever the first line has first.
  private static func separator(of bytes: [UInt8]) -> UInt8 {
    var isQuoted = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"): if !isQuoted { return byte }
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): if !isQuoted { return UInt8(ascii: ",") }
      default: break
      }
    }
    return UInt8(ascii: ",")
  }

  private mutating func row() throws(CSVFault) -> [Cell] {
    var cells: [Cell] = []
    while true {
      guard cells.count < limits.columns else { throw CSVFault(position, .tooManyColumns(limits.columns)) }
      cells.append(try cell())
      guard let byte = current else { return cells }
      advance()
      switch byte {
      case separator: continue
      case UInt8(ascii: "\r"):
        if current == UInt8(ascii: "\n") { advance() }
        return cells
      default: return cells
      }
    }
  }

  /// Up to, and not including, what ends it.
  private mutating func cell() throws(CSVFault) -> Cell {
    let start = position
    guard current == UInt8(ascii: "\"") else { return Cell(text: try plain(from: start), position: start) }
    return Cell(text: try quoted(from: start), position: start)
  }

  private mutating func plain(from start: TextPosition) throws(CSVFault) -> String {
    var content: [UInt8] = []
    while let byte = current, !endsCell(byte) {
      guard byte != UInt8(ascii: "\"") else { throw CSVFault(position, .quoteInText) }
      try keep(byte, in: &content, from: start)
    }
    return String(decoding: content, as: UTF8.self).trimmedScalars
  }

  private mutating func quoted(from start: TextPosition) throws(CSVFault) -> String {
    var content: [UInt8] = []
    advance()
    while let byte = current {
      if byte == UInt8(ascii: "\"") {
        advance()
        if current != UInt8(ascii: "\"") {
          guard current.map(endsCell) ?? true else { throw CSVFault(position, .textAfterQuote) }
          return String(decoding: content, as: UTF8.self)
        }
      }
      try keep(byte, in: &content, from: start)
    }
    throw CSVFault(start, .unclosedQuote)
  }

  private mutating func keep(_ byte: UInt8, in content: inout [UInt8], from start: TextPosition)
    throws(CSVFault)
  {
    guard byte != 0 else { throw CSVFault(position, .noText) }
    guard content.count < limits.cellBytes else {
      throw CSVFault(start, .cellTooLong(bytes: limits.cellBytes))
    }
    content.append(byte)
    advance()
  }

  private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func endsCell(_ byte: UInt8) -> Bool {
    byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  private mutating func advance() {
    guard let byte = current else { return }
    place += 1
    let isLineEnd =
      byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && current != UInt8(ascii: "\n"))
    if isLineEnd {
      position = TextPosition(line: position.line + 1, column: 1)
    } else if byte & 0xC0 != 0x80 {
      // Columns are Unicode scalars: bytes that continue one don't count.
      position.column += 1
    }
  }
}

/// What is wrong with a text that should be CSV, and where.
struct CSVFault: Error, Sendable, Hashable {
  enum Reason: Sendable, Hashable {
    case textTooLong(bytes: Int)
    case tooManyRows(Int)
    case tooManyColumns(Int)
    case cellTooLong(bytes: Int)
    /// A quote in a cell that doesn't begin with one.
    case quoteInText
    case textAfterQuote
    case unclosedQuote
    /// A byte of zero: this is no text.
    case noText
  }

  var position: TextPosition
  var reason: Reason

  init(_ position: TextPosition, _ reason: Reason) { (self.position, self.reason) = (position, reason) }

  /// What is wrong, and what mends it.
  var text: String {
    switch reason {
    case .textTooLong(let bytes): "The text has more than \(bytes) bytes; import a part of it at a time."
    case .tooManyRows(let count): "There are more than \(count - 1) rows; import a part of them at a time."
    case .tooManyColumns(let count): "A row has more than \(count) cells; remove columns that nobody needs."
    case .cellTooLong(let bytes): "This cell has more than \(bytes) bytes; shorten it."
    case .quoteInText: "A quote stands within a cell; put the cell in quotes and double the quote."
    case .textAfterQuote: "Text follows the quote that ends a cell; a quote within must be doubled."
    case .unclosedQuote: "The quote that begins this cell is never closed."
    case .noText: "There is a zero byte; this is no text."
    }
  }
}
