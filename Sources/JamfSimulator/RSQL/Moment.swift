/// Times as Jamf writes them: ISO 8601 in UTC.
enum Moment {
  /// Milliseconds since 1970 of `2026-11-30`, `2026-11-30T01:28:39Z` or `2026-11-30T01:28:39.123Z`; nothing for
  /// another form or a day that no calendar has.
  static func parse(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 10 || bytes.count >= 20 else { return nil }
    guard let year = number(bytes, 0, 4), let month = number(bytes, 5, 2), let day = number(bytes, 8, 2),
      bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), let days = days(year, month, day)
    else { return nil }
    if bytes.count == 10 { return days * 86_400_000 }
    guard bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      bytes.last == UInt8(ascii: "Z"), let hour = number(bytes, 11, 2), let minute = number(bytes, 14, 2),
      let second = number(bytes, 17, 2), hour < 24, minute < 60, second < 60,
      let thousandths = thousandths(bytes[19..<(bytes.count - 1)])
    else { return nil }
    return days * 86_400_000 + (hour * 3_600 + minute * 60 + second) * 1_000 + thousandths
  }

  /// `.`, and up to nine digits of which three count.
  private static func thousandths(_ bytes: ArraySlice<UInt8>) -> Int64? {
    if bytes.isEmpty { return 0 }
    let digits = Array(bytes.dropFirst())
    guard bytes.first == UInt8(ascii: "."), (1...9).contains(digits.count),
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return number(digits + [0x30, 0x30], 0, 3)
  }

  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int64? {
    var value: Int64 = 0
    for byte in bytes[start..<(start + count)] {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    return value
  }

  /// Days since 1970 of a date in the Gregorian calendar: the inverse of `timestampText`.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
    guard (1970...9999).contains(year), (1...12).contains(month) else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let length: Int64 = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    guard (1...length).contains(day) else { return nil }
    // Years that begin on 1 March have their leap day last.
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
