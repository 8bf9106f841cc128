/// A burst at once, then a steady rate; what comes above it is refused and leaves no debt.
/// Kept as one time, that at which all that was allowed is paid for (the generic cell rate algorithm).
public struct RateLimit: Sendable, Hashable {
  /// What is allowed after a rest.
  public let burst: UInt64
  /// Nanoseconds that each costs.
  public let interval: UInt64
  private var paidAt: UInt64 = 0

  /// A steady rate, of which a second's worth may come at once.
  public init(perSecond rate: Int) {
    let rate = UInt64(clamping: max(1, rate))
    self.init(burst: rate, interval: max(1, 1_000_000_000 / rate))
  }

  /// Makes a limit.
  public init(burst: UInt64, interval: UInt64) {
    self.burst = burst
    self.interval = interval
  }

  /// Whether one more, or `count` more, is within the limit at `now`, in nanoseconds of any clock that never goes back.
  public mutating func allows(_ count: UInt64 = 1, now: UInt64) -> Bool {
    let paid = max(paidAt, now) &+ count &* interval
    guard paid &- now <= burst &* interval else { return false }
    paidAt = paid
    return true
  }
}
