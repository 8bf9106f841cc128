/// Names modules in a policy: an exact ID, or segments of which `*` stands for any one, a trailing `*` for one
/// or more. IDs compare without ASCII case.
public struct ModulePattern: Sendable, Hashable {
  /// As the policy writes it.
  public let text: String
  /// Whether it names one ID.
  public let isExact: Bool
  /// The text in lower case.
  let folded: [UInt8]
  private let segments: [[UInt8]]

  private static let any = [UInt8(ascii: "*")]

  /// Reads a pattern; the error is one line for people.
  public init(_ text: String) throws(ModulePatternFault) {
    let folded = Self.folded(text)
    let segments = folded.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map(Array.init)
    for (index, segment) in segments.enumerated() where segment != Self.any {
      guard let first = segment.first else { throw ModulePatternFault(reason: "an empty segment") }
      if segment.contains(UInt8(ascii: "*")) {
        throw ModulePatternFault(reason: "\"*\" stands for whole segments, as in \"com.example.*\"")
      }
      guard Self.isLetter(first),
        segment.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || (index > 0 && $0 == UInt8(ascii: "-")) }
        )
      else {
        throw ModulePatternFault(
          reason: "a segment is a letter, then letters, digits and (not in the first) hyphens")
      }
    }
    let exact = !segments.contains(Self.any)
    if exact, segments.count < 2 {
      throw ModulePatternFault(reason: "a module ID has two segments or more, as in \"com.example\"")
    }
    if segments.first == Array("forsetti".utf8) {
      throw ModulePatternFault(reason: "\"forsetti.\" is reserved, no module has such an ID")
    }
    self.text = text
    self.folded = folded
    self.segments = segments
    isExact = exact
  }

  /// Whether the pattern names this module.
  public func matches(_ moduleID: String) -> Bool {
    matches(folded: Self.folded(moduleID))
  }

  /// The same for an ID already folded, so that many patterns share the work.
  func matches(folded id: [UInt8]) -> Bool {
    var start = 0
    for (index, segment) in segments.enumerated() {
      guard start <= id.count else { return false }
      let end = id[start...].firstIndex(of: UInt8(ascii: ".")) ?? id.count
      let isLast = index == segments.count - 1
      if segment == Self.any {
        guard end > start else { return false }
        if isLast { return true }
      } else if !id[start..<end].elementsEqual(segment) {
        return false
      }
      start = end + 1
    }
    return start == id.count + 1
  }

  /// Which of two patterns decides where both match: an exact ID beats a pattern, a longer pattern a shorter.
  /// Equal precedence is settled by what they say.
  public var precedence: Precedence {
    Precedence(isExact: isExact, length: text.utf8.count)
  }

  /// The rank of a pattern.
  public struct Precedence: Sendable, Hashable, Comparable {
    let isExact: Bool
    let length: Int

    /// Whether the left one yields to the right one.
    public static func < (left: Precedence, right: Precedence) -> Bool {
      if left.isExact != right.isExact { return right.isExact }
      return !left.isExact && left.length < right.length
    }

    /// Exact patterns rank alike: two that match one ID are the same.
    public static func == (left: Precedence, right: Precedence) -> Bool {
      left.isExact == right.isExact && (left.isExact || left.length == right.length)
    }

    /// Agrees with `==`.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(isExact)
      hasher.combine(isExact ? 0 : length)
    }
  }

  /// Patterns that differ in case only are the same.
  public static func == (left: ModulePattern, right: ModulePattern) -> Bool {
    left.segments == right.segments
  }

  /// Agrees with `==`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(segments)
  }

  /// ASCII letters in lower case, all else unchanged.
  static func folded(_ text: String) -> [UInt8] {
    text.utf8.map(folded)
  }

  static func folded(_ byte: UInt8) -> UInt8 {
    isUpper(byte) ? byte | 0x20 : byte
  }

  private static func isUpper(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }
  private static func isLetter(_ byte: UInt8) -> Bool { isUpper(byte & 0xDF) && byte & 0x80 == 0 }
  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}

/// Why a text is no module pattern.
public struct ModulePatternFault: Error, Sendable, Hashable {
  /// One line.
  public var reason: String
}
