// A module provides a role by conforming to its protocol, by the role in its manifest, and by the policy that names it.
// `source` is the ID of whoever calls, in the supervisor's word. What a method throws reaches the caller: a
// `ServiceError` as it is, anything else as `failed("provider", …)`.
//
// Each call runs in a task of its own, which is cancelled when the caller takes the call back or its time is over.

/// A module that answers `APIService`.
@MainActor
public protocol ForsettiAPIProvider: ForsettiModule {
  /// Answers a request; its path is normalised and was allowed by the policy.
  func request(_ request: APIRequest, from source: String) async throws -> APIResponse
}

/// A module that answers `SharedDatabaseService`.
@MainActor
public protocol ForsettiSharedDatabaseProvider: ForsettiModule {
  /// Rows of one SELECT.
  func query(_ statement: SQLStatement, from source: String) async throws -> SQLRows
  /// One statement that changes something; how many rows it changed.
  func execute(_ statement: SQLStatement, from source: String) async throws -> Int
  /// Statements that all take effect, or none; the rows of each.
  func transaction(_ statements: [SQLStatement], from source: String) async throws -> [SQLRows]
}

/// A module that answers `AuthenticationService`.
@MainActor
public protocol ForsettiAuthenticationProvider: ForsettiModule {
  /// Who the calling module is.
  func identity(of source: String) async throws -> ModuleDescriptor
  /// A token that names the calling module; `lifetime` in seconds.
  func issueToken(audience: String, lifetime: Int, for source: String) async throws -> String
  /// The claims of a token that this provider issued.
  func verify(_ token: String, from source: String) async throws -> [String: String]
}

/// A module that answers `DiagnosticsService`.
@MainActor
public protocol ForsettiDiagnosticsProvider: ForsettiModule {
  /// Keeps an event; source and time are the supervisor's word.
  func emit(_ event: DiagnosticReport, from source: String) async throws
  /// Events that match, newest first.
  func events(_ filter: DiagnosticFilter, from source: String) async throws -> [DiagnosticReport]
  /// All events that match as a document.
  func export(_ filter: DiagnosticFilter, format: DiagnosticFormat, from source: String) async throws
    -> [UInt8]
}

/// A module that answers `SecurityService`.
@MainActor
public protocol ForsettiSecurityProvider: ForsettiModule {
  /// What the calling module was granted.
  func grants(of source: String) async throws -> [Capability]
  /// Whether the calling module has a capability, and why.
  func decision(_ capability: Capability, for source: String) async throws -> SecurityDecision
  /// Keeps an incident.
  func reportIncident(_ summary: String, details: [String: String], from source: String) async throws
}

/// A module that draws views: those that it contributes, or those of the UI module that the policy gives it (`views`),
/// which a service can do too. The host asks; a module never sends what nobody asked for.
@MainActor
public protocol ForsettiRenderingModule: ForsettiModule {
  /// What a view shows now. `parameters` are the pointer's or route's.
  func render(viewID: String, parameters: [String: String]) async throws -> ViewNode
}
