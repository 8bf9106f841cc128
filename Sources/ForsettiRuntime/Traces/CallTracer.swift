import ForsettiCore

/// Makes spans of the calls of all modules where the policy names a collector of traces. On the reactor it only puts them
/// into a bounded list; one task at a time hands them over.
@ReactorActor final class CallTracer {
  /// Spans that wait to be handed over; beyond it the next are dropped, and counted.
  private static let limit = 2_048
  /// How far the wall clock may be from where spans place it before they follow it, nanoseconds.
  private static let patience: UInt64 = 10_000_000

  let clock: any RuntimeClock
  private let sink: any SpanSink
  private let wallClock: @Sendable () -> Int64
  /// A trace whose hash is at most this is told of.
  private let threshold: UInt64
  private var waiting: [CallSpan] = []
  private var handover: Task<Void, Never>?
  private var counts = SpanCounts()
  /// From the reactor's clock to nanoseconds since 1970.
  private var offset: UInt64 = 0
  private var ids = TraceIDs()

  /// - Parameters:
  ///   - rate: of traces that are told of, 0 to 1.
  ///   - wallClock: milliseconds since 1970.
  init(
    rate: Double, sink: any SpanSink, clock: any RuntimeClock, wallClock: @escaping @Sendable () -> Int64
  ) {
    self.sink = sink
    self.clock = clock
    self.wallClock = wallClock
    threshold = rate >= 1 ? .max : rate > 0 ? UInt64(rate * 0x1p64) : 0
  }

  /// The span of a call that its caller places in a trace, whose span is its parent; `nil` where it is not told of. Whether a
  /// trace is told of is one decision, so that no part of it is missing; it is taken by a hash that no module can foresee.
  func span(in trace: TraceContext) -> TraceContext? {
    guard trace.isSampled, isTold(trace) else { return nil }
    return trace.child(spanID: ids.next())
  }

  /// The span of a call whose caller places it in no trace. Where that is not told of it says so itself, to whoever goes on
  /// with it.
  func root() -> TraceContext? {
    guard var context = ids.trace() else { return nil }
    if !isTold(context) { context.flags = 0 }
    return context
  }

  private func isTold(_ trace: TraceContext) -> Bool {
    var hasher = Hasher()
    hasher.combine(trace.traceHigh)
    hasher.combine(trace.traceLow)
    return UInt64(bitPattern: Int64(hasher.finalize())) <= threshold
  }

  /// The reactor's time as nanoseconds since 1970: a fixed distance, so that spans keep their lengths, unless somebody sets
  /// the clock.
  func wallTime(of time: UInt64) -> UInt64 {
    let wall = UInt64(clamping: wallClock()) &* 1_000_000
    let seen = clock.now &+ offset
    if max(wall, seen) - min(wall, seen) > Self.patience { offset = wall &- clock.now }
    return time &+ offset
  }

  /// A call has ended.
  func add(_ span: CallSpan) {
    counts.ended &+= 1
    guard waiting.count < Self.limit else {
      counts.dropped &+= 1
      return
    }
    waiting.append(span)
    if handover == nil { handover = Reactor.task { [weak self] in await self?.handOver() } }
  }

  private func handOver() async {
    while !waiting.isEmpty {
      let spans = waiting
      waiting = []
      await sink.take(spans)
    }
    handover = nil
  }

  /// Returns when the sink has all spans.
  func finish() async { await handover?.value }

  /// What was counted since the start.
  func figures() async -> SpanCounts {
    var counts = counts
    counts.dropped &+= await sink.dropped
    return counts
  }
}

/// Spans since the supervisor started.
public struct SpanCounts: Sendable, Hashable {
  /// Calls that have ended and are told of.
  public var ended: UInt64 = 0
  /// Those of them that no collector has or will have.
  public var dropped: UInt64 = 0

  /// None.
  public init() {}
}
