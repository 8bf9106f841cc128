/// The one form of a path that the policy judges and a provider sees (SPEC §4): absolute, without empty or dot
/// segments, and without escapes that a provider could read as one of these.
public enum APIPath {
  /// Bytes of a path at most.
  public static let maximumLength = 1792

  /// Why a path is refused.
  public enum Fault: String, Error, Sendable, Hashable, CaseIterable {
    case tooLong = "it is longer than 1,792 bytes"
    case relative = "it does not begin with a slash"
    case emptySegment = "it has an empty segment, \"//\""
    case dotSegment = "it has a segment \".\" or \"..\""
    case encodedSeparator = "it has an escaped slash, backslash or dot"
    case badEscape = "a percent sign is not followed by two hexadecimal digits"
    case badCharacter = "it has a character that a path cannot have; escape it"
  }

  /// Checks a path and writes its escapes in one way: upper-case digits, and none where none is needed.
  ///
  /// A trailing slash stays: it is for the provider to say what it means.
  public static func normalise(_ path: String) throws(Fault) -> String {
    let bytes = Array(path.utf8)
    guard bytes.count <= maximumLength else { throw .tooLong }
    guard bytes.first == UInt8(ascii: "/") else { throw .relative }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%") {
        try appendEscape(bytes, at: index, to: &result)
        index += 3
        continue
      }
      if byte == UInt8(ascii: "/"), result.last == byte { throw .emptySegment }
      guard byte == UInt8(ascii: "/") || isPathByte(byte) else { throw .badCharacter }
      result.append(byte)
      index += 1
    }
    let segments = result.split(separator: UInt8(ascii: "/"))
    guard !segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) else {
      throw .dotSegment
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func appendEscape(
    _ bytes: [UInt8], at index: Int, to result: inout [UInt8]
  ) throws(Fault) {
    guard index + 2 < bytes.count, let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
    else { throw .badEscape }
    let byte = high << 4 | low
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "."): throw .encodedSeparator
    case 0..<0x20, 0x7F: throw .badCharacter
    default: break
    }
    if isUnreserved(byte) {
      result.append(byte)
    } else {
      result += [UInt8(ascii: "%"), hexDigit(high), hexDigit(low)]
    }
  }

  /// RFC 3986 `unreserved`, which no reader tells apart from its escape.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~".utf8.contains(byte)
    }
  }

  /// RFC 3986 `pchar` without escapes; a semicolon is left out, for some servers cut a segment at it.
  private static func isPathByte(_ byte: UInt8) -> Bool {
    isUnreserved(byte) || "!$&'()*+,=:@".utf8.contains(byte)
  }

  /// The value of a hexadecimal digit.
  public static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? value + 0x30 : value + 0x37 }
}
