public import ForsettiCore

/// The head of a `deliver` where it lies: one event mostly has the type and the source of the event before it, and needs
/// no strings of its own for them.
public struct DeliverHead: Sendable, Hashable {
  /// Where in the head the bytes of the type are; at most 1 KiB.
  public var type: Range<Int>
  /// Where the bytes of the source are; `nil` for the runtime itself.
  public var source: Range<Int>?
  /// Milliseconds since 1970.
  public var time: Int64
  /// How it was sent.
  public var kind: EventKind
  /// Where the event stands in a trace.
  public var trace: TraceContext?

  /// Reads a head; all of it is checked.
  public init(_ bytes: Span<UInt8>) throws(CBORError) {
    var reader = CBORReader(bytes)
    var keys = try IntegerKeys(&reader, limit: 5)
    try keys.require(0, "type", &reader)
    type = try reader.checkedTextRange(limit: ProtocolLimits.eventType)
    source = try keys.take(1, &reader) ? try reader.checkedTextRange(limit: ProtocolLimits.source) : nil
    (time, kind) = try reader.timeAndKind(&keys)
    trace = try keys.take(4, &reader) ? try reader.traceContext() : nil
    try keys.end(&reader)
    try reader.finish()
  }
}
