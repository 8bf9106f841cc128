/// Limits of what a message carries (SPEC §1 for all that a manifest holds). Both ends check them.
public enum ProtocolLimits {
  /// Bytes of UTF-8 in a string of a manifest or contribution, and in every ID.
  public static let text = 4096
  /// Items in an array, members in a map of text.
  public static let items = 1024
  /// Bytes of a seccomp filter: 4,096 instructions of 8 bytes.
  public static let filter = 32_768
  /// Bytes of a log message, and of why a start failed.
  public static let message = 8192
  /// Entries of a log record's metadata.
  public static let metadata = 32
  /// Bytes of an event's type, which travels in the head.
  public static let eventType = 1024
  /// Bytes of what was wrong with a `setUp`, which travels in the head.
  public static let complaint = 1024
  /// Bytes of a call's verb, which travels in the head.
  public static let verb = 32
  /// Bytes of a call's path, which travels in the head.
  public static let path = 1792
  /// Bytes of the ID of whoever sent a call or an event.
  public static let source = 2048
  /// Bytes that each text of a `failure` keeps; they travel in the head.
  public static let errorText = 1024
  /// Bytes of a URL.
  public static let url = 16_384
  /// Bytes of the name or value of a header field or a query item.
  public static let field = 65_536
  /// What a status of HTTP is.
  public static let httpStatus: ClosedRange<Int64> = 100...599
  /// Statements of one transaction.
  public static let statements = 256
  /// Parameters of one statement, columns of one row.
  public static let columns = 1000
  /// Rows of one answer.
  public static let rows = 65_536
  /// Diagnostic reports of one answer.
  public static let reports = 1000
  /// Integers of a version.
  public static let versionPart: ClosedRange<Int64> = 0...2_147_483_647

  /// The longest start of `text` that has at most `limit` bytes of UTF-8 and ends between two scalars.
  public static func truncated(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: max(0, limit))
    while end > text.startIndex, text.utf8[end] & 0xc0 == 0x80 { end = text.utf8.index(before: end) }
    return String(text.unicodeScalars[..<end])
  }
}
