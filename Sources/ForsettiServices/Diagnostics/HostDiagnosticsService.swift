import ForsettiBlocking
public import ForsettiCore

/// The host's diagnostics, as one module sees them: it writes under its own name, and reads everybody's.
public actor HostDiagnosticsService: DiagnosticsService {
  private let executor: BlockingExecutor
  private let store: DiagnosticsStore
  private let moduleID: String
  private let now: @Sendable () -> Int64

  /// The store's own thread: a call takes one hop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ store: DiagnosticsStore, for caller: ServiceCaller, now: @escaping @Sendable () -> Int64) {
    self.store = store
    executor = store.thread
    moduleID = caller.moduleID
    self.now = now
  }

  /// Reports an event; source and time are ours, whatever it says. Texts are cut to their bounds.
  public func emit(_ event: DiagnosticReport) async throws(ServiceError) {
    var event = event
    event.source = moduleID
    event.time = now()
    try await store.add(event)
  }

  /// Events that match, newest first; at most `limit` (1 to 1,000).
  public func events(_ filter: DiagnosticFilter) async throws(ServiceError) -> [DiagnosticReport] {
    try await store.reports(filter)
  }

  /// All events that match as a document.
  public func export(
    _ filter: DiagnosticFilter, format: DiagnosticFormat
  ) async throws(ServiceError) -> [UInt8] {
    try DiagnosticText.document(try await store.reports(filter), format)
  }
}
