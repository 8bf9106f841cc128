import CSodium

/// SHA-256 (FIPS 180-4) by libsodium.
enum SHA256 {
  // sodium_init(3) chooses the fastest code for this processor, once; it fails only without a random source,
  // which hashing doesn't need.
  private static let isReady = sodium_init() >= 0

  /// The hash as 64 lower-case hexadecimal digits.
  static func hex(_ bytes: [UInt8]) -> String {
    _ = isReady
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    // Returns 0 whatever it is given.
    _ = crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: hash.count * 2) { text in
      for (index, byte) in hash.enumerated() {
        text[2 * index] = digits[Int(byte >> 4)]
        text[2 * index + 1] = digits[Int(byte & 15)]
      }
      return hash.count * 2
    }
  }
}
