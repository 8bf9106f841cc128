/// A result that one waits for, and that may be there before he comes; the first one counts.
@ReactorActor final class Outcome<Success: Sendable, Failure: Error> {
  private var result: Result<Success, Failure>?
  private var waiter: CheckedContinuation<Result<Success, Failure>, Never>?

  /// Takes the result, and wakes whoever waits; any but the first is dropped.
  func resolve(_ result: Result<Success, Failure>) {
    guard self.result == nil else { return }
    self.result = result
    waiter?.resume(returning: result)
    waiter = nil
  }

  /// Waits for the result; one at a time.
  func value() async throws(Failure) -> Success {
    try await withCheckedContinuation { continuation in
      // The way into this closure may let other jobs run, and with them the result come.
      if let result { return continuation.resume(returning: result) }
      waiter = continuation
    }.get()
  }
}
