extension CivilTime {
  /// Reads ISO 8601 in UTC: `2026-11-30`, `2026-11-30T01:28:39Z` or `2026-11-30T01:28:39.123Z`, with up to nine digits after
  /// the point, of which three count. Nothing for another form, or a time that no calendar has.
  public init?(iso8601 text: String) {
    // The longest form has 30 bytes.
    guard text.utf8.count <= 30 else { return nil }
    let bytes = Array(text.utf8)
    guard bytes.count == 10 || bytes.count >= 20, bytes[4] == UInt8(ascii: "-"),
      bytes[7] == UInt8(ascii: "-"),
      let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
      let day = Self.number(bytes[8..<10])
    else { return nil }
    if bytes.count == 10 {
      self.init(year: year, month: month, day: day)
      return
    }
    guard bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      bytes.last == UInt8(ascii: "Z"), let hour = Self.number(bytes[11..<13]),
      let minute = Self.number(bytes[14..<16]), let second = Self.number(bytes[17..<19]),
      let thousandths = Self.thousandths(bytes[19..<(bytes.count - 1)])
    else { return nil }
    self.init(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: thousandths
    )
  }

  /// The date alone: `2026-11-30`.
  public var dateText: String {
    Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2)
  }

  /// RFC 3339 with milliseconds: `2026-11-30T01:28:39.123Z`.
  var iso8601Text: String {
    dateText + "T" + Self.padded(hour, 2) + ":" + Self.padded(minute, 2) + ":" + Self.padded(second, 2) + "."
      + Self.padded(millisecond, 3) + "Z"
  }

  /// Without marks, as names of files have it: `20261130-012839`.
  public var compactText: String {
    Self.padded(year, 4) + Self.padded(month, 2) + Self.padded(day, 2) + "-" + Self.padded(hour, 2)
      + Self.padded(minute, 2) + Self.padded(second, 2)
  }

  /// `.` and digits, or nothing at all.
  private static func thousandths(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return 0 }
    let digits = bytes.dropFirst()
    guard first == UInt8(ascii: "."), (1...9).contains(digits.count), number(digits) != nil else {
      return nil
    }
    return number((digits + [0x30, 0x30]).prefix(3))
  }

  /// The number of a few digits.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in digits {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return value
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
}
