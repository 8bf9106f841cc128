/// Owns the boot: its state, single flight, retry and rollback (seed "Runtime Bootstrap"; SPEC §7).
@ReactorActor
public final class ForsettiRuntimeBootstrap {
  /// The runtime that is booted.
  public let runtime: ForsettiRuntime

  /// Where the boot stands.
  public private(set) var state = BootState.notStarted {
    didSet { for observer in observers.values { observer.yield(state) } }
  }

  /// What the last boot took and met; `nil` before the first success.
  public private(set) var report: BootReport?

  private let restoring: Bool
  private var flight: Task<BootOutcome, Never>?
  private var observers: [Int: AsyncStream<BootState>.Continuation] = [:]
  private var nextObserver = 0

  private typealias BootOutcome = Result<BootReport, BootFailure>

  /// Makes a bootstrap.
  /// - Parameter restoring: whether a later boot restores desired state (`--no-restore` boots the set anew).
  public init(runtime: ForsettiRuntime, restoring: Bool) {
    self.runtime = runtime
    self.restoring = restoring
  }

  /// The state now, and each later one.
  public func states() -> AsyncStream<BootState> {
    // As many as a boot, a failure and a retry can bring before a slow reader looks.
    let (stream, continuation) = AsyncStream<BootState>.makeStream(bufferingPolicy: .bufferingNewest(16))
    let id = nextObserver
    nextObserver += 1
    observers[id] = continuation
    continuation.onTermination = { [weak self] _ in
      Reactor.task { self?.observers[id] = nil }
    }
    continuation.yield(state)
    return stream
  }

  /// Boots. A repeated call after success returns at once; concurrent calls wait for the boot under way; a call
  /// after a failure tries again from the start.
  @discardableResult
  public func bootForProduction() async throws(BootFailure) -> BootReport {
    if case .ready = state, let report { return report }
    if let flight { return try await flight.value.get() }
    guard let next = state.after(.bootRequested) else { throw .interrupted }
    state = next
    runtime.reopen()
    let flight = Reactor.task { await self.fly() }
    self.flight = flight
    return try await flight.value.get()
  }

  private func fly() async -> BootOutcome {
    let outcome: BootOutcome
    do throws(BootFailure) {
      let report = try await runtime.boot(restoring: restoring)
      self.report = report
      outcome = .success(report)
      advance(.succeeded)
    } catch {
      runtime.diagnostics.reportBootFailure("\(error)")
      outcome = .failure(error)
      advance(.failed(error))
    }
    flight = nil
    return outcome
  }

  /// Stops everything in reverse order of activation, a boot under way included; desired state stays.
  @discardableResult
  public func shutDown() async -> [ModuleEnd] {
    let ends = await runtime.shutDown()
    _ = await flight?.value
    advance(.shutDown)
    return ends
  }

  private func advance(_ event: BootState.Event) {
    if let next = state.after(event) { state = next }
  }
}
