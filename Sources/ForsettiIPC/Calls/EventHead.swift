public import ForsettiCore

/// The head of a `publish` or a `deliver`.
///
/// On the wire a map with ascending integer keys: 0 type, 1 source, 2 time, 3 kind, 4 trace context. A `publish` has
/// the type and perhaps the trace context; the supervisor writes the rest. The payload is a map of text to text that
/// is forwarded as it was published.
public struct EventHead: Sendable, Hashable {
  /// What the supervisor adds for those who receive it.
  public struct Delivery: Sendable, Hashable {
    /// The module that sent it; `nil` for the runtime itself.
    public var source: String?
    /// Milliseconds since 1970.
    public var time: Int64
    /// How it was sent.
    public var kind: EventKind

    /// Makes a value.
    public init(source: String?, time: Int64, kind: EventKind = .event) {
      self.source = source
      self.time = time
      self.kind = kind
    }
  }

  /// At most 1 KiB.
  public var type: String
  /// Where the event stands in a trace.
  public var trace: TraceContext?
  /// Present exactly in a `deliver`.
  public var delivery: Delivery?

  /// Makes a head.
  public init(type: String, trace: TraceContext? = nil, delivery: Delivery? = nil) {
    self.type = type
    self.trace = trace
    self.delivery = delivery
  }

  /// Decodes the head of a `publish` or of a `deliver`.
  public init(_ bytes: Span<UInt8>, of kind: FrameKind) throws(CBORError) {
    var reader = CBORReader(bytes)
    try self.init(from: &reader, of: kind)
    try reader.finish()
  }

  init(from reader: inout CBORReader, of kind: FrameKind) throws(CBORError) {
    var keys = try IntegerKeys(&reader, limit: 5)
    try keys.require(0, "type", &reader)
    self.init(type: try reader.text(limit: ProtocolLimits.eventType))
    if kind == .deliver {
      let source = try keys.take(1, &reader) ? try reader.text(limit: ProtocolLimits.source) : nil
      let (time, kind) = try reader.timeAndKind(&keys)
      delivery = Delivery(source: source, time: time, kind: kind)
    }
    if try keys.take(4, &reader) { trace = try reader.traceContext() }
    try keys.end(&reader)
  }

  func encode(into writer: inout CBORWriter) throws(CBORError) {
    let hasSource = delivery?.source != nil
    writer.map(count: 1 + (delivery == nil ? 0 : 2) + (hasSource ? 1 : 0) + (trace == nil ? 0 : 1))
    writer.unsigned(0)
    try writer.text(type, limit: ProtocolLimits.eventType)
    if let delivery {
      if let source = delivery.source {
        writer.unsigned(1)
        try writer.text(source, limit: ProtocolLimits.source)
      }
      writer.unsigned(2)
      writer.integer(delivery.time)
      writer.unsigned(3)
      writer.unsigned(UInt64(delivery.kind.rawValue))
    }
    if let trace {
      writer.unsigned(4)
      writer.traceContext(trace)
    }
  }
}

/// How an event was sent.
public enum EventKind: UInt8, Sendable, Hashable, CaseIterable {
  /// To whoever subscribes.
  case event = 0
  /// To this module alone.
  case message = 1
}

extension CBORReader {
  /// What the supervisor adds to the head of an event, behind its source.
  mutating func timeAndKind(_ keys: inout IntegerKeys) throws(CBORError) -> (time: Int64, kind: EventKind) {
    try keys.require(2, "time", &self)
    let time = try integer()
    try keys.require(3, "kind", &self)
    let start = offset
    guard let kind = EventKind(rawValue: try UInt8(integer(in: 0...255))) else {
      throw CBORError(.outOfRange, at: start)
    }
    return (time, kind)
  }
}
