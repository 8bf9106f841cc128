public import ForsettiCore

/// The head of a `publish` where it lies: the router knows most types by their bytes, and needs no string for them.
public struct PublishHead: Sendable, Hashable {
  /// Where in the head the bytes of the type are; at most 1 KiB.
  public var type: Range<Int>
  /// Where the event stands in a trace.
  public var trace: TraceContext?

  /// Reads a head; all of it is checked.
  public init(_ bytes: Span<UInt8>) throws(CBORError) {
    var reader = CBORReader(bytes)
    var keys = try IntegerKeys(&reader, limit: 2)
    try keys.require(0, "type", &reader)
    type = try reader.checkedTextRange(limit: ProtocolLimits.eventType)
    trace = try keys.take(4, &reader) ? try reader.traceContext() : nil
    try keys.end(&reader)
    try reader.finish()
  }
}
