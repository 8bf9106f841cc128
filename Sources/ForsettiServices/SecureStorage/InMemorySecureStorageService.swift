public import ForsettiCore

/// Secure storage that forgets everything with the process: for tests, and only where it is asked for by name.
public actor InMemorySecureStorageService: SecureStorageService {
  private struct Place: Hashable {
    var store: ScalarText?
    var key: ScalarText
  }

  private var values: [Place: [UInt8]] = [:]

  /// Makes an empty one.
  public init() {}

  /// Keeps a value.
  public func set(_ value: [UInt8], forKey key: String, in store: String?) throws(ServiceError) {
    try KeyRules.check(key: key)
    try KeyRules.check(valueBytes: value.count)
    values[place(key, store)] = value
  }

  /// The value of a key, if it has one.
  public func value(forKey key: String, in store: String?) throws(ServiceError) -> [UInt8]? {
    try KeyRules.check(key: key)
    return values[place(key, store)]
  }

  /// Removes a key.
  public func removeValue(forKey key: String, in store: String?) throws(ServiceError) {
    try KeyRules.check(key: key)
    values[place(key, store)] = nil
  }

  /// Keys that start with `prefix`, sorted by their bytes, after `cursor`; at most 1,000.
  public func keys(
    prefix: String, after cursor: String?, in store: String?
  ) throws(ServiceError) -> [String] {
    try KeyRules.check(prefix: prefix, cursor: cursor)
    let wanted = store.map(ScalarText.init)
    let found = values.keys.lazy.filter { $0.store == wanted }.map(\.key.text)
      .filter { $0.utf8.starts(with: prefix.utf8) }
      .filter { cursor?.utf8.lexicographicallyPrecedes($0.utf8) ?? true }
    return Array(found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(KeyRules.page))
  }

  private func place(_ key: String, _ store: String?) -> Place {
    Place(store: store.map(ScalarText.init), key: ScalarText(key))
  }
}
