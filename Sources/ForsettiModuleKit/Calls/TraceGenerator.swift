internal import ForsettiCore
internal import ForsettiIPC

/// Where the running task stands in a trace. Inside a provider's method or a render that is the trace of whoever
/// called; calls and events made there go on with it.
public enum ForsettiTrace {
  /// `nil` outside of any: each call and event then begins a trace of its own.
  @TaskLocal public static var current: TraceContext?
}

/// Makes span and trace IDs. They have to be unlikely to meet, not hard to guess: one system call seeds them all.
final class TraceGenerator: Sendable {
  private let state = Guarded<UInt64>(0)

  /// A span of the current trace, or the first of a new one.
  func next() -> TraceContext? {
    let current = ForsettiTrace.current
    return state.withLock { state in
      if state == 0 { state = .random(in: 1 ... .max) }
      let span = Self.step(&state)
      if let current { return current.child(spanID: span) }
      return TraceContext(traceHigh: Self.step(&state), traceLow: Self.step(&state), spanID: span)
    }
  }

  /// SplitMix64 (Steele, Lea, Flood 2014), a step that is never 0 twice in a row.
  private static func step(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value &>> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value &>> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value &>> 31)
  }
}
