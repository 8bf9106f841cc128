import CSQLite
import Glibc

/// What the call that runs now has left of time and memory. SQLite asks every thousand steps of its machine.
package final class StatementBudget {
  /// What ran out.
  package enum Exhausted {
    case time, memory
  }

  /// What a call may cost.
  package struct Allowance: Sendable {
    package var milliseconds: Int
    /// Beyond what SQLite holds already.
    package var memoryBytes: Int64

    package init(milliseconds: Int, memoryBytes: Int64) {
      self.milliseconds = milliseconds
      self.memoryBytes = memoryBytes
    }

    /// Of our own statements: reached by a forged file alone, and no thread hangs on one for ever.
    package static let ours = Allowance(milliseconds: 30_000, memoryBytes: 64 << 20)
  }

  /// How many steps of SQLite's machine go by between two looks at the clock: some ten microseconds.
  private static let steps: Int32 = 1_000

  package private(set) var exhausted: Exhausted?
  private let own: Allowance
  private var isRunning = false
  private var deadline: Int64 = .max
  private var memory: Int64 = .max

  init(own: Allowance) { self.own = own }

  /// Begins a call; it ends with `stop`.
  package func start(_ allowance: Allowance) {
    isRunning = true
    exhausted = nil
    deadline = Self.now() + Int64(allowance.milliseconds)
    memory = sqlite3_memory_used() + allowance.memoryBytes
  }

  /// Ends a call.
  package func stop() {
    isRunning = false
    exhausted = nil
    deadline = .max
    memory = .max
  }

  /// Begins a statement of our own, unless it is part of a call; whether it did.
  func startOwn() -> Bool {
    guard !isRunning else { return false }
    start(own)
    return true
  }

  /// Whether the statement is to end.
  private func isExhausted() -> Bool {
    if Self.now() > deadline {
      exhausted = .time
    } else if sqlite3_memory_used() > memory {
      exhausted = .memory
    }
    return exhausted != nil
  }

  /// Has SQLite ask. The connection must let go of this object before it ends.
  func watch(_ handle: OpaquePointer) {
    sqlite3_progress_handler(
      handle, Self.steps,
      { budget in
        guard let budget else { return 1 }
        return Unmanaged<StatementBudget>.fromOpaque(budget).takeUnretainedValue().isExhausted() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
