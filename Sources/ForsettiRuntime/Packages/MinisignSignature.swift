import CSodium

/// A minisign public key as a policy names it: 56 characters of base64.
struct MinisignKey: Sendable, Hashable {
  /// The key as text.
  let text: String
  let identifier: [UInt8]
  let publicKey: [UInt8]

  /// Reads a key; `nil` where the text is none.
  init?(_ text: String) {
    // Two letters of the algorithm, eight bytes of identifier, the Ed25519 key.
    guard let bytes = Base64.decode(text, count: 42), bytes.starts(with: MinisignSignature.legacy) else {
      return nil
    }
    self.text = text
    identifier = Array(bytes[2..<10])
    publicKey = Array(bytes[10...])
  }
}

/// A detached signature in minisign's format (minisign(1), "signature format"): four lines, an untrusted comment, a
/// signature, a trusted comment, and a signature over the signature and that comment.
struct MinisignSignature: Sendable, Hashable {
  /// The largest file that is read: two comments of minisign's own limits and more.
  static let fileLimit = 16_384

  fileprivate static let legacy = Array("Ed".utf8)
  private static let prehashed = Array("ED".utf8)
  private static let untrusted = Array("untrusted comment: ".utf8)
  private static let trusted = Array("trusted comment: ".utf8)
  private static let signatureSize = Int(crypto_sign_BYTES)

  /// Which key made it. A hint: anyone can write one.
  let identifier: [UInt8]
  private let isPrehashed: Bool
  private let signature: [UInt8]
  private let comment: [UInt8]
  private let globalSignature: [UInt8]

  /// Reads the bytes of a signature file.
  init(_ bytes: [UInt8]) throws(MinisignFault) {
    guard bytes.count <= Self.fileLimit else { throw .malformed("it is longer than \(Self.fileLimit) bytes") }
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    lines = lines.map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
    guard lines.count == 4 else { throw .malformed("it has \(lines.count) lines, not 4") }
    guard lines[0].starts(with: Self.untrusted), lines[2].starts(with: Self.trusted) else {
      throw .malformed("a line of comment does not begin as it must")
    }
    guard
      let first = Base64.decode(String(decoding: lines[1], as: UTF8.self), count: 10 + Self.signatureSize),
      let second = Base64.decode(String(decoding: lines[3], as: UTF8.self), count: Self.signatureSize)
    else { throw .malformed("a signature is not \(Self.signatureSize) bytes in base64") }
    switch Array(first[..<2]) {
    case Self.legacy: isPrehashed = false
    case Self.prehashed: isPrehashed = true
    default: throw .malformed("its algorithm is neither Ed nor ED")
    }
    identifier = Array(first[2..<10])
    signature = Array(first[10...])
    comment = Array(lines[2].dropFirst(Self.trusted.count))
    globalSignature = second
  }

  /// Checks that `key` signed `message`, and the comment with it.
  func verify(_ message: [UInt8], by key: MinisignKey) throws(MinisignFault) {
    guard identifier == key.identifier else { throw .otherKey }
    guard Self.isSigned(isPrehashed ? Self.hash(message) : message, signature, by: key) else {
      throw .invalid
    }
    guard Self.isSigned(signature + comment, globalSignature, by: key) else { throw .commentChanged }
  }

  private static func isSigned(_ message: [UInt8], _ signature: [UInt8], by key: MinisignKey) -> Bool {
    crypto_sign_verify_detached(signature, message, UInt64(message.count), key.publicKey) == 0
  }

  /// BLAKE2b of 64 bytes, without a key.
  private static func hash(_ message: [UInt8]) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: Int(crypto_generichash_BYTES_MAX))
    // Returns 0 for every size it supports.
    _ = crypto_generichash(&hash, hash.count, message, UInt64(message.count), nil, 0)
    return hash
  }
}

/// Why a signature is none.
enum MinisignFault: Error, Sendable, Hashable, CustomStringConvertible {
  case malformed(String)
  /// Made by another key than the one it was held against.
  case otherKey
  /// It is of something else.
  case invalid
  /// The signature holds, but its trusted comment was changed.
  case commentChanged

  var description: String {
    switch self {
    case .malformed(let reason): "it is no minisign signature: \(reason)"
    case .otherKey: "it was made by another key"
    case .invalid: "it does not sign this ID, version, manifest and executable"
    case .commentChanged: "its trusted comment was changed after it was signed"
    }
  }
}

/// Base64 with padding (RFC 4648 §4), strictly.
private enum Base64 {
  /// The bytes, if they are exactly so many.
  static func decode(_ text: String, count: Int) -> [UInt8]? {
    var written = 0
    var isWhole = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      guard let base = buffer.baseAddress else { return }
      let result = sodium_base642bin(
        base, buffer.count, text, text.utf8.count, nil, &written, nil,
        sodium_base64_VARIANT_ORIGINAL)
      isWhole = result == 0 && written == count
      used = isWhole ? count : 0
    }
    return isWhole ? bytes : nil
  }
}
