import ForsettiCore

/// The smallest parts of a filter.
enum RSQLToken: Sendable, Equatable {
  /// A selector, an unquoted value, or the words `and` and `or`.
  case word(String)
  /// A value in quotes, unescaped.
  case quoted(String)
  case comparator(RSQLComparator)
  case open
  case close
  /// `;`
  case and
  /// `,`
  case or
  case end

  /// Its name in a fault.
  var shown: String {
    switch self {
    case .word(let text), .quoted(let text): text.isEmpty ? "an empty text" : text.quoted()
    case .comparator: "an operator"
    case .open: "\"(\""
    case .close: "\")\""
    case .and: "\";\""
    case .or: "\",\""
    case .end: "the end"
    }
  }
}

/// Cuts a filter into tokens, one at a time.
struct RSQLLexer {
  private let bytes: [UInt8]
  /// The byte it looks at next.
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next token and where it begins.
  mutating func next() throws(RSQLFault) -> (token: RSQLToken, offset: Int) {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    let start = position
    guard position < bytes.count else { return (.end, start) }
    switch bytes[position] {
    case UInt8(ascii: "("): return (single(.open), start)
    case UInt8(ascii: ")"): return (single(.close), start)
    case UInt8(ascii: ";"): return (single(.and), start)
    case UInt8(ascii: ","): return (single(.or), start)
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return (.quoted(try quoted()), start)
    case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "~"):
      return (.comparator(try comparator()), start)
    default: return (word(), start)
    }
  }

  private mutating func single(_ token: RSQLToken) -> RSQLToken {
    position += 1
    return token
  }

  private mutating func word() -> RSQLToken {
    let start = position
    while position < bytes.count, !Self.isReserved(bytes[position]) { position += 1 }
    return .word(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  /// A backslash takes the next byte as it is.
  private mutating func quoted() throws(RSQLFault) -> String {
    let start = position
    let quote = bytes[start]
    var text: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard position < bytes.count else { break }
      text.append(bytes[position])
      position += 1
    }
    throw RSQLFault(reason: .unclosedQuote, offset: start)
  }

  /// `==`, `!=`, `<`, `<=`, `>`, `>=` or `=name=`.
  private mutating func comparator() throws(RSQLFault) -> RSQLComparator {
    let start = position
    var end = start + 1
    if bytes[start] == UInt8(ascii: "=") {
      while end < bytes.count, Self.isLetter(bytes[end]) { end += 1 }
    }
    if end < bytes.count, bytes[end] == UInt8(ascii: "=") { end += 1 }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    guard let known = RSQLComparator.allCases.first(where: { $0.spellings.contains(text) }) else {
      throw RSQLFault(reason: .unknownOperator(text), offset: start)
    }
    position = end
    return known
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// rsql-parser's reserved characters.
  private static func isReserved(_ byte: UInt8) -> Bool {
    isSpace(byte) || "\"'();,=!~<>".utf8.contains(byte)
  }
}
