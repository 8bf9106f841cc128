import CSodium

/// XChaCha20-Poly1305 (crypto_aead_xchacha20poly1305_ietf): form (1), nonce (24), ciphertext, tag (16).
enum AEAD {
  /// The first byte of everything sealed, so that a later form can be told apart.
  private static let form: UInt8 = 1
  private static let nonceLength = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
  private static let tagLength = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
  /// How much longer the sealed form is.
  static let overhead = 1 + nonceLength + tagLength

  /// Seals with a random nonce of 192 bits, which never repeats.
  static func seal(_ plain: [UInt8], associated: [UInt8], key: SecretBytes) -> [UInt8] {
    key.withBytes { seal(plain, associated: associated, key: $0) }
  }

  /// Opens; `nil` for what was changed, or sealed with other associated data or another key.
  static func open(_ sealed: [UInt8], associated: [UInt8], key: SecretBytes) -> [UInt8]? {
    key.withBytes { open(sealed, associated: associated, key: $0) }
  }

  /// Seals with 32 bytes of key.
  static func seal(_ plain: [UInt8], associated: [UInt8], key: UnsafePointer<UInt8>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: plain.count + overhead) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      base.pointee = form
      let nonce = base + 1
      randombytes_buf(nonce, nonceLength)
      var length: UInt64 = 0
      // Returns 0 whatever it is given.
      crypto_aead_xchacha20poly1305_ietf_encrypt(
        nonce + nonceLength, &length, plain, UInt64(plain.count), associated, UInt64(associated.count), nil,
        nonce, key)
      count = 1 + nonceLength + Int(length)
    }
  }

  /// Opens with 32 bytes of key.
  static func open(_ sealed: [UInt8], associated: [UInt8], key: UnsafePointer<UInt8>) -> [UInt8]? {
    guard sealed.count >= overhead, sealed.first == form else { return nil }
    var isGenuine = false
    let plain = [UInt8](unsafeUninitializedCapacity: sealed.count - overhead) { buffer, count in
      sealed.withUnsafeBufferPointer { sealed in
        guard let nonce = sealed.baseAddress.map({ $0 + 1 }) else { return }
        var length: UInt64 = 0
        let code = crypto_aead_xchacha20poly1305_ietf_decrypt(
          buffer.baseAddress, &length, nil, nonce + nonceLength, UInt64(sealed.count - 1 - nonceLength),
          associated, UInt64(associated.count), nonce, key)
        isGenuine = code == 0
        count = isGenuine ? Int(length) : 0
      }
    }
    return isGenuine ? plain : nil
  }
}

/// Texts joined so that no two different lists give the same bytes: each with its length before it.
enum Joined {
  static func bytes(_ parts: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts {
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: part.utf8.count).littleEndian) { bytes += $0 }
      bytes += part.utf8
    }
    return bytes
  }
}
