extension SemVer: Comparable, CustomStringConvertible {
  /// SemVer 2.0 §11: major, minor, patch; a prerelease comes before its release; identifiers one by one,
  /// numbers before words and by value, words by ASCII, the longer list last.
  public static func < (left: SemVer, right: SemVer) -> Bool {
    if left.major != right.major { return left.major < right.major }
    if left.minor != right.minor { return left.minor < right.minor }
    if left.patch != right.patch { return left.patch < right.patch }
    guard let leftPrerelease = left.prerelease else { return false }
    guard let rightPrerelease = right.prerelease else { return true }
    return isPrerelease(leftPrerelease, before: rightPrerelease)
  }

  /// `major.minor.patch`, and `-prerelease` where there is one.
  public var description: String {
    "\(major).\(minor).\(patch)" + (prerelease.map { "-" + $0 } ?? "")
  }

  /// Reads `major.minor.patch[-prerelease]` as code and people write it; manifests use an object instead.
  /// Build metadata (`+…`) is refused: it takes no part in the order, and no manifest can carry it.
  public static func parse(_ text: String) throws(SemVerParseError) -> SemVer {
    let halves = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = halves[0].split(separator: ".", omittingEmptySubsequences: false).map(numericPart)
    guard parts.count == 3, let major = parts[0], let minor = parts[1], let patch = parts[2] else {
      throw .invalidFormat(text)
    }
    guard halves.count == 2 else { return SemVer(major: major, minor: minor, patch: patch) }
    let prerelease = String(halves[1])
    guard prereleaseFault(prerelease) == nil else { throw .invalidFormat(text) }
    return SemVer(major: major, minor: minor, patch: patch, prerelease: prerelease)
  }

  /// Why a text is no prerelease in the sense of SemVer §9; `nil` if it is one.
  static func prereleaseFault(_ text: String) -> String? {
    for identifier in text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      if identifier.isEmpty { return "a prerelease has no empty identifier" }
      guard identifier.allSatisfy({ isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }) else {
        return "a prerelease is made of ASCII letters, digits and hyphens, parted by dots"
      }
      if identifier.count > 1, identifier.first == UInt8(ascii: "0"), identifier.allSatisfy(isDigit) {
        return "a numeric prerelease identifier has no leading zero"
      }
    }
    return nil
  }

  private static func isPrerelease(_ left: String, before right: String) -> Bool {
    let dot = UInt8(ascii: ".")
    let leftParts = left.utf8.split(separator: dot, omittingEmptySubsequences: false)
    let rightParts = right.utf8.split(separator: dot, omittingEmptySubsequences: false)
    for (mine, other) in zip(leftParts, rightParts) where !mine.elementsEqual(other) {
      switch (isNumber(mine), isNumber(other)) {
      case (true, false): return true
      case (false, true): return false
      case (true, true):
        // Without leading zeros the longer number is the larger one, of any length.
        if mine.count != other.count { return mine.count < other.count }
        return mine.lexicographicallyPrecedes(other)
      case (false, false): return mine.lexicographicallyPrecedes(other)
      }
    }
    return leftParts.count < rightParts.count
  }

  /// At most nine digits, so that no part can overflow or exceed what a manifest may hold.
  private static func numericPart(_ text: Substring) -> Int? {
    let bytes = text.utf8
    guard isNumber(bytes), bytes.count <= 9, bytes.count == 1 || bytes.first != UInt8(ascii: "0") else {
      return nil
    }
    return Int(text)
  }

  private static func isNumber(_ bytes: Substring.UTF8View) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }
}

/// Why a text is no version.
public enum SemVerParseError: Error, Sendable, Hashable {
  case invalidFormat(String)
}
