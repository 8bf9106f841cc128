import ForsettiBlocking
public import ForsettiCore

/// Storage of one module: text in the services' SQLite file.
public actor HostStorageService: StorageService {
  private let executor: BlockingExecutor
  private let store: KeyValueStore
  private let namespaces: NamespaceTable
  private let quota: StorageQuota

  /// The store's own thread: a call takes one hop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ store: KeyValueStore, for caller: ServiceCaller, quota: StorageQuota) {
    self.store = store
    executor = store.thread
    namespaces = NamespaceTable(caller, .storage)
    self.quota = quota
  }

  /// Sets a key; returns once that is on the disk.
  public func set(_ value: String, forKey key: String, in store: String?) async throws(ServiceError) {
    try KeyRules.check(key: key)
    try KeyRules.check(valueBytes: value.utf8.count)
    let namespace = try namespaces.namespace(store)
    try await self.store.set(Array(value.utf8), forKey: key, in: namespace, quota: quota)
  }

  /// The value of a key, if it has one.
  public func value(forKey key: String, in store: String?) async throws(ServiceError) -> String? {
    try KeyRules.check(key: key)
    let namespace = try namespaces.namespace(store)
    return try await self.store.value(forKey: key, in: namespace).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Removes a key; returns once that is on the disk.
  public func removeValue(forKey key: String, in store: String?) async throws(ServiceError) {
    try KeyRules.check(key: key)
    try await self.store.remove(key, in: try namespaces.namespace(store))
  }

  /// Keys that start with `prefix`, sorted by their bytes, after `cursor`; at most 1,000.
  public func keys(
    prefix: String, after cursor: String?, in store: String?
  ) async throws(ServiceError) -> [String] {
    try KeyRules.check(prefix: prefix, cursor: cursor)
    return try await self.store.keys(prefix: prefix, after: cursor, in: try namespaces.namespace(store))
  }
}
