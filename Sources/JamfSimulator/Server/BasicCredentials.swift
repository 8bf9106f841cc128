/// A name and a password as RFC 7617 writes them into a header.
struct BasicCredentials: Sendable, Equatable {
  var name: String
  var password: String

  /// Reads `Basic ` and Base64; nothing for another header.
  init?(_ header: String) {
    guard header.utf8.count <= 1_024, header.hasPrefix("Basic "),
      let bytes = Self.decode(header.dropFirst(6).utf8),
      let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
    else { return nil }
    name = String(text[..<colon])
    password = String(text[text.index(after: colon)...])
  }

  /// RFC 4648 §4, with padding.
  private static func decode(_ text: Substring.UTF8View) -> [UInt8]? {
    let digits = text.prefix { $0 != UInt8(ascii: "=") }
    guard text.count % 4 == 0, text.count - digits.count <= 2,
      text.dropFirst(digits.count).allSatisfy({ $0 == UInt8(ascii: "=") })
    else { return nil }
    var bytes: [UInt8] = []
    var (buffer, bits): (UInt32, UInt32) = (0, 0)
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      buffer = (buffer << 6 | value) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
      }
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
