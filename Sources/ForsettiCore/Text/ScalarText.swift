/// Comparison of texts by Unicode scalars. Swift's `==` on strings holds canonically equivalent texts equal,
/// which would let two different keys of a file, or two different IDs, pass for one another.
extension String {
  /// Whether both texts are the same sequence of scalars.
  public func hasSameScalars(as other: String) -> Bool {
    // The count is at hand and tells most texts apart.
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }

  /// Whether the text is empty or Unicode white space only.
  public var isBlank: Bool {
    unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        ? scalar == " " || (scalar.value >= 0x09 && scalar.value <= 0x0D) : scalar.properties.isWhitespace
    }
  }

  /// The text without Unicode white space at either end.
  public var trimmedScalars: String {
    // No ASCII character above the space is white space: the usual text is already trimmed.
    if let first = utf8.first, let last = utf8.last, first > 0x20, first < 0x7F, last > 0x20, last < 0x7F {
      return self
    }
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }

  /// The text in double quotes, made safe to show on one line: as `plain`, with quotes and backslashes escaped.
  public func quoted(limit: Int = 80) -> String {
    "\"" + shown(limit: limit, escaping: ["\"", "\\"]) + "\""
  }

  /// The text made safe to show on one line: control and bidirectional characters are escaped, and what exceeds
  /// `limit` scalars is cut.
  public func plain(limit: Int = 200) -> String { shown(limit: limit, escaping: []) }

  private func shown(limit: Int, escaping marks: [Unicode.Scalar]) -> String {
    var text = ""
    for (count, scalar) in unicodeScalars.enumerated() {
      if count == limit { return text + "…" }
      if marks.contains(scalar) {
        text.unicodeScalars.append("\\")
        text.unicodeScalars.append(scalar)
      } else if scalar.isUnfitForDisplay {
        text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Controls (Cc), line and paragraph separators, and the characters that reorder text (Unicode UAX #9:
  /// embeddings, overrides, isolates, marks): none belongs into a text that a person reads.
  public var isUnfitForDisplay: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether a text of a manifest or a module must not hold it: controls, separators of lines, and what opens or
  /// closes a direction. The marks U+200E, U+200F and U+061C may stay: right-to-left names need them, and they
  /// reorder nothing beyond their own place.
  public var isHidden: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F: false
    default: isUnfitForDisplay
    }
  }
}

/// A text that hashes and compares by its scalars, for sets and dictionaries.
public struct ScalarText: Sendable, Hashable {
  /// The text itself.
  public let text: String

  /// Wraps a text.
  public init(_ text: String) { self.text = text }

  /// Same scalars, not merely canonically equivalent ones.
  public static func == (left: ScalarText, right: ScalarText) -> Bool {
    left.text.hasSameScalars(as: right.text)
  }

  /// Hashes the UTF-8 form.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}
