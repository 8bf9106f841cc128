extension CBORValue {
  /// Decodes exactly one item.
  ///
  /// `maximumItems` bounds the values built, and so the memory: one byte of input can ask for one of them.
  public static func decode(_ bytes: Span<UInt8>, maximumItems: Int = 65_536) throws(CBORError) -> CBORValue {
    var reader = CBORReader(bytes)
    var budget = maximumItems
    let value = try reader.value(depth: 0, budget: &budget, limit: maximumItems)
    try reader.finish()
    return value
  }

  /// The deterministic encoding. Throws `duplicateKey`, `unsupportedKey` or `tooDeep`.
  public func encoded() throws(CBORError) -> [UInt8] {
    var writer = CBORWriter()
    try writer.value(self)
    return writer.bytes
  }
}

extension CBORReader {
  mutating func value(depth: Int, budget: inout Int, limit: Int) throws(CBORError) -> CBORValue {
    let start = offset
    let head = try head()
    budget &-= 1
    if budget < 0 { throw CBORError(.tooManyItems(limit: limit), at: start) }
    switch head.major {
    case 0: return .unsigned(head.argument)
    case 1: return .negative(head.argument)
    case 2:
      let range = try stringRange(head, at: start)
      return .bytes(bytes.extracting(range).withUnsafeBufferPointer { Array($0) })
    case 3: return .text(try string(stringRange(head, at: start), at: start))
    case 4:
      let count = try container(head, depth: depth, bytesPerItem: 1, at: start)
      if count > budget { throw CBORError(.tooManyItems(limit: limit), at: start) }
      var items: [CBORValue] = []
      items.reserveCapacity(count)
      for _ in 0..<count { items.append(try value(depth: depth &+ 1, budget: &budget, limit: limit)) }
      return .array(items)
    case 5:
      let count = try container(head, depth: depth, bytesPerItem: 2, at: start)
      if count > budget { throw CBORError(.tooManyItems(limit: limit), at: start) }
      return .map(try members(count, depth: depth, budget: &budget, limit: limit))
    case 6: throw CBORError(.unsupportedTag(head.argument), at: start)
    default: return try simple(head, at: start)
    }
  }

  private mutating func members(
    _ count: Int, depth: Int, budget: inout Int, limit: Int
  ) throws(CBORError) -> [CBORMember] {
    var members: [CBORMember] = []
    members.reserveCapacity(count)
    var previous: Range<Int>?
    for _ in 0..<count {
      let start = offset
      _ = try skipKey(after: &previous)
      offset = start
      let key = try value(depth: depth, budget: &budget, limit: limit)
      members.append(CBORMember(key, try value(depth: depth &+ 1, budget: &budget, limit: limit)))
    }
    return members
  }

  private func simple(_ head: Head, at start: Int) throws(CBORError) -> CBORValue {
    switch head.information {
    case 20: return .bool(false)
    case 21: return .bool(true)
    case 22: return .null
    case 25, 26, 27: return .float(try float(head, at: start))
    default: throw CBORError(.unsupportedSimple(UInt8(truncatingIfNeeded: head.argument)), at: start)
    }
  }
}
