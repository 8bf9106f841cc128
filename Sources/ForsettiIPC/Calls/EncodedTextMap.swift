/// The payload of an event as it came: checked once, and made into texts only where somebody asks for them.
///
/// Whoever hears of an event mostly wants one or two of its texts. A dictionary of all of them costs more than
/// everything else that happens to an event in a module.
public struct EncodedTextMap: Sendable {
  /// One map of text to text, and nothing behind it.
  private let bytes: [UInt8]

  /// Takes the payload of an event; what `EventPayload.validate` refuses is refused here.
  public init(_ bytes: Span<UInt8>) throws(CBORError) {
    try EventPayload.validate(bytes)
    self.bytes = bytes.withUnsafeBufferPointer { Array($0) }
  }

  /// Bytes that it holds.
  public var byteCount: Int { bytes.count }

  /// How many texts there are.
  public var count: Int {
    var reader = CBORReader(bytes.span)
    return (try? reader.mapCount(limit: ProtocolLimits.items)) ?? 0
  }

  /// The text under a key, which is compared by its bytes, as all that crosses the pipes.
  public subscript(key: String) -> String? {
    // Whatever fails below was found good before.
    var reader = CBORReader(bytes.span)
    guard let count = try? reader.mapCount(limit: ProtocolLimits.items) else { return nil }
    for _ in 0..<count {
      guard let found = try? reader.textRange(), let value = try? reader.textRange() else { return nil }
      if reader.isText(found, key) { return try? reader.string(value, at: value.lowerBound) }
    }
    return nil
  }

  /// All texts by their keys. A dictionary can't hold two spellings of a key that are canonically equivalent; the first
  /// stays.
  public var dictionary: [String: String] {
    var reader = CBORReader(bytes.span)
    return (try? reader.eventPayload()) ?? [:]
  }
}
