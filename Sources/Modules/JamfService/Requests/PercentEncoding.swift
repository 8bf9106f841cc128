/// Writes what is not yet escaped into URLs and forms. Everything but RFC 3986's `unreserved` is escaped, `+` above all:
/// a form reads it as a space.
enum PercentEncoding {
  /// `name=value&…`.
  static func form(_ fields: [(String, String)]) -> String {
    fields.map { "\(escaped($0.0))=\(escaped($0.1))" }.joined(separator: "&")
  }

  static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte &>> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~".utf8.contains(byte)
    }
  }
}

/// Base 64 (RFC 4648, §4), which HTTP's Basic scheme wants.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.enumerated().reduce(UInt32(0)) {
        $0 | UInt32($1.element) &<< (16 - 8 * $1.offset)
      }
      for place in 0..<4 {
        output.append(
          place <= group.count ? alphabet[Int(bits &>> (18 - 6 * place) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
