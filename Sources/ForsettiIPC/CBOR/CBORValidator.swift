/// Checks payload bytes in one pass, without building values, so that they can be forwarded as they are.
public enum CBORValidator {
  /// Keys that start so, at the top level of a payload, belong to the framework (SPEC §5).
  static let reservedKeyPrefix: StaticString = "_forsetti."

  /// Throws unless `bytes` are exactly one item of the profile; with `refusingReservedKeys`, also when that item is a
  /// map with a text key of the framework's own.
  public static func walk(_ bytes: Span<UInt8>, refusingReservedKeys: Bool = true) throws(CBORError) {
    var reader = CBORReader(bytes)
    try reader.skip(depth: 0, refusingReservedKeys: refusingReservedKeys)
    try reader.finish()
  }

  /// Whether a top-level key of a payload belongs to the framework.
  public static func isReserved(_ key: String) -> Bool {
    reservedKeyPrefix.withUTF8Buffer { key.utf8.starts(with: $0) }
  }
}

extension CBORReader {
  /// Steps over one whole item, checking all of it.
  public mutating func skip() throws(CBORError) { try skip(depth: 0, refusingReservedKeys: false) }

  /// `depth`: containers around this item. The recursion is bounded by `maximumDepth`.
  mutating func skip(depth: Int, refusingReservedKeys: Bool) throws(CBORError) {
    let start = offset
    let head = try head()
    switch head.major {
    case 0, 1: return
    case 2: _ = try stringRange(head, at: start)
    case 3: try checkUTF8(stringRange(head, at: start), at: start)
    case 4:
      let count = try container(head, depth: depth, bytesPerItem: 1, at: start)
      for _ in 0..<count { try skip(depth: depth &+ 1, refusingReservedKeys: false) }
    case 5:
      let count = try container(head, depth: depth, bytesPerItem: 2, at: start)
      var previous: Range<Int>?
      for _ in 0..<count {
        let text = try skipKey(after: &previous)
        if refusingReservedKeys, let text { try refuseReserved(text) }
        try skip(depth: depth &+ 1, refusingReservedKeys: false)
      }
    case 6: throw CBORError(.unsupportedTag(head.argument), at: start)
    default: try skipSimple(head, at: start)
    }
  }

  /// The number of items of an array, or of members of a map, once depth and length are checked.
  func container(_ head: Head, depth: Int, bytesPerItem: Int, at start: Int) throws(CBORError) -> Int {
    guard depth < Self.maximumDepth else { throw CBORError(.tooDeep(limit: Self.maximumDepth), at: start) }
    return try length(head, bytesPerItem: bytesPerItem, at: start)
  }

  /// Steps over a key, which must come after `previous`, and returns where its text lies, if it is text.
  mutating func skipKey(after previous: inout Range<Int>?) throws(CBORError) -> Range<Int>? {
    let start = offset
    let head = try head()
    var text: Range<Int>?
    switch head.major {
    case 0, 1: break
    case 3:
      let range = try stringRange(head, at: start)
      try checkUTF8(range, at: start)
      text = range
    default: throw CBORError(.unsupportedKey, at: start)
    }
    let encoded = start..<offset
    if let previous {
      switch precedes(previous, encoded) {
      case true?: break
      case false?: throw CBORError(.keysOutOfOrder, at: start)
      case nil: throw CBORError(.duplicateKey, at: start)
      }
    }
    previous = encoded
    return text
  }

  /// Throws if the text in `range` starts as the framework's own keys do.
  func refuseReserved(_ range: Range<Int>) throws(CBORError) {
    let isReserved = CBORValidator.reservedKeyPrefix.withUTF8Buffer { prefix in
      guard range.count >= prefix.count else { return false }
      return prefix.indices.allSatisfy { bytes[range.lowerBound &+ $0] == prefix[$0] }
    }
    if isReserved { throw CBORError(.reservedKey(clipped(range)), at: range.lowerBound) }
  }

  func skipSimple(_ head: Head, at start: Int) throws(CBORError) {
    switch head.information {
    case 20, 21, 22: return
    case 25, 26, 27: _ = try float(head, at: start)
    default: throw CBORError(.unsupportedSimple(UInt8(truncatingIfNeeded: head.argument)), at: start)
    }
  }
}
