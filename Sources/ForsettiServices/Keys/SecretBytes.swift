import CSodium

/// Bytes that are locked in memory, left out of core dumps, fenced by guard pages and zeroed at the end
/// (sodium_malloc(3)).
// @unchecked: written by the initialiser alone, read-only for the processor afterwards.
final class SecretBytes: @unchecked Sendable {
  let count: Int
  private let base: UnsafeMutablePointer<UInt8>

  /// Makes a secret of a length; `fill` writes it.
  ///
  /// - Throws: `MasterKeyError.noMemory`, or what `fill` throws.
  init(count: Int, fill: (UnsafeMutablePointer<UInt8>) throws(MasterKeyError) -> Void) throws(MasterKeyError)
  {
    guard Sodium.isReady, let memory = sodium_malloc(count) else { throw .noMemory }
    base = memory.assumingMemoryBound(to: UInt8.self)
    self.count = count
    try fill(base)
    sodium_mprotect_readonly(memory)
  }

  deinit { sodium_free(base) }

  /// Lends the bytes.
  func withBytes<T>(_ body: (UnsafePointer<UInt8>) -> T) -> T {
    defer { withExtendedLifetime(self) {} }
    return body(base)
  }
}

/// libsodium, ready for use.
enum Sodium {
  // sodium_init(3) is idempotent and safe from any thread; it fails only without a random source.
  static let isReady = sodium_init() >= 0
}
