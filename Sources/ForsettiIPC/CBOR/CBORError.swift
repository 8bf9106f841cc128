/// Why bytes are no item of the protocol's CBOR profile, or not the item that was expected, and where.
public struct CBORError: Error, Sendable, Hashable {
  /// What is wrong.
  public var fault: CBORFault
  /// Byte offset of the item at fault, from the start of the bytes read; 0 when encoding.
  public var offset: Int

  /// Makes an error.
  public init(_ fault: CBORFault, at offset: Int = 0) {
    self.fault = fault
    self.offset = offset
  }
}

/// What can be wrong with an item. The first group is the profile (RFC 8949 §4.2.1 without tags); the second is
/// what a reader that expects a certain shape finds.
public enum CBORFault: Sendable, Hashable {
  /// The input ends inside an item.
  case truncated
  /// Bytes follow the item.
  case trailingBytes(Int)
  /// A length, integer or float that has a shorter form; NaN in any form but `f97e00`.
  case notShortest
  /// A string, array or map of indefinite length, or a stray break.
  case indefiniteLength
  /// Additional information that RFC 8949 leaves unassigned: 28 to 30, and 31 where no length is meant.
  case reservedInformation(UInt8)
  /// A tag: the profile has none.
  case unsupportedTag(UInt64)
  /// A simple value other than false, true and null.
  case unsupportedSimple(UInt8)
  case invalidUTF8
  /// Arrays and maps nested deeper than this.
  case tooDeep(limit: Int)
  /// A string longer, or an array or map with more items, than the bytes that follow could hold.
  case lengthExceedsInput(UInt64)
  /// Keys are not in ascending bytewise order of their encodings.
  case keysOutOfOrder
  case duplicateKey
  /// A map key that is neither an integer nor text.
  case unsupportedKey
  /// A top-level key that starts `_forsetti.`, which is the framework's own.
  case reservedKey(String)
  /// More items than this in all.
  case tooManyItems(limit: Int)

  case expected(CBORKind)
  case missingKey(String)
  case unknownKey(String)
  /// Text that is none of the values allowed there.
  case unknownValue(String)
  /// A string of more bytes, or an array or map of more items, than this.
  case tooLong(limit: Int)
  /// An integer outside the range allowed there.
  case outOfRange
  /// Parts that contradict each other.
  case inconsistent(String)
}

/// The kinds of item in the profile.
public enum CBORKind: String, Sendable, Hashable, CaseIterable {
  case integer, bytes, text, array, map, bool, null, float
}

extension CBORError: CustomStringConvertible {
  /// One line: what and where.
  public var description: String { "\(fault) at byte \(offset)" }
}

extension CBORFault: CustomStringConvertible {
  /// One line; text that came from the other end is clipped and escaped.
  public var description: String {
    switch self {
    case .truncated: "the input ends inside an item"
    case .trailingBytes(let count): "\(count) bytes follow the item"
    case .notShortest: "an integer, length or float has a shorter form"
    case .indefiniteLength: "an indefinite length"
    case .reservedInformation(let information): "unassigned additional information \(information)"
    case .unsupportedTag(let tag): "tag \(tag), where no tags are allowed"
    case .unsupportedSimple(let value): "simple value \(value), where only false, true and null are allowed"
    case .invalidUTF8: "text that is not UTF-8"
    case .tooDeep(let limit): "nesting deeper than \(limit)"
    case .lengthExceedsInput(let length): "a length of \(length) that the input cannot hold"
    case .keysOutOfOrder: "map keys out of bytewise order"
    case .duplicateKey: "a map key that occurs twice"
    case .unsupportedKey: "a map key that is neither an integer nor text"
    case .reservedKey(let key): "the reserved key \(escapedForPeople(key))"
    case .tooManyItems(let limit): "more than \(limit) items"
    case .expected(let kind): "another type where \(kind.rawValue) is expected"
    case .missingKey(let key): "no key \(escapedForPeople(key))"
    case .unknownKey(let key): "the unknown key \(escapedForPeople(key))"
    case .unknownValue(let value): "the unknown value \(escapedForPeople(value))"
    case .tooLong(let limit): "something longer than its limit of \(limit)"
    case .outOfRange: "an integer outside its range"
    case .inconsistent(let why): why
    }
  }
}

/// Quotes text from the other end: printable ASCII as it is, everything else as scalar escapes.
func escapedForPeople(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0x22, 0x5c: result += "\\\(scalar)"
    case 0x20...0x7e: result.unicodeScalars.append(scalar)
    default: result += "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
  return result + "\""
}
