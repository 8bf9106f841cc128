import Synchronization
import Testing

/// A value that threads change and tests wait for, but never past the end of the test's own time: a task that is
/// cancelled waits for nothing more.
public final class Watched<Value: Sendable>: Sendable {
  private struct Waiter {
    var number: Int
    var isMet: @Sendable (Value) -> Bool
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var value: Value
    var waiters: [Waiter] = []
    var last = 0

    /// Takes out those whose wish the value fulfils.
    mutating func takeMet() -> [Waiter] {
      guard !waiters.isEmpty else { return [] }
      let met = waiters.filter { $0.isMet(value) }
      let numbers = Set(met.map(\.number))
      waiters.removeAll { numbers.contains($0.number) }
      return met
    }
  }

  private let state: Mutex<State>

  /// Begins with a value.
  public init(_ value: Value) { state = Mutex(State(value: value)) }

  /// As it is now.
  public var value: Value { state.withLock { $0.value } }

  /// Changes it, and wakes those who have waited for that.
  @discardableResult
  public func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    let (result, met) = state.withLock { state in
      let result = body(&state.value)
      return (result, state.takeMet())
    }
    for waiter in met { waiter.continuation.resume(returning: true) }
    return result
  }

  /// Returns once the value is so; false where the task was cancelled first.
  public func wait(until isMet: @escaping @Sendable (Value) -> Bool) async -> Bool {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known: Bool? = state.withLock { state in
          if isMet(state.value) { return true }
          // Whoever is cancelled before this line finds nobody to wake.
          if Task.isCancelled { return false }
          state.waiters.append(Waiter(number: number, isMet: isMet, continuation: continuation))
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let place = state.waiters.firstIndex { $0.number == number }
        return place.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(returning: false)
    }
  }
}

/// Where a test waits.
public struct WaitingPlace: Sendable {
  private let fileID: String
  private let line: Int

  /// Takes `#fileID` and `#line` of whoever waits.
  public init(_ fileID: String, _ line: Int) {
    self.fileID = fileID
    self.line = line
  }

  /// Records that a wait has ended without what was waited for, and what was seen last: a log of CI tells why.
  public func waitedInVain(for wanted: String, seen: String) {
    Issue.record(
      "waited for \(wanted) until the test was cancelled; seen last: \(seen.suffix(Self.mostShown))",
      sourceLocation: SourceLocation(fileID: fileID, filePath: fileID, line: line, column: 1))
  }

  /// Characters of what was seen that an issue tells.
  private static let mostShown = 4_000
}
