internal import ForsettiCore

/// Where the running task stands in a trace. Inside a provider's method or a render that is the span of the call that came;
/// calls made there are parts of it, and events go on with its trace.
public enum ForsettiTrace {
  /// `nil` outside of any: each event then begins a trace, and each call gets one from the supervisor.
  @TaskLocal public static var current: TraceContext?
}

/// Makes the contexts of events.
final class TraceGenerator: Sendable {
  private let ids = Guarded<TraceIDs?>(nil)

  /// A span of the current trace, or the first of a new one.
  func next() -> TraceContext? {
    let current = ForsettiTrace.current
    return ids.withLock { state in
      // Seeded by the first event: a module without any makes no system call for it.
      var ids = state ?? TraceIDs()
      defer { state = ids }
      guard let current else { return ids.trace() }
      return current.child(spanID: ids.next())
    }
  }
}
