/// Writing items of a known shape.
extension CBORWriter {
  /// Writes a key of a map.
  mutating func key(_ key: StaticString) {
    head(3, UInt64(key.utf8CodeUnitCount))
    key.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes an integer of `range`; throws `outOfRange`.
  mutating func integer(_ value: Int, in range: ClosedRange<Int64>) throws(CBORError) {
    guard range.contains(Int64(value)) else { throw CBORError(.outOfRange) }
    integer(Int64(value))
  }

  /// Writes a raw value.
  mutating func choice<Value: RawRepresentable>(_ value: Value) throws(CBORError)
  where Value.RawValue == String {
    try text(value.rawValue)
  }

  /// Writes an array of at most `ProtocolLimits.items`.
  mutating func array<Item>(
    _ items: [Item], _ write: (inout CBORWriter, Item) throws(CBORError) -> Void
  ) throws(CBORError) {
    if items.count > ProtocolLimits.items { throw CBORError(.tooLong(limit: ProtocolLimits.items)) }
    array(count: items.count)
    for item in items { try write(&self, item) }
  }

  /// Writes an array of texts.
  mutating func texts(_ items: [String]) throws(CBORError) {
    try array(items) { (writer, text) throws(CBORError) in try writer.text(text, limit: ProtocolLimits.text) }
  }

  /// Writes a map of text to text, sorted.
  mutating func textMap(
    _ entries: [String: String], limit: Int, keyLimit: Int, valueLimit: Int
  ) throws(CBORError) {
    if entries.count > limit { throw CBORError(.tooLong(limit: limit)) }
    map(count: entries.count)
    // The encodings of shorter keys come first: their heads are less.
    let sorted = entries.sorted { left, right in
      let (a, b) = (left.key.utf8, right.key.utf8)
      return a.count != b.count ? a.count < b.count : a.lexicographicallyPrecedes(b)
    }
    for (key, value) in sorted {
      try text(key, limit: keyLimit)
      try text(value, limit: valueLimit)
    }
  }
}
