/// The services a module may use: those whose capability it was granted (seed "Service Injection").
public protocol ForsettiServiceProviding: Sendable {
  /// A service by its protocol, as in `resolve((any StorageService).self)`; `nil`, with one warning in the log, where
  /// its capability is not granted or there is no such service.
  func resolve<Service>(_ service: Service.Type) -> Service?
}

extension ForsettiServiceProviding {
  /// HTTP requests within the policy's allow-list.
  public var networking: (any NetworkingService)? { resolve((any NetworkingService).self) }
  /// Text under keys.
  public var storage: (any StorageService)? { resolve((any StorageService).self) }
  /// Secrets under keys.
  public var secureStorage: (any SecureStorageService)? { resolve((any SecureStorageService).self) }
  /// Files for people.
  public var fileExport: (any FileExportService)? { resolve((any FileExportService).self) }
  /// Events for the host's telemetry.
  public var telemetry: (any TelemetryService)? { resolve((any TelemetryService).self) }
  /// Cryptography with keys that stay in the supervisor.
  public var cryptoUtilities: (any CryptoUtilitiesService)? { resolve((any CryptoUtilitiesService).self) }
  /// SQL on the shared database.
  public var sharedDatabase: (any SharedDatabaseService)? { resolve((any SharedDatabaseService).self) }
  /// The module's identity as tokens.
  public var authentication: (any AuthenticationService)? { resolve((any AuthenticationService).self) }
  /// Diagnostic events.
  public var diagnostics: (any DiagnosticsService)? { resolve((any DiagnosticsService).self) }
  /// Requests to the provider of the `api` role.
  public var api: (any APIService)? { resolve((any APIService).self) }
  /// The module's own grants.
  public var security: (any SecurityService)? { resolve((any SecurityService).self) }
}
