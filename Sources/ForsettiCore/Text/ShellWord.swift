extension String {
  /// The text as one word of sh(1): as it is where that is safe, in single quotes elsewhere.
  public var shellWord: String {
    guard isEmpty || !utf8.allSatisfy(Self.isPlainInShell) else { return self }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  private static func isPlainInShell(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/._-+:@,".utf8.contains(byte)
    }
  }
}
