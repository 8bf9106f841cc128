/// Makes trace and span IDs. They have to be unlikely to meet, not hard to guess: one system call seeds them all.
public struct TraceIDs: Sendable {
  private var state = UInt64.random(in: 1 ... .max)

  /// Seeds them.
  public init() {}

  /// An ID: SplitMix64 (Steele, Lea, Flood 2014).
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value &>> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value &>> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value &>> 31)
  }

  /// The first span of a new trace; `nil` where an ID is 0, once in ages.
  public mutating func trace(flags: UInt8 = 1) -> TraceContext? {
    TraceContext(traceHigh: next(), traceLow: next(), spanID: next(), flags: flags)
  }
}
