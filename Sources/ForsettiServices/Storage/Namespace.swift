import ForsettiCore

/// Whose data, and in which service: the unit of quotas. Another origin of the same ID is another owner.
struct DataOwner: Sendable, Hashable {
  /// The services that keep data of modules; raw values are the database's.
  enum Kind: Int64, Sendable {
    case storage = 1
    case secureStorage = 2
    case fileExport = 3
  }

  /// In lower case, as module IDs compare without it.
  let moduleID: String
  let origin: String
  let kind: Kind

  init(_ caller: ServiceCaller, _ kind: Kind) {
    // Module IDs are ASCII.
    moduleID = caller.moduleID.lowercased()
    origin = caller.dataOrigin
    self.kind = kind
  }
}

/// One key space: a store of an owner, or the one without a name.
struct Namespace: Sendable, Hashable {
  let owner: DataOwner
  /// Empty for the one without a name: a manifest's store IDs are never blank.
  let store: ScalarText
}

/// The key spaces that a module may use: those its manifest owns, and the one without a name.
struct NamespaceTable: Sendable {
  let owner: DataOwner
  private let nameless: Namespace
  private let stores: [ScalarText: Namespace]

  init(_ caller: ServiceCaller, _ kind: DataOwner.Kind) {
    let owner = DataOwner(caller, kind)
    self.owner = owner
    nameless = Namespace(owner: owner, store: ScalarText(""))
    let names = caller.manifest.runtimeRequirements.dataIsolation.ownedStoreIDs.map {
      ScalarText($0.trimmedScalars)
    }
    stores = Dictionary(
      names.map { ($0, Namespace(owner: owner, store: $0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// The key space of a store.
  func namespace(_ store: String?) throws(ServiceError) -> Namespace {
    guard let store else { return nameless }
    guard let namespace = stores[ScalarText(store)] else {
      throw .serviceDenied(
        .undeclared, detail: "store \(store.quoted()) is not among the manifest's ownedStoreIDs")
    }
    return namespace
  }
}

/// Bounds on keys and values.
enum KeyRules {
  /// The longest key, in bytes of UTF-8.
  static let longestKey = 256
  /// The largest value, in bytes.
  static let largestValue = 1 << 20
  /// Keys in one answer.
  static let page = 1_000

  static func check(key: String) throws(ServiceError) {
    guard (1...longestKey).contains(key.utf8.count) else {
      throw .invalidArgument(name: "key", reason: "1 to \(longestKey) bytes of UTF-8 are meant")
    }
  }

  static func check(valueBytes: Int) throws(ServiceError) {
    guard valueBytes <= largestValue else { throw .tooLarge(limit: UInt64(largestValue)) }
  }

  static func check(prefix: String, cursor: String?) throws(ServiceError) {
    guard prefix.utf8.count <= longestKey else {
      throw .invalidArgument(name: "prefix", reason: "at most \(longestKey) bytes of UTF-8 are meant")
    }
    guard (cursor?.utf8.count ?? 0) <= longestKey else {
      throw .invalidArgument(name: "cursor", reason: "at most \(longestKey) bytes of UTF-8 are meant")
    }
  }
}

/// How much a module may keep in one service.
public struct StorageQuota: Sendable, Hashable {
  /// Keys and values together, in bytes.
  public var bytes: Int64
  /// How many keys, in all its stores.
  public var keys: Int64

  /// Makes a quota.
  public init(bytes: Int64, keys: Int64) {
    self.bytes = bytes
    self.keys = keys
  }
}
