// All methods run where the caller runs until they have to wait: an answer that is at hand costs no hop between threads.

/// HTTP requests within the policy's allow-list (seed "Service Injection").
public protocol NetworkingService: Sendable {
  /// Performs a request; the body arrives whole, bounded by the policy.
  nonisolated(nonsending) func data(_ request: HTTPRequest) async throws(ServiceError) -> HTTPResponse
}

/// Text under keys. Each store the manifest owns is a namespace of the module's own; `nil` is the one without a name.
public protocol StorageService: Sendable {
  /// Sets a key (1 to 256 bytes of UTF-8) to a value.
  nonisolated(nonsending) func set(_ value: String, forKey key: String, in store: String?)
    async throws(ServiceError)
  /// The value of a key, if it has one.
  nonisolated(nonsending) func value(forKey key: String, in store: String?) async throws(ServiceError)
    -> String?
  /// Removes a key; one that is not there is a success.
  nonisolated(nonsending) func removeValue(forKey key: String, in store: String?) async throws(ServiceError)
  /// Keys that start with `prefix`, sorted by their bytes, after `cursor`; at most 1,000.
  nonisolated(nonsending) func keys(prefix: String, after cursor: String?, in store: String?)
    async throws(ServiceError) -> [String]
}

/// Secrets under keys, sealed by the supervisor; they never reach a log. Stores are as in `StorageService`.
public protocol SecureStorageService: Sendable {
  /// Seals a value.
  nonisolated(nonsending) func set(_ value: [UInt8], forKey key: String, in store: String?)
    async throws(ServiceError)
  /// The value of a key, if it has one.
  nonisolated(nonsending) func value(forKey key: String, in store: String?) async throws(ServiceError)
    -> [UInt8]?
  /// Removes a key; one that is not there is a success.
  nonisolated(nonsending) func removeValue(forKey key: String, in store: String?) async throws(ServiceError)
  /// Keys that start with `prefix`, sorted by their bytes, after `cursor`; at most 1,000.
  nonisolated(nonsending) func keys(prefix: String, after cursor: String?, in store: String?)
    async throws(ServiceError) -> [String]
}

/// Files for people, in an export folder of the module's own.
public protocol FileExportService: Sendable {
  /// Writes a file and returns its path; an existing one is never overwritten.
  nonisolated(nonsending) func export(_ data: [UInt8], suggestedFileName: String) async throws(ServiceError)
    -> String
}

/// Events for the host's telemetry, attributed to the module; dropped silently where the policy has it off.
public protocol TelemetryService: Sendable {
  /// Tracks one event.
  nonisolated(nonsending) func track(_ event: String, properties: [String: String]) async throws(ServiceError)
}

/// Cryptography with keys that belong to the module and stay in the supervisor.
public protocol CryptoUtilitiesService: Sendable {
  /// Random bytes, 1 to 4,096.
  nonisolated(nonsending) func random(count: Int) async throws(ServiceError) -> [UInt8]
  /// SHA-256.
  nonisolated(nonsending) func sha256(_ data: [UInt8]) async throws(ServiceError) -> [UInt8]
  /// HMAC-SHA-256 with the module's key of this name, which is made at its first use.
  nonisolated(nonsending) func hmac(_ data: [UInt8], keyName: String) async throws(ServiceError) -> [UInt8]
  /// XChaCha20-Poly1305; the result carries its nonce.
  nonisolated(nonsending) func seal(_ data: [UInt8], keyName: String, associated: [UInt8])
    async throws(ServiceError) -> [UInt8]
  /// Opens what `seal` made; `failed("forged", …)` where it was changed.
  nonisolated(nonsending) func open(_ sealed: [UInt8], keyName: String, associated: [UInt8])
    async throws(ServiceError) -> [UInt8]
  /// An Ed25519 signature.
  nonisolated(nonsending) func sign(_ data: [UInt8], keyName: String) async throws(ServiceError) -> [UInt8]
  /// Whether a signature of the module's own key holds.
  nonisolated(nonsending) func verify(_ signature: [UInt8], of data: [UInt8], keyName: String)
    async throws(ServiceError) -> Bool
}

/// Parameterised SQL on a database that modules share through the framework.
public protocol SharedDatabaseService: Sendable {
  /// Rows of one SELECT.
  nonisolated(nonsending) func query(_ statement: SQLStatement) async throws(ServiceError) -> SQLRows
  /// One statement that changes something; returns how many rows it changed.
  nonisolated(nonsending) func execute(_ statement: SQLStatement) async throws(ServiceError) -> Int
  /// Statements that all take effect, or none; returns the rows of each.
  nonisolated(nonsending) func transaction(_ statements: [SQLStatement]) async throws(ServiceError)
    -> [SQLRows]
}

/// The module's identity, as tokens others can check.
public protocol AuthenticationService: Sendable {
  /// Who the supervisor says the module is.
  nonisolated(nonsending) func identity() async throws(ServiceError) -> ModuleDescriptor
  /// An EdDSA JWT that names the module; `lifetime` in seconds, 1 to 86,400.
  nonisolated(nonsending) func issueToken(audience: String, lifetime: Int) async throws(ServiceError)
    -> String
  /// The claims of a token this supervisor issued; `failed("invalid", …)` for every other.
  nonisolated(nonsending) func verify(_ token: String) async throws(ServiceError) -> [String: String]
}

/// Errors and events for whoever has the diagnostics role.
public protocol DiagnosticsService: Sendable {
  /// Reports an event.
  nonisolated(nonsending) func emit(_ event: DiagnosticReport) async throws(ServiceError)
  /// Events that match, newest first; at most `limit` (1 to 1,000).
  nonisolated(nonsending) func events(_ filter: DiagnosticFilter) async throws(ServiceError)
    -> [DiagnosticReport]
  /// All events that match as a document.
  nonisolated(nonsending) func export(_ filter: DiagnosticFilter, format: DiagnosticFormat)
    async throws(ServiceError) -> [UInt8]
}

/// Requests to the provider of the `api` role.
public protocol APIService: Sendable {
  /// Sends a request; the path is normalised and checked by the supervisor.
  nonisolated(nonsending) func request(_ request: APIRequest) async throws(ServiceError) -> APIResponse
}

/// The module's own grants, and a place to report incidents.
public protocol SecurityService: Sendable {
  /// What the module was granted, sorted by name.
  nonisolated(nonsending) func grants() async throws(ServiceError) -> [Capability]
  /// Whether the module has a capability, and why.
  nonisolated(nonsending) func decision(_ capability: Capability) async throws(ServiceError)
    -> SecurityDecision
  /// Reports an incident; it is logged, kept, and attributed to the module.
  nonisolated(nonsending) func reportIncident(_ summary: String, details: [String: String])
    async throws(ServiceError)
}
