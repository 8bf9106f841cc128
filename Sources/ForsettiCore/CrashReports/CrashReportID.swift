/// Names a crash report: when the process ended, to a millisecond in UTC, and eight random digits, as in
/// `20261130T074512123Z-9f3a01bc`. It sorts by time, and is a file name that leads nowhere else.
public struct CrashReportID: Sendable, Hashable, Comparable, CustomStringConvertible {
  private static let digits = 8

  /// The ID as text.
  public let text: String

  /// Makes an ID.
  /// - Parameters:
  ///   - endedAt: milliseconds since 1970.
  ///   - random: tells it from others of the same millisecond.
  public init(endedAt: Int64, random: UInt32) {
    let time = timestampText(endedAt).filter { $0.isNumber || $0.isLetter }
    let hex = String(random, radix: 16)
    text = "\(time)-" + String(repeating: "0", count: Self.digits - hex.utf8.count) + hex
  }

  /// Reads an ID; `nil` for anything else, a path above all.
  public init?(_ text: String) {
    let pattern = Array("00000000T000000000Z-xxxxxxxx".utf8)
    guard text.utf8.count == pattern.count,
      zip(text.utf8, pattern).allSatisfy({ byte, kind in
        switch kind {
        case UInt8(ascii: "0"): (0x30...0x39).contains(byte)
        case UInt8(ascii: "x"): (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
        default: byte == kind
        }
      })
    else { return nil }
    self.text = text
  }

  /// The same as `text`.
  public var description: String { text }

  /// Earlier ends come first.
  public static func < (left: CrashReportID, right: CrashReportID) -> Bool { left.text < right.text }
}
