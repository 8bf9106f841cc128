/// Where a call or event stands in a trace (W3C Trace Context, version 00). Its 26 bytes ride in every head.
public struct TraceContext: Sendable, Hashable, BitwiseCopyable {
  /// Bytes on the wire: version, trace ID, span ID, flags.
  public static let size = 26

  /// The first eight bytes of the trace ID, as a big-endian number.
  public var traceHigh: UInt64
  /// The last eight bytes of the trace ID.
  public var traceLow: UInt64
  /// The span that the call or event is part of.
  public var spanID: UInt64
  /// Bit 0: sampled.
  public var flags: UInt8

  /// Makes a context; `nil` where the trace ID or the span ID is all zeros, which W3C holds invalid.
  public init?(traceHigh: UInt64, traceLow: UInt64, spanID: UInt64, flags: UInt8 = 1) {
    guard traceHigh | traceLow != 0, spanID != 0 else { return nil }
    self.traceHigh = traceHigh
    self.traceLow = traceLow
    self.spanID = spanID
    self.flags = flags
  }

  /// Whether whoever began it wants it told of.
  public var isSampled: Bool { flags & 1 == 1 }

  /// The same trace, in another span; `nil` where that is 0.
  public func child(spanID: UInt64) -> TraceContext? {
    TraceContext(traceHigh: traceHigh, traceLow: traceLow, spanID: spanID, flags: flags)
  }

  /// The trace ID's text, 32 digits.
  public var traceID: String { Self.text(of: traceHigh) + Self.text(of: traceLow) }

  /// A span ID's text, 16 digits; also that of half a trace ID.
  public static func text(of spanID: UInt64) -> String {
    let digits = String(spanID, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
