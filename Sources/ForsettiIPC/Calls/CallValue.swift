public import ForsettiCore

/// A request or response of a service method. Composite values travel as arrays of a fixed length, in the order of
/// their parts: there is one description of each, and it is the codec.
public protocol CallValue: Sendable {
  /// Writes exactly one item; throws where a part is longer than it may be.
  func encode(into writer: inout CBORWriter) throws(CBORError)

  /// Reads exactly one item.
  init(from reader: inout CBORReader) throws(CBORError)

  /// About how many bytes it takes, so that memory is taken once.
  var sizeHint: Int { get }

  /// The part that travels in the head of the call and not in the payload.
  var route: CallRoute? { get }

  /// Completes what was decoded by what came in the head.
  mutating func adopt(_ route: CallRoute)
}

extension CallValue {
  /// Enough for most.
  public var sizeHint: Int { 64 }
  /// Most have none.
  public var route: CallRoute? { nil }
  /// Most have nothing to complete.
  public mutating func adopt(_ route: CallRoute) {}
}

/// A value that may come in an array.
public protocol CallListItem: CallValue {
  /// How many may.
  static var listLimit: Int { get }
}

/// No value.
public struct Nothing: CallValue, Hashable {
  /// Makes it.
  public init() {}

  /// Writes null.
  public func encode(into writer: inout CBORWriter) throws(CBORError) { writer.null() }

  /// Reads null.
  public init(from reader: inout CBORReader) throws(CBORError) {
    let start = reader.offset
    guard try reader.nullIfNext() else { throw CBORError(.expected(.null), at: start) }
  }
}

/// Bytes alone.
public struct Bytes: CallValue, Hashable {
  /// At most what fits a payload.
  public var bytes: [UInt8]

  /// Makes a value.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Writes a byte string.
  public func encode(into writer: inout CBORWriter) throws(CBORError) { try writer.byteString(bytes) }

  /// Reads a byte string.
  public init(from reader: inout CBORReader) throws(CBORError) {
    bytes = try reader.byteString(limit: FrameHeader.maximumPayload)
  }

  /// What it holds and its head.
  public var sizeHint: Int { bytes.count &+ 16 }
}

extension String: CallListItem {
  /// As many keys as one call lists.
  public static var listLimit: Int { 1000 }

  /// Writes text.
  public func encode(into writer: inout CBORWriter) throws(CBORError) { try writer.text(self) }

  /// Reads text.
  public init(from reader: inout CBORReader) throws(CBORError) {
    self = try reader.text(limit: FrameHeader.maximumPayload)
  }

  /// What it holds and its head.
  public var sizeHint: Int { utf8.count &+ 16 }
}

extension Bool: CallValue {
  /// Writes false or true.
  public func encode(into writer: inout CBORWriter) throws(CBORError) { writer.bool(self) }

  /// Reads false or true.
  public init(from reader: inout CBORReader) throws(CBORError) { self = try reader.bool() }
}

extension Int: CallValue {
  /// Writes an integer.
  public func encode(into writer: inout CBORWriter) throws(CBORError) { writer.integer(Int64(self)) }

  /// Reads an integer.
  public init(from reader: inout CBORReader) throws(CBORError) { self = Int(try reader.integer()) }
}

extension Optional: CallValue where Wrapped: CallValue {
  /// Writes the value, or null.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    guard let self else { return writer.null() }
    try self.encode(into: &writer)
  }

  /// Reads a value, or null.
  public init(from reader: inout CBORReader) throws(CBORError) {
    self = try reader.nullIfNext() ? nil : try Wrapped(from: &reader)
  }

  /// That of the value.
  public var sizeHint: Int { map(\.sizeHint) ?? 1 }
}

extension Array: CallValue where Element: CallListItem {
  /// Writes an array.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    if count > Element.listLimit { throw CBORError(.tooLong(limit: Element.listLimit)) }
    writer.array(count: count)
    for item in self { try item.encode(into: &writer) }
  }

  /// Reads an array.
  public init(from reader: inout CBORReader) throws(CBORError) {
    let count = try reader.arrayCount(limit: Element.listLimit)
    self.init()
    reserveCapacity(count)
    for _ in 0..<count { append(try Element(from: &reader)) }
  }

  /// That of all items.
  public var sizeHint: Int { reduce(16) { $0 &+ $1.sizeHint } }
}

extension Dictionary: CallValue where Key == String, Value == String {
  /// Writes a map, sorted.
  public func encode(into writer: inout CBORWriter) throws(CBORError) { try writer.texts(byName: self) }

  /// Reads a map.
  public init(from reader: inout CBORReader) throws(CBORError) { self = try reader.textsByName() }
}

extension Capability: CallListItem {
  /// More than there are.
  public static var listLimit: Int { 64 }

  /// Writes the raw value.
  public func encode(into writer: inout CBORWriter) throws(CBORError) { try writer.choice(self) }

  /// Reads the raw value.
  public init(from reader: inout CBORReader) throws(CBORError) { self = try reader.choice() }
}

extension CBORWriter {
  /// Writes text of a name's length.
  mutating func name(_ text: String) throws(CBORError) { try self.text(text, limit: ProtocolLimits.text) }

  /// Writes text, or null.
  mutating func optionalName(_ text: String?) throws(CBORError) {
    guard let text else { return null() }
    try name(text)
  }

  /// Writes a map of text to text whose values may be long.
  mutating func texts(byName entries: [String: String]) throws(CBORError) {
    try textMap(
      entries, limit: ProtocolLimits.items, keyLimit: ProtocolLimits.text,
      valueLimit: FrameHeader.maximumPayload)
  }
}

extension CBORReader {
  /// Steps over null if it comes next.
  mutating func nullIfNext() throws(CBORError) -> Bool {
    guard offset < bytes.count else { throw CBORError(.truncated, at: offset) }
    guard bytes[offset] == 0xf6 else { return false }
    offset &+= 1
    return true
  }

  /// Reads the head of an array of exactly this many parts.
  mutating func parts(_ count: Int) throws(CBORError) {
    let start = offset
    let found = try arrayCount(limit: ProtocolLimits.items)
    if found != count {
      throw CBORError(.inconsistent("\(found) parts where \(count) are expected"), at: start)
    }
  }

  mutating func name() throws(CBORError) -> String { try text(limit: ProtocolLimits.text) }

  mutating func optionalName() throws(CBORError) -> String? { try nullIfNext() ? nil : try name() }

  mutating func textsByName() throws(CBORError) -> [String: String] {
    try textMap(
      limit: ProtocolLimits.items, keyLimit: ProtocolLimits.text, valueLimit: FrameHeader.maximumPayload)
  }
}
