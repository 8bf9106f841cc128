public import ForsettiCore
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
  /// What each module may export.
  public var exportQuota = ExportQuota(bytes: 256 << 20, files: 1_000)
  /// What a module may reach, as `Policy.networking(for:origin:)` says; nothing unless told otherwise.
  public var networkingRules: @Sendable (ServiceCaller) -> NetworkingRules = { _ in NetworkingRules() }
  /// Whoever performs requests of modules and of telemetry; nobody unless told otherwise.
  public var transport: any HTTPTransport = NoTransport()
  /// How hosts are found.
  public var networking = NetworkingOptions()
  /// Where telemetry goes.
  public var telemetry = TelemetryDestination.off
  /// The collector of traces, if there is one.
  public var traces: TelemetryCollectorOptions?
  /// The wall clock, milliseconds since 1970.
  public var now: @Sendable () -> Int64 = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Makes a configuration with the defaults.
  public init(stateFolder: String) {
    self.stateFolder = stateFolder
    credentialsFolder = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
  }

  /// The folder of databases and keys.
  var servicesFolder: String { stateFolder + "/services" }
  /// The folder of the modules' export folders.
  var exportsFolder: String { stateFolder + "/exports" }
}
