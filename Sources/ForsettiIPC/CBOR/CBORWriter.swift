/// Appends items to bytes in their shortest form. What is written through `value` is deterministic; whoever writes
/// maps head by head writes the keys in bytewise order of their encodings.
public struct CBORWriter: Sendable {
  /// What is written so far.
  public internal(set) var bytes: [UInt8]
  /// `bytes` may not grow past this many through one string: checked before it is copied.
  var ceiling: Int

  /// Starts with nothing written.
  public init() { self.init(appendingTo: [], ceiling: Int.max) }

  init(appendingTo bytes: consuming [UInt8], ceiling: Int) {
    self.bytes = bytes
    self.ceiling = ceiling
  }

  mutating func head(_ major: UInt8, _ argument: UInt64) {
    let top = major &<< 5
    if argument < 24 {
      bytes.append(top | UInt8(truncatingIfNeeded: argument))
    } else if argument <= 0xff {
      bytes.append(top | 24)
      bytes.append(UInt8(truncatingIfNeeded: argument))
    } else if argument <= 0xffff {
      bytes.append(top | 25)
      append(argument, width: 2)
    } else if argument <= 0xffff_ffff {
      bytes.append(top | 26)
      append(argument, width: 4)
    } else {
      bytes.append(top | 27)
      append(argument, width: 8)
    }
  }

  /// Appends the last `width` bytes of a value in network order, in one piece.
  mutating func append(_ value: UInt64, width: Int) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0.suffix(width)) }
  }

  /// Writes an integer.
  public mutating func unsigned(_ value: UInt64) { head(0, value) }

  /// Writes the integer −1 − `value`.
  public mutating func negative(_ value: UInt64) { head(1, value) }

  /// Writes an integer.
  public mutating func integer(_ value: Int64) {
    value < 0 ? negative(UInt64(bitPattern: ~value)) : unsigned(UInt64(value))
  }

  /// Writes the head of an array; its items follow.
  public mutating func array(count: Int) { head(4, UInt64(count)) }

  /// Writes the head of a map; its members follow, key before value, keys ascending.
  public mutating func map(count: Int) { head(5, UInt64(count)) }

  /// Writes false or true.
  public mutating func bool(_ value: Bool) { bytes.append(value ? 0xf5 : 0xf4) }

  /// Writes null.
  public mutating func null() { bytes.append(0xf6) }

  /// Writes text of at most `limit` bytes of UTF-8; throws `tooLong`.
  public mutating func text(_ value: String, limit: Int = Int.max) throws(CBORError) {
    let count = value.utf8.count
    try check(count, limit: limit)
    head(3, UInt64(count))
    bytes.append(contentsOf: value.utf8)
  }

  /// Writes a byte string of at most `limit` bytes; throws `tooLong`.
  public mutating func byteString(_ value: [UInt8], limit: Int = Int.max) throws(CBORError) {
    try check(value.count, limit: limit)
    head(2, UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  private func check(_ count: Int, limit: Int) throws(CBORError) {
    if count > limit { throw CBORError(.tooLong(limit: limit)) }
    if count > ceiling &- bytes.count { throw CBORError(.tooLong(limit: ceiling)) }
  }

  /// Writes a float in the shortest form that keeps its value; every NaN as `f97e00`.
  public mutating func float(_ value: Double) {
    let single = Float(value)
    if value.isNaN {
      bytes.append(0xf9)
      append(0x7e00, width: 2)
    } else if Double(single) != value {
      bytes.append(0xfb)
      append(value.bitPattern, width: 8)
    } else if Float(Float16(single)) != single {
      bytes.append(0xfa)
      append(UInt64(single.bitPattern), width: 4)
    } else {
      bytes.append(0xf9)
      append(UInt64(Float16(single).bitPattern), width: 2)
    }
  }

  /// Writes any value deterministically. Throws `duplicateKey`, `unsupportedKey` or `tooDeep`.
  public mutating func value(_ value: CBORValue) throws(CBORError) { try self.value(value, depth: 0) }

  private mutating func value(_ value: CBORValue, depth: Int) throws(CBORError) {
    switch value {
    case .unsigned(let value): unsigned(value)
    case .negative(let value): negative(value)
    case .bytes(let value): try byteString(value)
    case .text(let value): try text(value)
    case .bool(let value): bool(value)
    case .null: null()
    case .float(let value): float(value)
    case .array(let items):
      try checkDepth(depth)
      array(count: items.count)
      for item in items { try self.value(item, depth: depth + 1) }
    case .map(let members):
      try checkDepth(depth)
      map(count: members.count)
      for (key, value) in try sorted(members) {
        bytes.append(contentsOf: key)
        try self.value(value, depth: depth + 1)
      }
    }
  }

  private func checkDepth(_ depth: Int) throws(CBORError) {
    if depth >= CBORReader.maximumDepth { throw CBORError(.tooDeep(limit: CBORReader.maximumDepth)) }
  }

  /// Members by the bytes of their encoded keys.
  private func sorted(_ members: [CBORMember]) throws(CBORError) -> [(key: [UInt8], value: CBORValue)] {
    var result: [(key: [UInt8], value: CBORValue)] = []
    result.reserveCapacity(members.count)
    for member in members {
      switch member.key {
      case .unsigned, .negative, .text: break
      default: throw CBORError(.unsupportedKey)
      }
      var writer = CBORWriter()
      try writer.value(member.key)
      result.append((writer.bytes, member.value))
    }
    result.sort { $0.key.lexicographicallyPrecedes($1.key) }
    for (first, second) in zip(result, result.dropFirst()) where first.key == second.key {
      throw CBORError(.duplicateKey)
    }
    return result
  }
}
