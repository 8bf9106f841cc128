/// Reading items of a known shape. Each function reads one item or one head, or throws at it.
extension CBORReader {
  @inline(__always)
  mutating func head(_ major: UInt8, _ kind: CBORKind) throws(CBORError) -> Head {
    let start = offset
    let head = try head()
    guard head.major == major else { throw unexpected(head, expected: kind, at: start) }
    return head
  }

  /// A tag or foreign simple value is named as such; anything else is just not what was expected.
  private func unexpected(_ head: Head, expected kind: CBORKind, at start: Int) -> CBORError {
    if head.major == 6 { return CBORError(.unsupportedTag(head.argument), at: start) }
    return CBORError(.expected(kind), at: start)
  }

  /// An integer in `range`.
  public mutating func integer(
    in range: ClosedRange<Int64> = Int64.min...Int64.max
  ) throws(CBORError) -> Int64 {
    let start = offset
    let head = try head()
    guard head.major < 2 else { throw unexpected(head, expected: .integer, at: start) }
    guard let magnitude = Int64(exactly: head.argument) else { throw CBORError(.outOfRange, at: start) }
    let value = head.major == 0 ? magnitude : ~magnitude
    guard range.contains(value) else { throw CBORError(.outOfRange, at: start) }
    return value
  }

  /// An integer from 0 up.
  @inline(__always)
  public mutating func unsigned() throws(CBORError) -> UInt64 {
    let start = offset
    let head = try head()
    guard head.major == 0 else { throw notUnsigned(head, at: start) }
    return head.argument
  }

  private func notUnsigned(_ head: Head, at start: Int) -> CBORError {
    head.major == 1 ? CBORError(.outOfRange, at: start) : unexpected(head, expected: .integer, at: start)
  }

  /// A float.
  public mutating func float() throws(CBORError) -> Double {
    let start = offset
    let head = try head(7, .float)
    guard 25...27 ~= head.information else { throw CBORError(.expected(.float), at: start) }
    return try float(head, at: start)
  }

  /// The major type of the item that comes next.
  func nextMajorType() throws(CBORError) -> UInt8 {
    guard offset < bytes.count else { throw CBORError(.truncated, at: offset) }
    return bytes[offset] &>> 5
  }

  /// False or true.
  public mutating func bool() throws(CBORError) -> Bool {
    let start = offset
    let head = try head(7, .bool)
    guard head.information == 20 || head.information == 21 else {
      throw CBORError(.expected(.bool), at: start)
    }
    return head.information == 21
  }

  /// Text of at most `limit` bytes.
  public mutating func text(limit: Int) throws(CBORError) -> String {
    let start = offset
    return try string(textRange(limit: limit), at: start)
  }

  /// Whether the bytes in `range` are those of `text`.
  func isText(_ range: Range<Int>, _ text: String) -> Bool {
    // `nil` where the text does not lie in one piece, which no text of Swift's own does.
    let isSame = text.utf8.withContiguousStorageIfAvailable { text in
      bytes.extracting(range).bytes.isEqual(to: text.span.bytes)
    }
    return isSame ?? bytes.extracting(range).withUnsafeBufferPointer { $0.elementsEqual(text.utf8) }
  }

  /// Steps over text and returns where its bytes lie. Whether they are UTF-8 is for the caller to ask.
  mutating func textRange() throws(CBORError) -> Range<Int> {
    let start = offset
    return try stringRange(head(3, .text), at: start)
  }

  /// Steps over text of at most `limit` bytes, which is UTF-8, and returns where its bytes lie.
  mutating func checkedTextRange(limit: Int) throws(CBORError) -> Range<Int> {
    let start = offset
    let range = try textRange(limit: limit)
    try checkUTF8(range, at: start)
    return range
  }

  private mutating func textRange(limit: Int) throws(CBORError) -> Range<Int> {
    let start = offset
    let range = try textRange()
    if range.count > limit { throw CBORError(.tooLong(limit: limit), at: start) }
    return range
  }

  /// A byte string of at most `limit` bytes.
  public mutating func byteString(limit: Int) throws(CBORError) -> [UInt8] {
    let start = offset
    let range = try stringRange(head(2, .bytes), at: start)
    if range.count > limit { throw CBORError(.tooLong(limit: limit), at: start) }
    return bytes.extracting(range).withUnsafeBufferPointer { Array($0) }
  }

  /// The head of an array of at most `limit` items, which follow.
  public mutating func arrayCount(limit: Int) throws(CBORError) -> Int {
    let start = offset
    let count = try length(head(4, .array), bytesPerItem: 1, at: start)
    if count > limit { throw CBORError(.tooLong(limit: limit), at: start) }
    return count
  }

  /// The head of a map of at most `limit` members, which follow.
  public mutating func mapCount(limit: Int) throws(CBORError) -> Int {
    let start = offset
    let count = try length(head(5, .map), bytesPerItem: 2, at: start)
    if count > limit { throw CBORError(.tooLong(limit: limit), at: start) }
    return count
  }

  /// Text that is one of an enum's raw values, which are all ASCII. Compared by bytes: Swift's String equality would
  /// also accept scalars that are canonically equivalent to ASCII, as U+212A is to `K`.
  mutating func choice<Value: RawRepresentable>(
    _: Value.Type = Value.self
  ) throws(CBORError) -> Value where Value.RawValue == String {
    let start = offset
    let range = try textRange(limit: ProtocolLimits.text)
    let text = try string(range, at: start)
    guard text.utf8.allSatisfy({ $0 < 0x80 }), let value = Value(rawValue: text) else {
      throw CBORError(.unknownValue(clipped(range)), at: start)
    }
    return value
  }

  /// A map of text to text. Keys that only differ in a canonically equivalent spelling are refused as duplicates, for
  /// a Swift dictionary cannot hold both.
  mutating func textMap(
    limit: Int, keyLimit: Int, valueLimit: Int
  ) throws(CBORError) -> [String: String] {
    let count = try mapCount(limit: limit)
    var result: [String: String] = [:]
    result.reserveCapacity(count)
    var previous: Range<Int>?
    for _ in 0..<count {
      let start = offset
      guard let range = try skipKey(after: &previous) else { throw CBORError(.expected(.text), at: start) }
      if range.count > keyLimit { throw CBORError(.tooLong(limit: keyLimit), at: start) }
      let key = try string(range, at: start)
      let value = try text(limit: valueLimit)
      if result.updateValue(value, forKey: key) != nil { throw CBORError(.duplicateKey, at: start) }
    }
    return result
  }
}

/// The members of a map with known keys, read in ascending order of their encodings: shorter first, then by bytes.
struct CBORFields {
  fileprivate(set) var remaining: Int
}

extension CBORReader {
  /// The head of a map with known keys.
  mutating func fields() throws(CBORError) -> CBORFields {
    CBORFields(remaining: try mapCount(limit: ProtocolLimits.items))
  }

  /// Reads the key, which must come next.
  mutating func field(_ key: StaticString, _ fields: inout CBORFields) throws(CBORError) {
    let start = offset
    if try optionalField(key, &fields) { return }
    guard fields.remaining > 0 else { throw CBORError(.missingKey(key.description), at: start) }
    // Keys ascend: one that comes after the one wanted shows that it is missing, one before it is unknown.
    let found = try stringRange(head(3, .text), at: start)
    offset = start
    let isMissing = key.withUTF8Buffer { wanted in
      if found.count != wanted.count { return found.count > wanted.count }
      for step in 0..<wanted.count where bytes[found.lowerBound &+ step] != wanted[step] {
        return bytes[found.lowerBound &+ step] > wanted[step]
      }
      return false
    }
    throw CBORError(isMissing ? .missingKey(key.description) : .unknownKey(clipped(found)), at: start)
  }

  /// Reads the key if it comes next.
  mutating func optionalField(_ key: StaticString, _ fields: inout CBORFields) throws(CBORError) -> Bool {
    guard fields.remaining > 0 else { return false }
    let start = offset
    let found = try stringRange(head(3, .text), at: start)
    let isNext = key.withUTF8Buffer { wanted in
      found.count == wanted.count && wanted.indices.allSatisfy { bytes[found.lowerBound &+ $0] == wanted[$0] }
    }
    guard isNext else {
      offset = start
      return false
    }
    fields.remaining &-= 1
    return true
  }

  /// Throws if a key is left: it is none of the known ones.
  mutating func end(_ fields: CBORFields) throws(CBORError) {
    guard fields.remaining > 0 else { return }
    let start = offset
    throw CBORError(.unknownKey(clipped(try stringRange(head(3, .text), at: start))), at: start)
  }
}
