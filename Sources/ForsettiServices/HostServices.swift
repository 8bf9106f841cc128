import ForsettiBlocking
public import ForsettiCore
import Glibc

/// The host's adapters: for each service the function that makes one for a module. Two services have none here:
/// the provider of `api` is always a module, and `security` is answered by whoever knows the policy.
public struct HostServices: Sendable {
  /// Text under keys, in SQLite.
  public let storage: @Sendable (ServiceCaller) -> any StorageService
  /// Secrets under keys, sealed.
  public let secureStorage: @Sendable (ServiceCaller) -> any SecureStorageService
  /// Files for people, in a folder of the module's own.
  public let fileExport: @Sendable (ServiceCaller) -> any FileExportService
  /// Events, to where the configuration says.
  public let telemetry: @Sendable (ServiceCaller) -> any TelemetryService
  /// Cryptography with keys of the module's own.
  public let cryptoUtilities: @Sendable (ServiceCaller) -> any CryptoUtilitiesService
  /// SQL on the database that modules share.
  public let sharedDatabase: @Sendable (ServiceCaller) -> any SharedDatabaseService
  /// Identity and tokens.
  public let authentication: @Sendable (ServiceCaller) -> any AuthenticationService
  /// Reports of all modules.
  public let diagnostics: @Sendable (ServiceCaller) -> any DiagnosticsService
  /// HTTP within the policy's allow-list.
  public let networking: @Sendable (ServiceCaller) -> any NetworkingService
  /// Takes spans of calls to a collector; `nil` where there is none.
  public var spans: (any SpanSink)? { parts.spans }
  /// Why secure storage, cryptography and authentication answer `failed("no_key", …)`; `nil` where the master
  /// key is there.
  public let masterKeyFault: MasterKeyError?

  private let parts: HostServiceParts

  /// Opens databases, folders and keys; what is not there is made.
  public static func open(
    _ configuration: HostServicesConfiguration
  ) async throws(HostServicesError) -> HostServices {
    HostServices(configuration, try await HostServiceParts.open(configuration))
  }

  private init(_ configuration: HostServicesConfiguration, _ parts: HostServiceParts) {
    self.parts = parts
    let now = configuration.now
    let storageQuota = configuration.storageQuota
    let exportQuota = configuration.exportQuota
    storage = { HostStorageService(parts.keyValues, for: $0, quota: storageQuota) }
    fileExport = { HostFileExportService(parts.exports, for: $0, quota: exportQuota) }
    sharedDatabase = { _ in HostSharedDatabaseService(parts.shared) }
    diagnostics = { HostDiagnosticsService(parts.diagnostics, for: $0, now: now) }
    let rules = configuration.networkingRules
    let (transport, options) = (configuration.transport, configuration.networking)
    networking = {
      HostNetworkingService(
        transport, for: $0, rules: rules($0), options: options, digester: parts.digester)
    }
    telemetry = { HostTelemetryService(parts.telemetry, for: $0, now: now) }
    switch parts.keyring {
    case .success(let keyring):
      let secureQuota = configuration.secureStorageQuota
      let issuer = TokenIssuer(name: configuration.tokenIssuer, seed: keyring.tokens)
      masterKeyFault = nil
      secureStorage = {
        HostSecureStorageService(parts.keyValues, key: keyring.storage, for: $0, quota: secureQuota)
      }
      cryptoUtilities = { HostCryptoUtilitiesService(keyring.modules, for: $0, on: parts.crypto) }
      authentication = { HostAuthenticationService(issuer, for: $0, on: parts.crypto, now: now) }
    case .failure(let fault):
      masterKeyFault = fault
      secureStorage = { KeylessServices(caller: $0, reason: fault) }
      cryptoUtilities = { KeylessServices(caller: $0, reason: fault) }
      authentication = { KeylessServices(caller: $0, reason: fault) }
    }
  }

  /// Forgets what a module of one origin keeps in storage and secure storage.
  ///
  /// - Parameter origin: as `ModuleOrigin.text` says it.
  public func eraseData(moduleID: String, origin: String) async throws(ServiceError) {
    try await parts.keyValues.erase(moduleID: moduleID, origin: origin)
  }

  /// Sends the telemetry and the spans that still wait, as far as it can be sent in so long: for a supervisor that is about to end.
  ///
  /// - Returns: events and spans that could not be sent.
  public func flush(within limit: Duration) async -> Int {
    async let events = parts.telemetry?.flush(within: limit) ?? 0
    let spans = await parts.spans?.flush(within: limit) ?? 0
    return await events + spans
  }

  /// Keeps a report of the supervisor's own, or one that waited for its provider, as it is.
  public func keep(_ report: DiagnosticReport) async throws(ServiceError) {
    try await parts.diagnostics.add(report)
  }
}
