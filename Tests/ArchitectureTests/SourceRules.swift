/// What one file of Swift says that the rules look at. Comments and string literals are left out first.
enum SourceRules {
  /// The code alone: comments and the insides of string literals are left out, lines stay.
  static func code(of text: String) -> String {
    let bytes = Array(text.utf8)
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    var at = 0
    while at < bytes.count {
      let end = commentEnd(bytes, at) ?? literalEnd(bytes, at)
      guard let end else {
        kept.append(bytes[at])
        at += 1
        continue
      }
      kept += bytes[at..<end].filter { $0 == newline }
      at = end
    }
    return String(decoding: kept, as: UTF8.self)
  }

  private static let newline = UInt8(ascii: "\n")
  private static let hash = UInt8(ascii: "#")
  private static let quote = UInt8(ascii: "\"")

  private static func has(_ word: String, _ bytes: [UInt8], _ at: Int) -> Bool {
    bytes[at...].starts(with: word.utf8)
  }

  /// The end of a comment that starts here; comments nest.
  private static func commentEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
    guard bytes[start] == UInt8(ascii: "/") else { return nil }
    if has("//", bytes, start) { return bytes[start...].firstIndex(of: newline) ?? bytes.count }
    guard has("/*", bytes, start) else { return nil }
    var depth = 0
    var at = start
    while at < bytes.count {
      if has("/*", bytes, at) {
        depth += 1
        at += 2
      } else if has("*/", bytes, at) {
        depth -= 1
        at += 2
        if depth == 0 { return at }
      } else {
        at += 1
      }
    }
    return bytes.count
  }

  /// The end of a string literal that starts here, with `#` and `"""` forms.
  private static func literalEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
    guard bytes[start] == quote || bytes[start] == hash else { return nil }
    let hashes = String(decoding: bytes[start...].prefix { $0 == hash }, as: UTF8.self)
    var at = start + hashes.utf8.count
    guard at < bytes.count, bytes[at] == quote else { return nil }
    let opening = has("\"\"\"", bytes, at) ? "\"\"\"" : "\""
    let closing = opening + hashes
    let escape = "\\" + hashes
    at += opening.utf8.count
    while at < bytes.count {
      if has(closing, bytes, at) { return at + closing.utf8.count }
      at += has(escape, bytes, at) ? escape.utf8.count + 1 : 1
    }
    return bytes.count
  }

  /// The modules a file imports.
  static func imports(of code: String) -> [String] {
    code.matches(
      of:
        #/(?m)^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|internal|package|private|fileprivate)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/#
    ).map { String($0.1) }
  }

  /// Classes that are neither final nor open to be subclassed on purpose.
  static func classesNotFinal(in code: String) -> [String] {
    code.split(separator: "\n").compactMap { line in
      guard let match = line.firstMatch(of: #/\bclass\s+([A-Z]\w*)/#) else { return nil }
      return line.contains("final ") ? nil : String(match.1)
    }
  }

  /// Words that may not stay: what is left open, and what ends the process where input decides.
  static func forbiddenWords(in file: SourceTree.File) -> [String] {
    let code = code(of: file.text)
    var found = ["fatalError(", "try!", "as!"].filter { code.contains($0) }
    found += file.text.matches(of: #/\b(TODO|FIXME|XXX)\b/#).map { String($0.1) }
    return found
  }
}
