/// The payload of an event or message: a map of text to text. It stays as it came: the supervisor checks it and forwards
/// it, and a module makes the texts it is asked for.
public enum EventPayload {
  /// Checks a payload of a module in one pass, so that it can be forwarded as it is.
  public static func validate(_ bytes: Span<UInt8>) throws(CBORError) {
    var reader = CBORReader(bytes)
    try reader.skipTextMap()
    try reader.finish()
  }

  /// Decodes a payload.
  public static func decode(_ bytes: Span<UInt8>) throws(CBORError) -> [String: String] {
    var reader = CBORReader(bytes)
    let payload = try reader.eventPayload()
    try reader.finish()
    return payload
  }

  /// How many texts a payload holds that is known to be valid; of another, some number.
  public static func count(_ bytes: Span<UInt8>) -> Int {
    var reader = CBORReader(bytes)
    return (try? reader.mapCount(limit: ProtocolLimits.items)) ?? 0
  }

  /// The text under a key, which is compared by its bytes, as all that crosses the pipes; `nil` where there is none, or
  /// the payload is not valid before it.
  public static func text(_ key: String, in bytes: Span<UInt8>) -> String? {
    var reader = CBORReader(bytes)
    guard let count = try? reader.mapCount(limit: ProtocolLimits.items) else { return nil }
    for _ in 0..<count {
      guard let found = try? reader.textRange(), let value = try? reader.textRange() else { return nil }
      if reader.isText(found, key) { return try? reader.string(value, at: value.lowerBound) }
    }
    return nil
  }
}

extension CBORReader {
  /// What `skipTextMap` steps over, as a dictionary. That can't hold two keys whose spellings are canonically equivalent,
  /// and to look for such would cost the supervisor more than all else that it does with an event: the first one stays.
  mutating func eventPayload() throws(CBORError) -> [String: String] {
    var members = self
    try skipTextMap()
    let count = try members.mapCount(limit: ProtocolLimits.items)
    var result: [String: String] = [:]
    result.reserveCapacity(count)
    for _ in 0..<count {
      let key = try members.text(limit: ProtocolLimits.text)
      let value = try members.text(limit: FrameHeader.maximumPayload)
      if result[key] == nil { result[key] = value }
    }
    return result
  }

  /// Steps over a map of text to text that holds none of the framework's own keys.
  mutating func skipTextMap() throws(CBORError) {
    let count = try mapCount(limit: ProtocolLimits.items)
    var previous: Range<Int>?
    for _ in 0..<count {
      let start = offset
      guard let key = try skipKey(after: &previous) else { throw CBORError(.expected(.text), at: start) }
      if key.count > ProtocolLimits.text { throw CBORError(.tooLong(limit: ProtocolLimits.text), at: start) }
      try refuseReserved(key)
      let value = offset
      try checkUTF8(textRange(), at: value)
    }
  }
}

extension CBORWriter {
  mutating func eventPayload(_ payload: [String: String]) throws(CBORError) {
    if let key = payload.keys.first(where: CBORValidator.isReserved) {
      throw CBORError(.reservedKey(ProtocolLimits.truncated(key, to: 64)))
    }
    try textMap(
      payload, limit: ProtocolLimits.items, keyLimit: ProtocolLimits.text,
      valueLimit: FrameHeader.maximumPayload)
  }
}
