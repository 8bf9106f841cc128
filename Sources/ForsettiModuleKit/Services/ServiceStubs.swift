internal import ForsettiCore
internal import ForsettiIPC

// A stub turns a method into a call and its answer into a value; what crosses the pipe is described in ForsettiIPC.

struct NetworkingStub: NetworkingService {
  let calls: ModuleCalls
  let timeout: Duration

  nonisolated(nonsending) func data(_ request: HTTPRequest) async throws(ServiceError) -> HTTPResponse {
    try await calls.call(NetworkingMethods.data, request, timeout: timeout)
  }
}

struct StorageStub: StorageService {
  let calls: ModuleCalls
  let timeout: Duration

  nonisolated(nonsending) func set(_ value: String, forKey key: String, in store: String?)
    async throws(ServiceError)
  {
    _ = try await calls.call(
      StorageMethods.set, StoreEntry(store: store, key: key, value: value), timeout: timeout)
  }

  nonisolated(nonsending) func value(forKey key: String, in store: String?) async throws(ServiceError)
    -> String?
  {
    try await calls.call(StorageMethods.value, StoreKey(store: store, key: key), timeout: timeout)
  }

  nonisolated(nonsending) func removeValue(forKey key: String, in store: String?) async throws(ServiceError) {
    _ = try await calls.call(StorageMethods.removeValue, StoreKey(store: store, key: key), timeout: timeout)
  }

  nonisolated(nonsending) func keys(prefix: String, after cursor: String?, in store: String?)
    async throws(ServiceError) -> [String]
  {
    try await calls.call(
      StorageMethods.keys, StoreListing(store: store, prefix: prefix, cursor: cursor), timeout: timeout)
  }
}

struct SecureStorageStub: SecureStorageService {
  let calls: ModuleCalls
  let timeout: Duration

  nonisolated(nonsending) func set(_ value: [UInt8], forKey key: String, in store: String?)
    async throws(ServiceError)
  {
    _ = try await calls.call(
      SecureStorageMethods.set, StoreEntry(store: store, key: key, value: Bytes(value)), timeout: timeout)
  }

  nonisolated(nonsending) func value(forKey key: String, in store: String?) async throws(ServiceError)
    -> [UInt8]?
  {
    try await calls.call(SecureStorageMethods.value, StoreKey(store: store, key: key), timeout: timeout)?
      .bytes
  }

  nonisolated(nonsending) func removeValue(forKey key: String, in store: String?) async throws(ServiceError) {
    _ = try await calls.call(
      SecureStorageMethods.removeValue, StoreKey(store: store, key: key), timeout: timeout)
  }

  nonisolated(nonsending) func keys(prefix: String, after cursor: String?, in store: String?)
    async throws(ServiceError) -> [String]
  {
    try await calls.call(
      SecureStorageMethods.keys, StoreListing(store: store, prefix: prefix, cursor: cursor), timeout: timeout)
  }
}

struct FileExportStub: FileExportService {
  let calls: ModuleCalls
  let timeout: Duration

  nonisolated(nonsending) func export(_ data: [UInt8], suggestedFileName: String) async throws(ServiceError)
    -> String
  {
    try await calls.call(
      FileExportMethods.export, ExportRequest(suggestedFileName: suggestedFileName, data: data),
      timeout: timeout)
  }
}

struct TelemetryStub: TelemetryService {
  let calls: ModuleCalls
  let timeout: Duration

  nonisolated(nonsending) func track(_ event: String, properties: [String: String]) async throws(ServiceError)
  {
    _ = try await calls.call(TelemetryMethods.track, NamedTexts(event, properties), timeout: timeout)
  }
}

struct CryptoUtilitiesStub: CryptoUtilitiesService {
  let calls: ModuleCalls
  let timeout: Duration

  nonisolated(nonsending) func random(count: Int) async throws(ServiceError) -> [UInt8] {
    try await calls.call(CryptoUtilitiesMethods.random, count, timeout: timeout).bytes
  }

  nonisolated(nonsending) func sha256(_ data: [UInt8]) async throws(ServiceError) -> [UInt8] {
    try await calls.call(CryptoUtilitiesMethods.sha256, Bytes(data), timeout: timeout).bytes
  }

  nonisolated(nonsending) func hmac(_ data: [UInt8], keyName: String) async throws(ServiceError) -> [UInt8] {
    try await calls.call(
      CryptoUtilitiesMethods.hmac, KeyedData(keyName: keyName, data: data), timeout: timeout
    ).bytes
  }

  nonisolated(nonsending) func seal(_ data: [UInt8], keyName: String, associated: [UInt8])
    async throws(ServiceError) -> [UInt8]
  {
    try await calls.call(
      CryptoUtilitiesMethods.seal, KeyedPair(keyName: keyName, companion: associated, data: data),
      timeout: timeout
    ).bytes
  }

  nonisolated(nonsending) func open(_ sealed: [UInt8], keyName: String, associated: [UInt8])
    async throws(ServiceError) -> [UInt8]
  {
    try await calls.call(
      CryptoUtilitiesMethods.open, KeyedPair(keyName: keyName, companion: associated, data: sealed),
      timeout: timeout
    ).bytes
  }

  nonisolated(nonsending) func sign(_ data: [UInt8], keyName: String) async throws(ServiceError) -> [UInt8] {
    try await calls.call(
      CryptoUtilitiesMethods.sign, KeyedData(keyName: keyName, data: data), timeout: timeout
    ).bytes
  }

  nonisolated(nonsending) func verify(_ signature: [UInt8], of data: [UInt8], keyName: String)
    async throws(ServiceError) -> Bool
  {
    try await calls.call(
      CryptoUtilitiesMethods.verify, KeyedPair(keyName: keyName, companion: signature, data: data),
      timeout: timeout)
  }
}

struct SharedDatabaseStub: SharedDatabaseService {
  let calls: ModuleCalls
  let timeout: Duration

  nonisolated(nonsending) func query(_ statement: SQLStatement) async throws(ServiceError) -> SQLRows {
    try await calls.call(SharedDatabaseMethods.query, statement, timeout: timeout)
  }

  nonisolated(nonsending) func execute(_ statement: SQLStatement) async throws(ServiceError) -> Int {
    try await calls.call(SharedDatabaseMethods.execute, statement, timeout: timeout)
  }

  nonisolated(nonsending) func transaction(_ statements: [SQLStatement]) async throws(ServiceError)
    -> [SQLRows]
  {
    try await calls.call(SharedDatabaseMethods.transaction, statements, timeout: timeout)
  }
}

struct AuthenticationStub: AuthenticationService {
  let calls: ModuleCalls
  let timeout: Duration

  nonisolated(nonsending) func identity() async throws(ServiceError) -> ModuleDescriptor {
    try await calls.call(AuthenticationMethods.identity, Nothing(), timeout: timeout)
  }

  nonisolated(nonsending) func issueToken(audience: String, lifetime: Int) async throws(ServiceError)
    -> String
  {
    try await calls.call(
      AuthenticationMethods.issueToken, TokenRequest(audience: audience, lifetime: lifetime), timeout: timeout
    )
  }

  nonisolated(nonsending) func verify(_ token: String) async throws(ServiceError) -> [String: String] {
    try await calls.call(AuthenticationMethods.verify, token, timeout: timeout)
  }
}

struct DiagnosticsStub: DiagnosticsService {
  let calls: ModuleCalls
  let timeout: Duration

  nonisolated(nonsending) func emit(_ event: DiagnosticReport) async throws(ServiceError) {
    _ = try await calls.call(DiagnosticsMethods.emit, event, timeout: timeout)
  }

  nonisolated(nonsending) func events(_ filter: DiagnosticFilter) async throws(ServiceError)
    -> [DiagnosticReport]
  {
    try await calls.call(DiagnosticsMethods.events, filter, timeout: timeout)
  }

  nonisolated(nonsending) func export(_ filter: DiagnosticFilter, format: DiagnosticFormat)
    async throws(ServiceError) -> [UInt8]
  {
    try await calls.call(
      DiagnosticsMethods.export, DiagnosticExport(filter: filter, format: format), timeout: timeout
    ).bytes
  }
}

struct APIStub: APIService {
  let calls: ModuleCalls
  let timeout: Duration

  nonisolated(nonsending) func request(_ request: APIRequest) async throws(ServiceError) -> APIResponse {
    try await calls.call(APIMethods.request, request, timeout: timeout)
  }
}

struct SecurityStub: SecurityService {
  let calls: ModuleCalls
  let timeout: Duration

  nonisolated(nonsending) func grants() async throws(ServiceError) -> [Capability] {
    try await calls.call(SecurityMethods.grants, Nothing(), timeout: timeout)
  }

  nonisolated(nonsending) func decision(_ capability: Capability) async throws(ServiceError)
    -> SecurityDecision
  {
    try await calls.call(SecurityMethods.decision, capability, timeout: timeout)
  }

  nonisolated(nonsending) func reportIncident(_ summary: String, details: [String: String])
    async throws(ServiceError)
  {
    _ = try await calls.call(SecurityMethods.reportIncident, NamedTexts(summary, details), timeout: timeout)
  }
}
