/// Writes a tree as JSON text that is also safe to print on a terminal.
public enum JSONWriter {
  /// How the text is laid out.
  public enum Style: Sendable {
    /// No white space at all: one document a line.
    case compact
    /// Two spaces a level, one member or element a line.
    case pretty
  }

  /// The text; no line break follows it.
  public static func text(_ value: JSONValue, style: Style = .compact) -> String {
    String(decoding: bytes(value, style: style), as: UTF8.self)
  }

  /// Whether a byte of UTF-8 stands for itself in a string.
  public static func isOrdinary(_ byte: UInt8) -> Bool { JSONEscape.isOrdinary(byte) }

  /// The text as UTF-8.
  public static func bytes(_ value: JSONValue, style: Style = .compact) -> [UInt8] {
    var output: [UInt8] = []
    write(value, style, level: 0, into: &output)
    return output
  }

  private static func write(_ value: JSONValue, _ style: Style, level: Int, into output: inout [UInt8]) {
    switch value.content {
    case .null: output += "null".utf8
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .number(let number):
      output +=
        (number.integer.map { String($0) } ?? number.large.map { String($0) } ?? number.ecmaScriptText).utf8
    case .string(let text): quote(text, into: &output)
    case .array(let elements):
      bracket("[", "]", elements, style, level, into: &output) { element, output in
        write(element, style, level: level + 1, into: &output)
      }
    case .object(let members):
      bracket("{", "}", members, style, level, into: &output) { member, output in
        quote(member.key, into: &output)
        output += (style == .pretty ? ": " : ":").utf8
        write(member.value, style, level: level + 1, into: &output)
      }
    }
  }

  private static func bracket<Item>(
    _ open: String, _ close: String, _ items: [Item], _ style: Style, _ level: Int,
    into output: inout [UInt8], each: (Item, inout [UInt8]) -> Void
  ) {
    func startLine(_ level: Int) {
      guard style == .pretty, !items.isEmpty else { return }
      output.append(UInt8(ascii: "\n"))
      output += repeatElement(UInt8(ascii: " "), count: level * 2)
    }
    output += open.utf8
    for (index, item) in items.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      startLine(level + 1)
      each(item, &output)
    }
    startLine(level)
    output += close.utf8
  }

  /// Escapes what JSON must and, beyond it, what would move a terminal's cursor or reorder its text.
  private static func quote(_ text: String, into output: inout [UInt8]) {
    JSONEscape.quote(text, into: &output) { $0.isUnfitForDisplay }
  }
}

/// The canonical form of RFC 8785, over which manifests are hashed: two documents of one meaning have one hash.
public enum JSONCanonical {
  /// Canonical UTF-8 bytes: members sorted by UTF-16 code units, ECMAScript numbers, no white space.
  public static func encode(_ value: JSONValue) -> [UInt8] {
    var output: [UInt8] = []
    write(value, into: &output)
    return output
  }

  private static func write(_ value: JSONValue, into output: inout [UInt8]) {
    switch value.content {
    case .null: output += "null".utf8
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .number(let number): output += number.ecmaScriptText.utf8
    case .string(let text): quote(text, into: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        write(element, into: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      let sorted = members.sorted { precedes($0.key, $1.key) }
      for (index, member) in sorted.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        quote(member.key, into: &output)
        output.append(UInt8(ascii: ":"))
        write(member.value, into: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  private static func quote(_ text: String, into output: inout [UInt8]) {
    JSONEscape.quote(text, into: &output) { $0.value < 0x20 }
  }

  /// Order of UTF-16 code units, read off the UTF-8 form: it is the order of bytes but for scalars beyond the
  /// basic plane (F0 and above), whose surrogates come before U+E000 (EE and EF).
  private static func precedes(_ left: String, _ right: String) -> Bool {
    func rank(_ byte: UInt8) -> Int { byte == 0xEE || byte == 0xEF ? Int(byte) + 0x10 : Int(byte) }
    for (mine, other) in zip(left.utf8, right.utf8) where mine != other { return rank(mine) < rank(other) }
    return left.utf8.count < right.utf8.count
  }
}

/// The one way both writers put a text into quotes.
enum JSONEscape {
  static func quote(
    _ text: String, into output: inout [UInt8], escaping mustEscape: (Unicode.Scalar) -> Bool
  ) {
    output.append(UInt8(ascii: "\""))
    defer { output.append(UInt8(ascii: "\"")) }
    if text.utf8.allSatisfy(isOrdinary) {
      output += text.utf8
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\"".utf8
      case "\\": output += "\\\\".utf8
      case "\u{8}": output += "\\b".utf8
      case "\t": output += "\\t".utf8
      case "\n": output += "\\n".utf8
      case "\u{C}": output += "\\f".utf8
      case "\r": output += "\\r".utf8
      case _ where mustEscape(scalar):
        // Every scalar the writers escape lies below U+10000, so four digits hold it.
        let digits = String(scalar.value, radix: 16)
        output += "\\u".utf8
        output += repeatElement(UInt8(ascii: "0"), count: max(0, 4 - digits.utf8.count))
        output += digits.utf8
      case _ where scalar.isASCII: output.append(UInt8(truncatingIfNeeded: scalar.value))
      default: output += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
  }

  /// What no writer ever escapes.
  static func isOrdinary(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}
