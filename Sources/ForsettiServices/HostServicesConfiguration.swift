import Glibc

/// What the host's services are made with.
public struct HostServicesConfiguration: Sendable {
  /// The supervisor's state folder; the services keep theirs in `services/` and `exports/` below it.
  public var stateFolder: String
  /// Where the service manager puts credentials; `$CREDENTIALS_DIRECTORY` unless told otherwise.
  public var credentialsFolder: String?
  /// What each module may keep in storage.
  public var storageQuota = StorageQuota(bytes: 64 << 20, keys: 100_000)
  /// What each module may keep in secure storage, sealed.
  public var secureStorageQuota = StorageQuota(bytes: 8 << 20, keys: 10_000)
  /// What a call of the shared database may cost.
  public var sharedDatabase = SharedDatabaseLimits()
  /// `iss` of the tokens of modules.
  public var tokenIssuer = "forsetti"
  /// The wall clock in seconds since 1970.
  public var now: @Sendable () -> Int64 = { Int64(time(nil)) }

  /// Makes a configuration with the defaults.
  public init(stateFolder: String) {
    self.stateFolder = stateFolder
    credentialsFolder = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
  }

  /// The folder of databases and keys.
  var servicesFolder: String { stateFolder + "/services" }
}
