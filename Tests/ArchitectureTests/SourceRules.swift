/// What one file of Swift says that the rules look at. Comments and string literals are left out first.
enum SourceRules {
  /// The code alone: comments and the insides of string literals become spaces, lines stay.
  static func code(of text: String) -> String {
    var result = ""
    var rest = Substring(text)
    while let character = rest.first {
      if rest.hasPrefix("//") {
        rest = rest.drop { $0 != "\n" }
      } else if rest.hasPrefix("/*") {
        rest.removeFirst(2)
        var depth = 1
        while depth > 0, let next = rest.first {
          if rest.hasPrefix("*/") {
            depth -= 1
            rest.removeFirst(2)
          } else if rest.hasPrefix("/*") {
            depth += 1
            rest.removeFirst(2)
          } else {
            if next == "\n" { result.append("\n") }
            rest.removeFirst()
          }
        }
      } else if let end = literalEnd(rest) {
        result.append("\"\"")
        result += rest[..<end].filter { $0 == "\n" }
        rest = rest[end...]
      } else {
        result.append(character)
        rest.removeFirst()
      }
    }
    return result
  }

  /// The end of a string literal that starts here, with `#` and `"""` forms.
  private static func literalEnd(_ text: Substring) -> Substring.Index? {
    let hashes = text.prefix { $0 == "#" }
    let opened = text.dropFirst(hashes.count)
    guard opened.first == "\"" else { return nil }
    let quote = opened.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
    let escape = "\\" + hashes
    var rest = opened.dropFirst(quote.count)
    while !rest.isEmpty {
      if rest.hasPrefix(quote + hashes) {
        return rest.index(rest.startIndex, offsetBy: quote.count + hashes.count)
      }
      rest = rest.dropFirst(rest.hasPrefix(escape) ? escape.count + 1 : 1)
    }
    return text.endIndex
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
