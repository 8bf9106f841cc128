/// A text with `*` for anything, compared without regard to case, as Jamf's database does.
struct TextPattern: Sendable, Equatable {
  /// What stands between the stars, lower-cased.
  private let parts: [[UInt8]]

  init(_ text: String) {
    parts = text.lowercased().utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
      .map(Array.init)
  }

  /// Whether a text, in lower case, is of this form.
  func matches(_ text: [UInt8]) -> Bool {
    guard let first = parts.first, let last = parts.last else { return false }
    guard parts.count > 1 else { return text == first }
    guard text.count >= first.count + last.count, text.starts(with: first),
      text.suffix(last.count).elementsEqual(last)
    else { return false }
    var rest = text[first.count..<(text.count - last.count)]
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let end = Self.end(of: part, in: rest) else { return false }
      rest = rest[end...]
    }
    return true
  }

  /// Behind the first place where a part stands. The leftmost leaves most for the parts that follow.
  private static func end(of part: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
    guard text.count >= part.count else { return nil }
    for start in text.startIndex...(text.endIndex - part.count)
    where text[start] == part[0] && text[start..<(start + part.count)].elementsEqual(part) {
      return start + part.count
    }
    return nil
  }
}
