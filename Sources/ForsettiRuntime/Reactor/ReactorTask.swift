import ForsettiBlocking

extension Reactor {
  /// Starts a task whose every step runs on the reactor thread. A plain `Task` with a `@ReactorActor` closure resumes
  /// through the default executor's pool and hops back, twice for each wait.
  @discardableResult
  static func task<Success: Sendable>(
    _ body: @escaping @Sendable @ReactorActor () async -> Success
  ) -> Task<Success, Never> {
    Task(executorPreference: Reactor.shared) { await body() }
  }

  /// Lets whatever else waits for the reactor go first, descriptors and timers too: for who has much to do there, between two
  /// pieces of it. `Task.yield` would go by way of the pool.
  @ReactorActor public static func nextTurn() async {
    await withCheckedContinuation { shared.atEndOfTurn(Resumption(waiter: $0)) }
  }

  private final class Resumption: EndOfTurn {
    private let waiter: CheckedContinuation<Void, Never>

    init(waiter: CheckedContinuation<Void, Never>) { self.waiter = waiter }

    func endOfTurn() { waiter.resume() }
  }

  /// Does what takes long on a thread of the pool, whoever asks. `@concurrent` alone does not leave the reactor: in a task that
  /// prefers it, such a function runs there too.
  @concurrent
  public nonisolated static func away<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = await withTaskExecutorPreference(globalConcurrentExecutor) { await outcome(of: work) }
    return try result.get()
  }

  @concurrent
  private nonisolated static func outcome<Value: Sendable, Failure: Error>(
    of work: @Sendable () throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    Result(catching: work)
  }

  /// Does what takes the processor long, such as making tables of a thousand modules, on one thread that gives way to calls.
  public nonisolated static func inBackground<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    guard let background else { return try await away(work) }
    return try await background.run { Result(catching: work) }.get()
  }

  /// `nil` where there is no thread to be had.
  private static let background = (try? BlockingExecutor(name: "background", urgency: .background)).map {
    BlockingWorker(on: $0)
  }
}
