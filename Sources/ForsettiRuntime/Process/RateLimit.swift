/// A burst at once, then a steady rate; what comes above it is refused and leaves no debt.
/// Kept as one time, that at which all that was allowed is paid for (the generic cell rate algorithm).
public struct RateLimit: Sendable, Hashable {
  /// What is allowed after a rest.
  public let burst: UInt64
  /// Nanoseconds that each costs.
  public let interval: UInt64
  private var paidAt: UInt64 = 0

  /// Makes a limit.
  public init(burst: UInt64, interval: UInt64) {
    self.burst = burst
    self.interval = interval
  }

  /// Whether one more is within the limit at `now`, in nanoseconds of any clock that never goes back.
  public mutating func allows(now: UInt64) -> Bool {
    let paid = max(paidAt, now) &+ interval
    guard paid &- now <= burst &* interval else { return false }
    paidAt = paid
    return true
  }
}
