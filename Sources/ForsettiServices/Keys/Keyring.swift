import CSodium

/// The keys derived from the master key, one for each purpose; the master key itself is let go of.
struct Keyring: Sendable {
  /// Seals secure storage.
  let storage: SecretBytes
  /// The keys of modules are derived from it.
  let modules: SecretBytes
  /// Seed of the Ed25519 key that signs tokens.
  let tokens: SecretBytes
  private let check: SecretBytes

  /// Eight bytes, as crypto_kdf(3) wants them.
  private static let context = Array("forsetti".utf8CString.dropLast())
  private static let checkText = Array("forsetti key check 1".utf8)

  /// Derives all keys.
  init(master: SecretBytes) throws(MasterKeyError) {
    storage = try Self.subkey(1, of: master)
    modules = try Self.subkey(2, of: master)
    tokens = try Self.subkey(3, of: master)
    check = try Self.subkey(4, of: master)
  }

  private static func subkey(_ number: UInt64, of master: SecretBytes) throws(MasterKeyError) -> SecretBytes {
    try SecretBytes(count: 32) { (bytes) throws(MasterKeyError) in
      _ = master.withBytes { crypto_kdf_derive_from_key(bytes, 32, number, context, $0) }
    }
  }

  /// What is kept to know the key by.
  func sealedCheck() -> [UInt8] { AEAD.seal(Self.checkText, associated: [], key: check) }

  /// Whether this is the key that made a check.
  func opens(_ sealedCheck: [UInt8]) -> Bool {
    AEAD.open(sealedCheck, associated: [], key: check) == Self.checkText
  }
}

extension Keyring {
  /// Loads the master key and holds it to what is sealed already; makes one where nothing is.
  static func open(_ source: MasterKeySource, knownBy store: KeyValueStore) async throws(MasterKeyError)
    -> Keyring
  {
    let known: [UInt8]?
    do { known = try await store.keyCheck() } catch { throw .unchecked(reason: error.message) }
    let found = try source.load(mayMake: known == nil)
    let keyring = try Keyring(master: found.key)
    if let known {
      guard keyring.opens(known) else { throw .wrong(source: found.path) }
    } else {
      do { try await store.saveKeyCheck(keyring.sealedCheck()) } catch {
        throw .unchecked(reason: error.message)
      }
    }
    return keyring
  }
}
