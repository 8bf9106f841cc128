// Faults of its own, as any program may have them.
extension HostileSuite {
  /// Those that any program may have.
  public static let crashes: [HostileCase] = [
    HostileCase(
      "fatal-error", "calls fatalError", program: "crash_fatal_error", trap, lastWords: "on purpose"),
    HostileCase("precondition", "breaks a precondition", program: "crash_precondition", trap),
    HostileCase("array-out-of-bounds", "reads behind an array", program: "crash_index", trap),
    HostileCase("nil", "unwraps nil", program: "crash_nil", trap),
    HostileCase("overflow", "overflows an integer", program: "crash_overflow", trap),
    HostileCase("division", "divides by zero", program: "crash_division", trap),
    HostileCase(
      "forced-try", "forces a try that throws", program: "crash_forced_try", trap,
      lastWords: "unexpectedly raised an error"),
    HostileCase(
      "negative-range", "makes a range that ends before it begins", program: "crash_negative_range", trap),
    HostileCase(
      "null-write", "writes to address 8", program: "crash_null_write",
      .ends(.crashed(signal: signalSegmentation))),
    HostileCase(
      "null-call", "jumps to address 8", program: "crash_null_call",
      .ends(.crashed(signal: signalSegmentation))),
    HostileCase("abort", "aborts", program: "crash_abort", .ends(.aborted)),
    HostileCase(
      "forced-cast", "casts to what it is not", program: "crash_forced_cast", .ends(.aborted),
      lastWords: "Could not cast value"),
    HostileCase(
      "double-free", "frees memory twice", program: "crash_double_free", .ends(.aborted),
      lastWords: "double free"),
    HostileCase(
      "invalid-free", "frees what was not allocated", program: "crash_invalid_free", .ends(.aborted),
      lastWords: "invalid pointer"),
    HostileCase(
      "unowned", "reads an object that is gone", program: "crash_unowned", .ends(.aborted),
      lastWords: "unowned reference"),
    HostileCase("exit", "ends by itself", program: "exit_three", .ends(.exitedEarly(code: 3))),
    HostileCase(
      "crash-amid-calls", "aborts with two hundred calls open", program: "crash_amid_calls", .ends(.aborted),
      needs: [storage]),
  ]

  /// How Swift's own checks end a process.
  private static let trap = HostileOutcome.ends(.crashed(signal: signalIllegal))
}
