/// A JSON value as read from a file, each with the place it came from, so that a fault can name it.
public struct JSONValue: Sendable {
  /// The kinds of RFC 8259; object members keep file order, keys are unique by Unicode scalars.
  public indirect enum Content: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
  }

  /// What it is.
  public var content: Content
  /// Byte offset of the first byte of the value in the document (after any BOM).
  public var offset: Int

  /// Makes a value.
  public init(_ content: Content, offset: Int = 0) {
    self.content = content
    self.offset = offset
  }
}

/// One member of an object, with the place of its key.
public struct JSONMember: Sendable {
  /// Its key, unescaped.
  public var key: String
  /// Byte offset of the key's opening quote.
  public var keyOffset: Int
  /// Its value.
  public var value: JSONValue

  /// Makes a member.
  public init(key: String, keyOffset: Int = 0, value: JSONValue) {
    self.key = key
    self.keyOffset = keyOffset
    self.value = value
  }
}

/// A number: its value, and the integer it stands for if it is integral (`1.0` and `1e2` are).
public struct JSONNumber: Sendable, Hashable {
  /// The nearest double.
  public var double: Double
  /// The exact integer, where it is one and fits 64 bits with a sign.
  public var integer: Int64?
  /// The exact integer where it fits 64 bits without a sign alone, as masks of registers do. Of a text, where it is written
  /// in digits alone.
  public var large: UInt64?

  /// Makes a number.
  public init(double: Double, integer: Int64?, large: UInt64? = nil) {
    self.double = double
    self.integer = integer
    self.large = large
  }
}
