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
    (time, kind, trace) = try reader.endOfDeliverHead(&keys)
  }

  fileprivate init(_ bytes: Span<UInt8>, of origin: borrowing Origin) throws(CBORError) {
    (type, source) = (origin.type, origin.source)
    var reader = CBORReader(bytes)
    reader.offset = origin.source.upperBound
    var keys = IntegerKeys(remaining: origin.membersBehind, after: 1)
    (time, kind, trace) = try reader.endOfDeliverHead(&keys)
  }
}

extension DeliverHead {
  /// The beginning of a head, up to the end of its source: those of a module's next events mostly share it to the byte.
  public struct Origin: ~Copyable, Sendable {
    private let bytes: [UInt8]
    fileprivate let type: Range<Int>
    fileprivate let source: Range<Int>
    /// Members of the head behind the source.
    fileprivate let membersBehind: Int

    /// Takes it from a head with these bytes; `nil` for one of the runtime itself, for behind a type a source can come.
    public init?(_ head: DeliverHead, _ bytes: Span<UInt8>) {
      guard let source = head.source else { return nil }
      type = head.type
      self.source = source
      self.bytes = bytes.extracting(..<source.upperBound).withUnsafeBufferPointer { Array($0) }
      // A map of at most five members: the count is in its first byte.
      membersBehind = Int(bytes[0] & 0x1f) &- 2
    }

    /// Reads a head that begins so, without another look at type and source; `nil` where it doesn't.
    public func head(_ bytes: Span<UInt8>) throws(CBORError) -> DeliverHead? {
      let end = source.upperBound
      guard bytes.count >= end, bytes.extracting(..<end).bytes.isEqual(to: self.bytes.span.bytes) else {
        return nil
      }
      return try DeliverHead(bytes, of: self)
    }
  }
}

extension CBORReader {
  /// What comes behind type and source, and nothing after it.
  fileprivate mutating func endOfDeliverHead(
    _ keys: inout IntegerKeys
  ) throws(CBORError) -> (time: Int64, kind: EventKind, trace: TraceContext?) {
    let (time, kind) = try timeAndKind(&keys)
    let trace = try keys.take(4, &self) ? try traceContext() : nil
    try keys.end(&self)
    try finish()
    return (time, kind, trace)
  }
}
