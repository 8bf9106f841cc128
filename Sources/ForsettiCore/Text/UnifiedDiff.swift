/// The difference of two texts in the form that patch(1) and `git apply` take, with one hunk from the first line that
/// differs to the last.
public struct UnifiedDiff: Sendable, Hashable {
  /// A line of the new text that the old one does not have.
  public struct AddedLine: Sendable, Hashable {
    /// Where it stands in the new text, 1-based.
    public var number: Int
    /// Without its line end.
    public var text: String
  }

  /// Header and hunk; empty where nothing differs.
  public let text: String
  /// The lines with a `+`.
  public let added: [AddedLine]

  private static let context = 3

  /// Compares two texts.
  /// - Parameter name: the file's path for both headers.
  public init(from old: [UInt8], to new: [UInt8], name: String) {
    let (before, after) = (Self.lines(of: old), Self.lines(of: new))
    guard before != after else {
      text = ""
      added = []
      return
    }
    let shortest = min(before.count, after.count)
    let head = (0..<shortest).first { before[$0] != after[$0] } ?? shortest
    let rest = shortest - head
    let tail = (0..<rest).first { before[before.count - 1 - $0] != after[after.count - 1 - $0] } ?? rest
    let start = max(0, head - Self.context)
    let reach = min(tail, Self.context)
    let removed = before[head..<(before.count - tail)]
    let inserted = after[head..<(after.count - tail)]
    let file = Self.quoted(name)
    var diff = "--- \(file)\n+++ \(file)\n"
    diff +=
      "@@ -\(Self.range(start, before.count - tail + reach)) +\(Self.range(start, after.count - tail + reach)) @@\n"
    diff += before[start..<head].map { Self.shown(" ", $0) }.joined()
    diff += removed.map { Self.shown("-", $0) }.joined() + inserted.map { Self.shown("+", $0) }.joined()
    diff += after[(after.count - tail)..<(after.count - tail + reach)].map { Self.shown(" ", $0) }.joined()
    text = diff
    added = zip(inserted.indices, inserted).map { index, line in
      AddedLine(
        number: index + 1, text: String(decoding: line.filter { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self))
    }
  }

  /// Each line with its end; the last one may have none.
  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
      lines.append(rest[..<end])
      rest = rest[end...]
    }
    return lines
  }

  /// First line and count. Of no lines the form names the line before them.
  private static func range(_ start: Int, _ end: Int) -> String {
    "\(end == start ? start : start + 1),\(end - start)"
  }

  private static func shown(_ mark: String, _ line: ArraySlice<UInt8>) -> String {
    let text = mark + String(decoding: line, as: UTF8.self)
    return line.last == UInt8(ascii: "\n") ? text : text + "\n\\ No newline at end of file\n"
  }

  /// The name as git quotes it where it must; a tab tells patch(1) where a name with spaces ends.
  private static func quoted(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return name.utf8.contains(UInt8(ascii: " ")) ? name + "\t" : name }
    let escaped = name.utf8.map { byte -> String in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
      case 0x20..<0x7F: String(UnicodeScalar(byte))
      default: "\\" + octal(byte)
      }
    }
    return "\"" + escaped.joined() + "\""
  }

  private static func octal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 8)
    return String(repeating: "0", count: 3 - digits.count) + digits
  }
}
