import ForsettiCore

/// Methods of `StorageService`.
public enum StorageMethods {
  /// `set(_:forKey:in:)`
  public static let set = ServiceMethod<StoreEntry<String>, Nothing>(.storage, 1, "set", .fixed(.write))
  /// `value(forKey:in:)`
  public static let value = ServiceMethod<StoreKey, String?>(.storage, 2, "value", .fixed(.read))
  /// `removeValue(forKey:in:)`
  public static let removeValue = ServiceMethod<StoreKey, Nothing>(
    .storage, 3, "removeValue", .fixed(.write))
  /// `keys(prefix:after:in:)`
  public static let keys = ServiceMethod<StoreListing, [String]>(.storage, 4, "keys", .fixed(.read))

  static let all = [set.info, value.info, removeValue.info, keys.info]
}

/// Methods of `SecureStorageService`.
public enum SecureStorageMethods {
  /// `set(_:forKey:in:)`
  public static let set = ServiceMethod<StoreEntry<Bytes>, Nothing>(
    .secureStorage, 1, "set", .fixed(.write))
  /// `value(forKey:in:)`
  public static let value = ServiceMethod<StoreKey, Bytes?>(.secureStorage, 2, "value", .fixed(.read))
  /// `removeValue(forKey:in:)`
  public static let removeValue = ServiceMethod<StoreKey, Nothing>(
    .secureStorage, 3, "removeValue", .fixed(.write))
  /// `keys(prefix:after:in:)`
  public static let keys = ServiceMethod<StoreListing, [String]>(
    .secureStorage, 4, "keys", .fixed(.read))

  static let all = [set.info, value.info, removeValue.info, keys.info]
}

/// A key of a store.
public struct StoreKey: CallValue, Hashable {
  /// One that the manifest owns; `nil` is the one without a name.
  public var store: String?
  /// What the service takes for a key.
  public var key: String

  /// Makes a value.
  public init(store: String?, key: String) {
    self.store = store
    self.key = key
  }

  /// Writes `[store, key]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 2)
    try writer.optionalName(store)
    try writer.name(key)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(2)
    store = try reader.optionalName()
    key = try reader.name()
  }
}

/// A key of a store, and its value.
public struct StoreEntry<Value: CallValue & Hashable>: CallValue, Hashable {
  /// One that the manifest owns; `nil` is the one without a name.
  public var store: String?
  /// What the service takes for a key.
  public var key: String
  /// What it is set to.
  public var value: Value

  /// Makes a value.
  public init(store: String?, key: String, value: Value) {
    self.store = store
    self.key = key
    self.value = value
  }

  /// Writes `[store, key, value]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 3)
    try writer.optionalName(store)
    try writer.name(key)
    try value.encode(into: &writer)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(3)
    store = try reader.optionalName()
    key = try reader.name()
    value = try Value(from: &reader)
  }

  /// What the parts take.
  public var sizeHint: Int { 16 &+ (store?.utf8.count ?? 0) &+ key.utf8.count &+ value.sizeHint }
}

/// Which keys of a store are wanted.
public struct StoreListing: CallValue, Hashable {
  /// One that the manifest owns; `nil` is the one without a name.
  public var store: String?
  /// What they start with.
  public var prefix: String
  /// The last key of the answer before.
  public var cursor: String?

  /// Makes a value.
  public init(store: String?, prefix: String, cursor: String?) {
    self.store = store
    self.prefix = prefix
    self.cursor = cursor
  }

  /// Writes `[store, prefix, cursor]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 3)
    try writer.optionalName(store)
    try writer.name(prefix)
    try writer.optionalName(cursor)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(3)
    store = try reader.optionalName()
    prefix = try reader.name()
    cursor = try reader.optionalName()
  }
}
