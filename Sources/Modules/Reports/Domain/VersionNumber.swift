/// A version of a system: numbers with points between them. What follows them, such as `(a)`, is not compared.
struct VersionNumber: Sendable, Hashable, Comparable {
  /// Without zeros at the end: 15 and 15.0 are one version.
  let parts: [Int]

  /// Parts, and digits of each, that are read: no system has more.
  private static let partLimit = 6
  private static let digitLimit = 9

  /// Reads a text that begins with a number.
  init?(_ text: String) {
    var parts: [Int] = []
    for piece in text.utf8.split(
      separator: UInt8(ascii: "."), maxSplits: Self.partLimit, omittingEmptySubsequences: false)
    {
      let digits = piece.prefix { 0x30...0x39 ~= $0 }
      guard !digits.isEmpty, digits.count <= Self.digitLimit, parts.count < Self.partLimit else { break }
      parts.append(digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
      guard digits.count == piece.count else { break }
    }
    guard !parts.isEmpty else { return nil }
    while parts.count > 1, parts.last == 0 { parts.removeLast() }
    self.parts = parts
  }

  static func < (left: VersionNumber, right: VersionNumber) -> Bool {
    left.parts.lexicographicallyPrecedes(right.parts)
  }

  /// Whether it is one of the versions that `other` names: 15.6.1 is of 15.6 and of 15, and not of 1.
  func isWithin(_ other: VersionNumber) -> Bool { parts.starts(with: other.parts) }
}
