/// How texts of unknown origin get into a log line: bounded, on one line, unable to move a cursor, to reorder
/// what is shown, or to pass for another field.
enum LogText {
  /// Bytes of UTF-8 that are kept of a message.
  static let messageLimit = 16 << 10
  /// Bytes of UTF-8 that are kept of a metadata key or value.
  static let valueLimit = 1 << 10
  /// Pairs that are kept of a record's metadata.
  static let pairLimit = 64

  /// Pairs sorted by key; what exceeds the limit is left out.
  static func sorted(_ metadata: [String: String]) -> ArraySlice<(key: String, value: String)> {
    metadata.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.prefix(pairLimit)
  }

  /// The text, or what fits of it and an ellipsis.
  static func cut(_ text: String, limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    return String(text.unicodeScalars.prefix(fitting(text, limit: limit))) + "…"
  }

  /// Appends a text for people: what is unfit for display as `\n`, `\t`, `\u{…}`.
  static func appendEscaped(_ text: String, limit: Int, quoted: Bool = false, to line: inout [UInt8]) {
    let shown = fitting(text, limit: limit)
    for (index, scalar) in text.unicodeScalars.enumerated() {
      guard index < shown else {
        line += "…".utf8
        return
      }
      switch scalar {
      case "\n": line += "\\n".utf8
      case "\r": line += "\\r".utf8
      case "\t": line += "\\t".utf8
      case "\\": line += "\\\\".utf8
      case "\"" where quoted: line += "\\\"".utf8
      case _ where scalar.isUnfitForDisplay:
        line += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".utf8
      default: line += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
  }

  /// Appends a metadata value: as it is if it is one plain word, in quotes otherwise.
  static func appendValue(_ text: String, to line: inout [UInt8]) {
    append(text, isPlain: !text.isEmpty && text.unicodeScalars.allSatisfy(isWordScalar), to: &line)
  }

  /// Appends a metadata key; `module` is ours, so another's `module` is shown in quotes.
  static func appendKey(_ text: String, to line: inout [UInt8]) {
    let isPlain = !text.isEmpty && text != "module" && text.unicodeScalars.allSatisfy(isWordScalar)
    append(text, isPlain: isPlain, to: &line)
  }

  private static func append(_ text: String, isPlain: Bool, to line: inout [UInt8]) {
    if !isPlain { line.append(UInt8(ascii: "\"")) }
    appendEscaped(text, limit: valueLimit, quoted: !isPlain, to: &line)
    if !isPlain { line.append(UInt8(ascii: "\"")) }
  }

  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", "\"", "\\", "=", "[", "]": false
    default: !scalar.isUnfitForDisplay && !scalar.properties.isWhitespace
    }
  }

  /// How many scalars of the text fit in so many bytes of UTF-8.
  private static func fitting(_ text: String, limit: Int) -> Int {
    var bytes = 0
    var count = 0
    for scalar in text.unicodeScalars {
      bytes += UTF8.width(scalar)
      if bytes > limit { break }
      count += 1
    }
    return count
  }
}
