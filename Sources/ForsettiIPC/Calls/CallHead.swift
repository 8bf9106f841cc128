public import ForsettiCore

/// The head of a `call`: all that routing and policy need, so that the payload can be forwarded unread.
///
/// On the wire a map with ascending integer keys: 0 service, 1 method, 2 trace context, 3 verb, 4 path, 5 source.
public struct CallHead: Sendable, Hashable {
  /// `ServiceName.number`, or 0 for the runtime itself.
  public var service: UInt8
  /// The number of the method within its service.
  public var method: UInt8
  /// Where the call stands in a trace.
  public var trace: TraceContext?
  /// Verb and path, where the decision needs them.
  public var route: CallRoute?
  /// Who calls. The supervisor writes it on calls that it routes; a module that writes it breaks the protocol.
  public var source: String?

  /// Makes a head.
  public init(
    service: UInt8, method: UInt8, trace: TraceContext? = nil, route: CallRoute? = nil, source: String? = nil
  ) {
    self.service = service
    self.method = method
    self.trace = trace
    self.route = route
    self.source = source
  }

  /// Decodes a head. What a host's own service needs is read without an allocation.
  public init(_ bytes: Span<UInt8>) throws(CBORError) {
    var reader = CBORReader(bytes)
    var keys = try IntegerKeys(&reader, limit: 6)
    try keys.require(0, "service", &reader)
    let service = try UInt8(reader.integer(in: 0...255))
    try keys.require(1, "method", &reader)
    let method = try UInt8(reader.integer(in: 0...255))
    self.init(service: service, method: method)
    if try keys.take(2, &reader) { trace = try reader.traceContext() }
    if try keys.take(3, &reader) {
      route = CallRoute(verb: try reader.text(limit: ProtocolLimits.verb))
    }
    let start = reader.offset
    if try keys.take(4, &reader) {
      guard route != nil else { throw CBORError(.inconsistent("a path without a verb"), at: start) }
      route?.path = try reader.text(limit: ProtocolLimits.path)
    }
    if try keys.take(5, &reader) { source = try reader.text(limit: ProtocolLimits.source) }
    try keys.end(&reader)
    try reader.finish()
  }

  func encode(into writer: inout CBORWriter) throws(CBORError) {
    let optional = [trace != nil, route != nil, route?.path != nil, source != nil]
    writer.map(count: 2 + optional.count { $0 })
    writer.unsigned(0)
    writer.unsigned(UInt64(service))
    writer.unsigned(1)
    writer.unsigned(UInt64(method))
    if let trace {
      writer.unsigned(2)
      writer.traceContext(trace)
    }
    if let route {
      writer.unsigned(3)
      try writer.text(route.verb, limit: ProtocolLimits.verb)
      if let path = route.path {
        writer.unsigned(4)
        try writer.text(path, limit: ProtocolLimits.path)
      }
    }
    if let source {
      writer.unsigned(5)
      try writer.text(source, limit: ProtocolLimits.source)
    }
  }
}

/// The part of a request that travels in the head, and there alone: what was decided on is what the callee sees.
public struct CallRoute: Sendable, Hashable {
  /// As HTTP has it, upper case; at most 32 bytes.
  public var verb: String
  /// Of an API request; at most 1,792 bytes. The supervisor normalises it before it routes.
  public var path: String?

  /// Makes a route.
  public init(verb: String, path: String? = nil) {
    self.verb = verb
    self.path = path
  }
}

/// The members of a map with small integer keys, read in ascending order.
struct IntegerKeys {
  private var remaining: Int
  /// The key that was read and is not taken yet.
  private var pending: UInt64?
  private var previous: UInt64?
  private var start = 0

  init(_ reader: inout CBORReader, limit: Int) throws(CBORError) {
    remaining = try reader.mapCount(limit: limit)
  }

  /// Goes on in a map of which so many members are left, behind the one with a key.
  init(remaining: Int, after key: UInt64) {
    self.remaining = remaining
    previous = key
  }

  /// Reads the key if it comes next.
  @inline(__always)
  mutating func take(_ key: UInt64, _ reader: inout CBORReader) throws(CBORError) -> Bool {
    if pending == nil {
      guard remaining > 0 else { return false }
      start = reader.offset
      let found = try reader.unsigned()
      if let previous, found <= previous {
        throw CBORError(found == previous ? .duplicateKey : .keysOutOfOrder, at: start)
      }
      remaining &-= 1
      pending = found
      previous = found
    }
    guard pending == key else { return false }
    pending = nil
    return true
  }

  /// Reads the key, which must come next.
  @inline(__always)
  mutating func require(_ key: UInt64, _ name: String, _ reader: inout CBORReader) throws(CBORError) {
    guard try take(key, &reader) else { throw CBORError(.missingKey(name), at: reader.offset) }
  }

  /// Throws if a key is left.
  mutating func end(_ reader: inout CBORReader) throws(CBORError) {
    if pending == nil, remaining > 0 {
      start = reader.offset
      pending = try reader.unsigned()
    }
    if let pending { throw CBORError(.unknownKey("\(pending)"), at: start) }
  }
}

extension CBORWriter {
  mutating func traceContext(_ trace: TraceContext) {
    head(2, UInt64(TraceContext.size))
    bytes.append(0)
    for word in [trace.traceHigh, trace.traceLow, trace.spanID] { append(word, width: 8) }
    bytes.append(trace.flags)
  }
}

extension CBORReader {
  mutating func traceContext() throws(CBORError) -> TraceContext {
    let start = offset
    let range = try stringRange(head(2, .bytes), at: start)
    guard range.count == TraceContext.size else {
      throw CBORError(.inconsistent("a trace context of another size"), at: start)
    }
    guard bytes[range.lowerBound] == 0 else {
      throw CBORError(.inconsistent("a trace context of another version"), at: start)
    }
    func word(_ step: Int) -> UInt64 {
      bytes.bytes.bigEndian(at: range.lowerBound &+ 1 &+ 8 &* step, as: UInt64.self)
    }
    guard
      let trace = TraceContext(
        traceHigh: word(0), traceLow: word(1), spanID: word(2), flags: bytes[range.upperBound &- 1])
    else { throw CBORError(.inconsistent("a trace context of zeros"), at: start) }
    return trace
  }
}
