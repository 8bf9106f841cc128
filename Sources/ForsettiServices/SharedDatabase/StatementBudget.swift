import CSQLite
import Glibc

/// What the call that runs now has left of time and memory. SQLite asks every thousand steps of its machine.
final class StatementBudget {
  /// What ran out.
  enum Exhausted {
    case time, memory
  }

  /// How many steps of SQLite's machine go by between two looks at the clock: some ten microseconds.
  static let steps: Int32 = 1_000

  private(set) var exhausted: Exhausted?
  private var deadline: Int64 = .max
  private var memory: Int64 = .max

  /// Begins a call.
  func start(_ limits: SharedDatabaseLimits) {
    exhausted = nil
    deadline = Self.now() + Int64(limits.milliseconds)
    memory = sqlite3_memory_used() + limits.memoryBytes
  }

  /// Ends a call: what is ours has no budget.
  func stop() {
    exhausted = nil
    deadline = .max
    memory = .max
  }

  /// Whether the statement is to end.
  func isExhausted() -> Bool {
    if Self.now() > deadline {
      exhausted = .time
    } else if sqlite3_memory_used() > memory {
      exhausted = .memory
    }
    return exhausted != nil
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
