internal import ForsettiModuleKit

/// Values of the inventory as people read them.
enum FieldText {
  /// Words of capitals become words, times become readable; all else stays as it is.
  static func shown(_ value: String) -> String {
    let text = value.trimmedScalars
    if let time = time(text) { return time }
    guard isShouting(text) else { return text }
    return text.split(whereSeparator: { $0 == "_" || $0 == " " })
      .map { $0.prefix(1) + $0.dropFirst().lowercased() }.joined(separator: " ")
  }

  /// `2026-11-30 01:28 UTC` of ISO 8601 with a time of day; nothing for another text.
  static func time(_ text: String) -> String? {
    guard text.utf8.count > 10, let time = CivilTime(iso8601: text) else { return nil }
    let clock = timestampText(time.milliseconds).dropFirst(11).prefix(5)
    return "\(time.dateText) \(clock) UTC"
  }

  /// `UPPER_SNAKE` or `UPPER CASE`; a serial number has digits, so it is none of them.
  private static func isShouting(_ text: String) -> Bool {
    var letters = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): letters += 1
      case UInt8(ascii: "_"), UInt8(ascii: " "): break
      default: return false
      }
    }
    return letters > 1
  }

  /// Megabytes as `512 MB`, `1.5 GB` or `971 GB`, of 1,024 each; nothing below zero.
  static func megabytes(_ count: Int64) -> String? {
    guard count >= 0 else { return nil }
    guard count >= 1_024 else { return "\(count) MB" }
    let gigabytes = Double(count) / 1_024
    return gigabytes < 100 ? "\(oneDecimal(gigabytes)) GB" : "\(Int64(gigabytes.rounded())) GB"
  }

  /// `32.0`
  static func oneDecimal(_ number: Double) -> String {
    let tenths = Int64((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
