internal import ForsettiCore

/// The services of one module: a stub for each, behind its grants.
final class ModuleServices: ForsettiServiceProviding {
  /// The services that its grants let it call.
  private let granted: Set<ServiceName>
  private let calls: ModuleCalls
  private let timeout: Duration
  private let logger: ForsettiModuleLogger
  /// What was refused before, and is not warned of again.
  private let refused = Guarded<Set<ObjectIdentifier>>([])

  init(
    grants: Set<Capability>, calls: ModuleCalls, logger: ForsettiModuleLogger,
    timeout: Duration = ModuleCalls.defaultTimeout
  ) {
    self.timeout = timeout
    granted = Set(grants.compactMap(\.service))
    self.calls = calls
    self.logger = logger
  }

  func resolve<Service>(_ service: Service.Type) -> Service? {
    let key = ObjectIdentifier(service)
    if let name = Self.names[key], granted.contains(name) { return stub(name) as? Service }
    guard refused.withLock({ $0.insert(key).inserted }) else { return nil }
    let reason =
      Self.names[key].map {
        "\($0.rawValue) is not granted; ask for it in the manifest and the policy"
      }
      ?? "there is no such service"
    logger.warning("\(service) can't be used: \(reason)", metadata: ["service": "\(service)"])
    return nil
  }

  private func stub(_ name: ServiceName) -> any Sendable {
    switch name {
    case .networking: NetworkingStub(calls: calls, timeout: timeout)
    case .storage: StorageStub(calls: calls, timeout: timeout)
    case .secureStorage: SecureStorageStub(calls: calls, timeout: timeout)
    case .fileExport: FileExportStub(calls: calls, timeout: timeout)
    case .telemetry: TelemetryStub(calls: calls, timeout: timeout)
    case .cryptoUtilities: CryptoUtilitiesStub(calls: calls, timeout: timeout)
    case .sharedDatabase: SharedDatabaseStub(calls: calls, timeout: timeout)
    case .authentication: AuthenticationStub(calls: calls, timeout: timeout)
    case .diagnostics: DiagnosticsStub(calls: calls, timeout: timeout)
    case .api: APIStub(calls: calls, timeout: timeout)
    case .security: SecurityStub(calls: calls, timeout: timeout)
    }
  }

  private static let names: [ObjectIdentifier: ServiceName] = [
    ObjectIdentifier((any NetworkingService).self): .networking,
    ObjectIdentifier((any StorageService).self): .storage,
    ObjectIdentifier((any SecureStorageService).self): .secureStorage,
    ObjectIdentifier((any FileExportService).self): .fileExport,
    ObjectIdentifier((any TelemetryService).self): .telemetry,
    ObjectIdentifier((any CryptoUtilitiesService).self): .cryptoUtilities,
    ObjectIdentifier((any SharedDatabaseService).self): .sharedDatabase,
    ObjectIdentifier((any AuthenticationService).self): .authentication,
    ObjectIdentifier((any DiagnosticsService).self): .diagnostics,
    ObjectIdentifier((any APIService).self): .api,
    ObjectIdentifier((any SecurityService).self): .security,
  ]
}
