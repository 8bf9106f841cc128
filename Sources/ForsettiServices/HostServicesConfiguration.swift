/// What the host's services are made with.
public struct HostServicesConfiguration: Sendable {
  /// The supervisor's state folder; the services keep theirs in `services/` and `exports/` below it.
  public var stateFolder: String
  /// What each module may keep in storage.
  public var storageQuota = StorageQuota(bytes: 64 << 20, keys: 100_000)
  /// What each module may keep in secure storage, sealed.
  public var secureStorageQuota = StorageQuota(bytes: 8 << 20, keys: 10_000)

  /// Makes a configuration with the defaults.
  public init(stateFolder: String) {
    self.stateFolder = stateFolder
  }

  /// The folder of databases and keys.
  var servicesFolder: String { stateFolder + "/services" }
}
