internal import ForsettiModuleKit

/// Texts of an inventory, which are as little trusted as any: in one bounded line, or nothing where they say nothing.
struct InventoryText {
  /// Scalars of a text at most; no name or model is near that.
  private static let limit = 200
  /// Different texts that are remembered. Models, systems and places repeat in thousands of devices.
  private static let poolLimit = 4_096

  private var pool: Set<String> = []

  /// A text that differs from device to device.
  func own(_ value: JSONValue?) -> String? {
    guard let text = value?.stringValue?.trimmedScalars, !text.isEmpty else { return nil }
    // Nearly every text is plain ASCII, and stays as it is.
    return text.utf8.count <= Self.limit && text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
      ? text : text.plain(limit: Self.limit)
  }

  /// A text that many devices have: they share one.
  mutating func shared(_ value: JSONValue?) -> String? { own(value).map { share($0) } }

  mutating func share(_ text: String) -> String {
    if let index = pool.firstIndex(of: text), pool[index].hasSameScalars(as: text) { return pool[index] }
    if pool.count < Self.poolLimit { pool.insert(text) }
    return text
  }

  /// An ID, which is a text or a number; nothing for those that mean nothing.
  func id(_ value: JSONValue?) -> String? {
    let text = own(value) ?? value?.integerValue.map { "\($0)" }
    return text == "-1" || text == "0" ? nil : text
  }

  /// A share in percent, held to what one can be.
  func percent(_ value: JSONValue?) -> Int? {
    guard let number = value?.doubleValue, number.isFinite else { return nil }
    return Int(min(max(number, 0), 100))
  }
}
