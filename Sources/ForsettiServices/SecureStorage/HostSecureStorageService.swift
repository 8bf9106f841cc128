import ForsettiBlocking
public import ForsettiCore

/// Secure storage of one module: values sealed with XChaCha20-Poly1305 in the services' SQLite file. Module ID,
/// origin, store and key are associated data, so that a sealed value opens nowhere but in its own place.
public actor HostSecureStorageService: SecureStorageService {
  private let executor: BlockingExecutor
  private let store: KeyValueStore
  private let key: SecretBytes
  private let namespaces: NamespaceTable
  private let quota: StorageQuota

  /// The store's own thread: a call takes one hop, and sealing happens there too.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ store: KeyValueStore, key: SecretBytes, for caller: ServiceCaller, quota: StorageQuota) {
    self.store = store
    self.key = key
    executor = store.thread
    namespaces = NamespaceTable(caller, .secureStorage)
    self.quota = quota
  }

  /// Seals a value; returns once that is on the disk.
  public func set(_ value: [UInt8], forKey key: String, in store: String?) async throws(ServiceError) {
    try KeyRules.check(key: key)
    try KeyRules.check(valueBytes: value.count)
    let namespace = try namespaces.namespace(store)
    let sealed = AEAD.seal(value, associated: associated(namespace, key), key: self.key)
    try await self.store.set(sealed, forKey: key, in: namespace, quota: quota)
  }

  /// The value of a key, if it has one; `failed("forged", …)` where it was changed behind our back.
  public func value(forKey key: String, in store: String?) async throws(ServiceError) -> [UInt8]? {
    try KeyRules.check(key: key)
    let namespace = try namespaces.namespace(store)
    guard let sealed = try await self.store.value(forKey: key, in: namespace) else { return nil }
    guard let plain = AEAD.open(sealed, associated: associated(namespace, key), key: self.key) else {
      throw .failed(code: "forged", message: "the sealed value was changed, or belongs to another key")
    }
    return plain
  }

  /// Removes a key; returns once that is on the disk.
  public func removeValue(forKey key: String, in store: String?) async throws(ServiceError) {
    try KeyRules.check(key: key)
    try await self.store.remove(key, in: try namespaces.namespace(store))
  }

  /// Keys that start with `prefix`, sorted by their bytes, after `cursor`; at most 1,000. Keys are not sealed.
  public func keys(
    prefix: String, after cursor: String?, in store: String?
  ) async throws(ServiceError) -> [String] {
    try KeyRules.check(prefix: prefix, cursor: cursor)
    return try await self.store.keys(prefix: prefix, after: cursor, in: try namespaces.namespace(store))
  }

  private func associated(_ namespace: Namespace, _ key: String) -> [UInt8] {
    Joined.bytes([
      "secure_storage", namespace.owner.moduleID, namespace.owner.origin, namespace.store.text, key,
    ])
  }
}
