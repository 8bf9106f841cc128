/// One item of the protocol's CBOR profile: RFC 8949 deterministic encoding (§4.2.1), no tags, no simple values but
/// false, true and null, map keys integers or text.
public enum CBORValue: Sendable {
  case unsigned(UInt64)
  /// The integer −1 − n.
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBORValue])
  /// Members in any order: encoding sorts them, decoding yields them sorted.
  case map([CBORMember])
  case bool(Bool)
  case null
  case float(Double)
}

/// One member of a map.
public struct CBORMember: Sendable, Hashable {
  /// An integer or text.
  public var key: CBORValue
  /// Any value.
  public var value: CBORValue

  /// Makes a member.
  public init(_ key: CBORValue, _ value: CBORValue) {
    self.key = key
    self.value = value
  }
}

extension CBORValue {
  /// An integer of either sign.
  public static func integer(_ value: Int64) -> CBORValue {
    value < 0 ? .negative(UInt64(bitPattern: ~value)) : .unsigned(UInt64(value))
  }

  /// The integer, where it is one that fits 64 bits with sign.
  public var integer: Int64? {
    switch self {
    case .unsigned(let value): Int64(exactly: value)
    case .negative(let value): Int64(exactly: value).map { ~$0 }
    default: nil
    }
  }

  /// The value under a text key of a map.
  public subscript(_ key: String) -> CBORValue? {
    guard case .map(let members) = self else { return nil }
    return members.first { $0.key == .text(key) }?.value
  }
}

// Text is compared by its bytes and floats by their bits: Swift's own equality holds "é" in one scalar and in two for
// the same string, and NaN for different from itself, neither of which is so on the wire.
extension CBORValue: Hashable {
  /// Whether both have the same encoding, given their map members in the same order.
  public static func == (left: CBORValue, right: CBORValue) -> Bool {
    switch (left, right) {
    case (.unsigned(let a), .unsigned(let b)), (.negative(let a), .negative(let b)): a == b
    case (.bytes(let a), .bytes(let b)): a == b
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    case (.array(let a), .array(let b)): a == b
    case (.map(let a), .map(let b)): a == b
    case (.bool(let a), .bool(let b)): a == b
    case (.null, .null): true
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .unsigned(let value): hasher.combine(value)
    case .negative(let value): hasher.combine(~value)
    case .bytes(let value): hasher.combine(value)
    case .text(let value): for byte in value.utf8 { hasher.combine(byte) }
    case .array(let value): hasher.combine(value)
    case .map(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .null: hasher.combine(UInt8(22))
    case .float(let value): hasher.combine(value.isNaN ? 0 : value.bitPattern)
    }
  }
}
