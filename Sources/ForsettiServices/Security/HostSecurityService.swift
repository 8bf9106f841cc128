import ForsettiBlocking
public import ForsettiCore

/// What a module was granted, and its place to report incidents.
public actor HostSecurityService: SecurityService {
  /// The category of incidents among the diagnostics.
  public static let incidentCategory = "security.incident"

  private let executor: BlockingExecutor
  private let diagnostics: DiagnosticsStore
  private let caller: ServiceCaller
  private let now: @Sendable () -> Int64
  private let decide: @Sendable (ServiceCaller, Capability) -> SecurityDecision

  /// The thread of the diagnostics, where incidents are kept.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    _ diagnostics: DiagnosticsStore, for caller: ServiceCaller, now: @escaping @Sendable () -> Int64,
    decide: @escaping @Sendable (ServiceCaller, Capability) -> SecurityDecision
  ) {
    self.diagnostics = diagnostics
    executor = diagnostics.thread
    self.caller = caller
    self.now = now
    self.decide = decide
  }

  /// What the module was granted, sorted by name.
  public func grants() -> [Capability] { caller.grants.sorted { $0.rawValue < $1.rawValue } }

  /// Whether the module has a capability, and why.
  public func decision(_ capability: Capability) -> SecurityDecision { decide(caller, capability) }

  /// Reports an incident: a diagnostic event of severity error under the module's own name.
  public func reportIncident(_ summary: String, details: [String: String]) async throws(ServiceError) {
    try await diagnostics.add(
      DiagnosticReport(
        source: caller.moduleID, category: Self.incidentCategory, severity: .error, message: summary,
        metadata: details, time: now()))
  }
}
