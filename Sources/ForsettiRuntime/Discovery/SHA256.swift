import CSodium

/// SHA-256 (FIPS 180-4) by libsodium: of bytes at once, or of what comes in pieces.
public struct SHA256 {
  // sodium_init(3) chooses the fastest code for this processor, once; it fails only without a random source,
  // which hashing doesn't need.
  private static let isReady = sodium_init() >= 0

  private var state = crypto_hash_sha256_state()

  /// Starts with nothing.
  init() {
    _ = Self.isReady
    // This and what follows return 0 whatever they are given.
    _ = crypto_hash_sha256_init(&state)
  }

  /// Takes in more bytes.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    _ = crypto_hash_sha256_update(
      &state, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
  }

  /// The hash of all that was taken in, as 64 lower-case hexadecimal digits.
  consuming func hex() -> String {
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    _ = crypto_hash_sha256_final(&state, &hash)
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: hash.count * 2) { text in
      for (index, byte) in hash.enumerated() {
        text[2 * index] = digits[Int(byte >> 4)]
        text[2 * index + 1] = digits[Int(byte & 15)]
      }
      return hash.count * 2
    }
  }

  /// The hash of these bytes.
  public static func hex(_ bytes: [UInt8]) -> String {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.hex()
  }
}
