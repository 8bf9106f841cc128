/// Adds to a JSON text in place, so that all else in it stays as somebody wrote it.
enum JSONInsertion {
  /// The text with one child more, at the end of an object or array, laid out as the child before it.
  /// - Parameters:
  ///   - child: a member as `"key": value`, or an element.
  ///   - container: an object or array as `JSONParser` has read it from this text.
  static func adding(_ child: String, to container: JSONValue, in bytes: [UInt8]) -> [UInt8] {
    // Offsets count from behind a byte order mark.
    let base = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let last = lastChild(of: container) else {
      let place = base + container.offset + 1
      // `{}` becomes `{ "key": value }`, `[]` becomes `["element"]`.
      let isTight = place < bytes.count && bytes[place] == UInt8(ascii: "}")
      let space = isTight ? " " : ""
      return inserting(space + child + space, at: place, in: bytes)
    }
    let separator = "," + layout(before: base + last.start, in: bytes)
    return inserting(separator + child, at: end(of: base + last.value.offset, in: bytes), in: bytes)
  }

  private static func lastChild(of container: JSONValue) -> (start: Int, value: JSONValue)? {
    container.members?.last.map { ($0.keyOffset, $0.value) }
      ?? container.elements?.last.map { ($0.offset, $0) }
  }

  private static func inserting(_ text: String, at place: Int, in bytes: [UInt8]) -> [UInt8] {
    Array(bytes[..<place]) + Array(text.utf8) + Array(bytes[place...])
  }

  /// The white space before a child from its last line end on, which may be CR LF; a space where there is none.
  private static func layout(before start: Int, in bytes: [UInt8]) -> String {
    let before = bytes[..<start]
    let space = before.suffix(from: before.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? before.startIndex)
    guard var lineEnd = space.lastIndex(of: UInt8(ascii: "\n")) else { return " " }
    if lineEnd > space.startIndex, bytes[lineEnd - 1] == UInt8(ascii: "\r") { lineEnd -= 1 }
    return String(decoding: space[lineEnd...], as: UTF8.self)
  }

  /// Where a value ends that begins at `start`.
  private static func end(of start: Int, in bytes: [UInt8]) -> Int {
    var (index, depth) = (start, 0)
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index = endOfString(from: index, in: bytes)
        if depth == 0 { return index }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // Of a number or a word this is the end of what it stands in.
        if depth == 0 { return index }
        depth -= 1
        if depth == 0 { return index + 1 }
      case let byte where depth == 0 && (byte == UInt8(ascii: ",") || isSpace(byte)): return index
      default: break
      }
      index += 1
    }
    return bytes.count
  }

  private static func endOfString(from quote: Int, in bytes: [UInt8]) -> Int {
    var index = quote + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
  }
}
