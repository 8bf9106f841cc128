/// How long calls took, in buckets whose bounds double: 1 µs, 2 µs, … 33.6 s, and beyond. Integers in a fixed table.
public struct LatencyBuckets: Sendable {
  /// Buckets with a bound; the default deadline of a call, 30 s, is below the last one.
  public static let bounded = 26
  private var counts = InlineArray<27, UInt64>(repeating: 0)
  /// Nanoseconds of all calls together.
  public private(set) var sumNanoseconds: UInt64 = 0

  /// Holds nothing yet.
  public init() {}

  /// Adds one call.
  mutating func add(nanoseconds: UInt64) {
    counts[Self.bucket(of: nanoseconds)] &+= 1
    sumNanoseconds &+= nanoseconds
  }

  /// The first bucket whose bound is not exceeded.
  static func bucket(of nanoseconds: UInt64) -> Int {
    let microseconds = nanoseconds / 1000 &+ (nanoseconds % 1000 == 0 ? 0 : 1)
    guard microseconds > 1 else { return 0 }
    return min(bounded, UInt64.bitWidth &- (microseconds &- 1).leadingZeroBitCount)
  }

  /// Microseconds that a bucket's calls took at most.
  public static func bound(of bucket: Int) -> UInt64 { 1 &<< UInt64(bucket) }

  /// Calls of one bucket, 0 to `bounded`; the last has no bound.
  public subscript(bucket: Int) -> UInt64 { counts[bucket] }

  /// All calls.
  public var count: UInt64 {
    var sum: UInt64 = 0
    for index in counts.indices { sum &+= counts[index] }
    return sum
  }
}
