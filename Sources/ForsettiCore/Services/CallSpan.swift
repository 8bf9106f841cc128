/// One call of a module, from when the supervisor took it up until its answer went to the caller, as a collector of
/// traces is told of it.
public struct CallSpan: Sendable, Hashable {
  /// The trace, and the span's own ID in it.
  public var context: TraceContext
  /// The span that the caller made the call in; `nil` where it begins the trace.
  public var parent: UInt64?
  /// The method, as in `storage.set`.
  public var method: String
  /// The service or role; `nil` of what is neither: a view that is drawn, a reload.
  public var service: ServiceName?
  /// The caller: a module, a person as `operator:UID`, or the `supervisor`.
  public var moduleID: String
  /// Who answers: `host`, or the ID of the module that provides the role; `nil` where nobody could.
  public var provider: String?
  /// What became of it; `ok`, or why it came to nothing.
  public var outcome: String
  /// Nanoseconds since 1970.
  public var begin: UInt64
  /// Nanoseconds since 1970.
  public var end: UInt64

  /// Makes a span.
  public init(
    context: TraceContext, parent: UInt64?, method: String, service: ServiceName?, moduleID: String,
    provider: String?, outcome: String, begin: UInt64, end: UInt64
  ) {
    self.context = context
    self.parent = parent
    self.method = method
    self.service = service
    self.moduleID = moduleID
    self.provider = provider
    self.outcome = outcome
    self.begin = begin
    self.end = end
  }

  /// What `outcome` is of a call that was answered.
  public static let ok = "ok"

  /// The caller of what the supervisor does of itself; no module can have such an ID.
  public static let supervisor = "forsetti.supervisor"
}

/// Whoever takes spans to a collector. It never fails and keeps nobody waiting: what is lost is counted.
public protocol SpanSink: Sendable {
  /// Takes spans over; what it has no room for takes the place of what is older.
  func take(_ spans: [CallSpan]) async

  /// Spans that it took and that no collector has or will have.
  var dropped: UInt64 { get async }
}
