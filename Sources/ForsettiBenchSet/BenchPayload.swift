internal import Glibc

/// Requests and what must come back: a pattern with a sequence number first and last, of which whoever answers inverts
/// byte 8. The same as in Benchmarks/floors.
public struct BenchPayload: Sendable {
  /// The next request.
  public private(set) var request: [UInt8]
  private var expected: [UInt8]

  /// Makes payloads of a size, at least 24 bytes.
  public init(size: Int) {
    var bytes = [UInt8](repeating: 0, count: size)
    var x: UInt32 = 2_463_534_242
    for index in bytes.indices {
      x ^= x &<< 13
      x ^= x &>> 17
      x ^= x &<< 5
      bytes[index] = UInt8(truncatingIfNeeded: x)
    }
    request = bytes
    expected = bytes
    Self.answer(&expected)
  }

  /// Numbers the next request.
  public mutating func number(_ sequence: UInt64) {
    Self.number(&request, sequence)
    Self.number(&expected, sequence)
  }

  /// Whether an answer is the one to the request, every byte of it.
  public func accepts(_ answer: [UInt8]) -> Bool { answer == expected }

  private static func number(_ bytes: inout [UInt8], _ sequence: UInt64) {
    let last = bytes.count - 8
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: sequence.littleEndian, toByteOffset: 0, as: UInt64.self)
      $0.storeBytes(of: sequence.littleEndian, toByteOffset: last, as: UInt64.self)
    }
  }

  /// Makes the answer of a request.
  public static func answer(_ bytes: inout [UInt8]) { if bytes.count > 8 { bytes[8] ^= 0xFF } }

  /// The answer to a module's nonce at its start.
  public static func answer(nonce: String) -> String { String(nonce.reversed()) }

  /// How a nonce begins that is to be answered wrongly, to see that answers are checked.
  public static let spoiler = "spoil-"
}

/// The text of an event: 64 bytes, its number first and last.
public struct BenchText: Sendable {
  private var bytes: [UInt8]

  /// Makes texts.
  public init() { bytes = Array("0000000000000000, an event of 64 bytes, numbered0000000000000000".utf8) }

  /// Numbers the text.
  public mutating func number(_ sequence: UInt64) {
    for digit in 0..<16 {
      let nibble = UInt8(truncatingIfNeeded: sequence &>> UInt64(60 - 4 * digit)) & 15
      let character = nibble < 10 ? nibble + 0x30 : nibble + 0x57
      bytes[digit] = character
      bytes[48 + digit] = character
    }
  }

  /// The text as it is now; `isSpoiled` has one byte wrong.
  public func text(isSpoiled: Bool = false) -> String {
    guard isSpoiled else { return String(decoding: bytes, as: UTF8.self) }
    var wrong = bytes
    wrong[30] ^= 1
    return String(decoding: wrong, as: UTF8.self)
  }

  /// Whether a text is this one, every byte of it.
  public func matches(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { found in
      bytes.withUnsafeBufferPointer { own in
        guard let left = found.baseAddress, let right = own.baseAddress else { return false }
        return found.count == own.count && memcmp(left, right, own.count) == 0
      }
    } ?? false
  }
}
