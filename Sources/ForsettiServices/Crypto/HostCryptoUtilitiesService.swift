import CSodium
import ForsettiBlocking
public import ForsettiCore

/// Cryptography for one module. Its keys are derived from the master key, the module's ID and origin, the key's
/// name and its use: they are never stored, never the same for two modules, and gone with the master key.
public actor HostCryptoUtilitiesService: CryptoUtilitiesService {
  /// What a key is for; no key serves two.
  private enum Use: String {
    case hmac, aead, ed25519
  }

  /// The largest input, in bytes.
  private static let largestData = 1 << 20
  private static let keyLength = 32

  private let executor: BlockingExecutor
  private let root: SecretBytes
  private let owner: [String]

  /// A thread of the services: a megabyte takes milliseconds.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ root: SecretBytes, for caller: ServiceCaller, on executor: BlockingExecutor) {
    self.root = root
    self.executor = executor
    owner = [caller.moduleID.lowercased(), caller.dataOrigin]
  }

  /// Random bytes, 1 to 4,096.
  public func random(count: Int) throws(ServiceError) -> [UInt8] {
    guard (1...4_096).contains(count) else {
      throw .invalidArgument(name: "count", reason: "1 to 4096 is meant")
    }
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }

  /// SHA-256.
  public func sha256(_ data: [UInt8]) throws(ServiceError) -> [UInt8] {
    try check(data)
    return Self.result(Int(crypto_hash_sha256_BYTES)) { crypto_hash_sha256($0, data, UInt64(data.count)) }
  }

  /// HMAC-SHA-256 with the module's key of this name.
  public func hmac(_ data: [UInt8], keyName: String) throws(ServiceError) -> [UInt8] {
    try check(data)
    return try withKey(keyName, .hmac) { key in
      Self.result(Int(crypto_auth_hmacsha256_BYTES)) {
        crypto_auth_hmacsha256($0, data, UInt64(data.count), key)
      }
    }
  }

  /// XChaCha20-Poly1305; the result is 41 bytes longer and carries its nonce.
  public func seal(_ data: [UInt8], keyName: String, associated: [UInt8]) throws(ServiceError) -> [UInt8] {
    try check(data)
    try check(associated, name: "associated")
    return try withKey(keyName, .aead) { AEAD.seal(data, associated: associated, key: $0) }
  }

  /// Opens what `seal` made; `failed("forged", …)` where it was changed.
  public func open(_ sealed: [UInt8], keyName: String, associated: [UInt8]) throws(ServiceError) -> [UInt8] {
    guard sealed.count <= Self.largestData + AEAD.overhead else {
      throw .tooLarge(limit: UInt64(Self.largestData + AEAD.overhead))
    }
    try check(associated, name: "associated")
    let plain = try withKey(keyName, .aead) { AEAD.open(sealed, associated: associated, key: $0) }
    guard let plain else {
      throw .failed(
        code: "forged", message: "it was changed, or sealed with another key or other associated data")
    }
    return plain
  }

  /// An Ed25519 signature (RFC 8032).
  public func sign(_ data: [UInt8], keyName: String) throws(ServiceError) -> [UInt8] {
    try check(data)
    return try withKey(keyName, .ed25519) { Ed25519.sign(data, seed: $0) }
  }

  /// Whether a signature of the module's own key holds.
  public func verify(_ signature: [UInt8], of data: [UInt8], keyName: String) throws(ServiceError) -> Bool {
    try check(data)
    return try withKey(keyName, .ed25519) {
      Ed25519.verify(signature, of: data, publicKey: Ed25519.publicKey(seed: $0))
    }
  }

  private func check(_ data: [UInt8], name: String = "data") throws(ServiceError) {
    guard data.count <= Self.largestData else { throw .tooLarge(limit: UInt64(Self.largestData)) }
  }

  /// Derives a key for one use, and zeroes it afterwards.
  private func withKey<T>(
    _ name: String, _ use: Use, _ body: (UnsafePointer<UInt8>) -> T
  ) throws(ServiceError) -> T {
    guard (1...KeyRules.longestKey).contains(name.utf8.count) else {
      throw .invalidArgument(name: "keyName", reason: "1 to \(KeyRules.longestKey) bytes of UTF-8 are meant")
    }
    let label = Joined.bytes([use.rawValue] + owner + [name])
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.keyLength) { key in
      guard let base = key.baseAddress else {
        preconditionFailure("an allocation of 32 bytes has an address")
      }
      defer { sodium_memzero(base, key.count) }
      _ = root.withBytes {
        crypto_generichash(base, key.count, label, UInt64(label.count), $0, root.count)
      }
      return body(UnsafePointer(base))
    }
  }

  private static func result(_ count: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    // The functions of one shot return 0 whatever they are given.
    _ = fill(&bytes)
    return bytes
  }
}

/// Ed25519 by libsodium, from a seed of 32 bytes.
enum Ed25519 {
  static let signatureLength = Int(crypto_sign_BYTES)

  /// The public key of a seed.
  static func publicKey(seed: UnsafePointer<UInt8>) -> [UInt8] {
    withKeyPair(seed) { publicKey, _ in publicKey }
  }

  /// Signs.
  static func sign(_ data: [UInt8], seed: UnsafePointer<UInt8>) -> [UInt8] {
    withKeyPair(seed) { _, secret in
      var signature = [UInt8](repeating: 0, count: signatureLength)
      crypto_sign_detached(&signature, nil, data, UInt64(data.count), secret)
      return signature
    }
  }

  /// Whether a signature holds.
  static func verify(_ signature: [UInt8], of data: [UInt8], publicKey: [UInt8]) -> Bool {
    signature.count == signatureLength
      && crypto_sign_verify_detached(signature, data, UInt64(data.count), publicKey) == 0
  }

  private static func withKeyPair<T>(
    _ seed: UnsafePointer<UInt8>, _ body: ([UInt8], UnsafePointer<UInt8>) -> T
  ) -> T {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(crypto_sign_SECRETKEYBYTES)) { secret in
      guard let base = secret.baseAddress else {
        preconditionFailure("an allocation of 64 bytes has an address")
      }
      defer { sodium_memzero(base, secret.count) }
      var publicKey = [UInt8](repeating: 0, count: Int(crypto_sign_PUBLICKEYBYTES))
      crypto_sign_seed_keypair(&publicKey, base, seed)
      return body(publicKey, UnsafePointer(base))
    }
  }
}
