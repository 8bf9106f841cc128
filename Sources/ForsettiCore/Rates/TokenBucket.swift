/// A burst at once, then a steady rate: the one limiter of everything that is counted over time.
///
/// Kept as one time, that at which all that was taken is paid for (the generic cell rate algorithm): no counter to
/// refill, and a bucket that nobody asks costs nothing. Times are nanoseconds of any clock that never goes back.
public struct TokenBucket: Sendable, Hashable {
  /// What may be taken after a rest.
  public let burst: UInt64
  /// Nanoseconds that each costs.
  public let interval: UInt64
  private var paidAt: UInt64 = 0

  /// Makes a bucket, full.
  public init(burst: UInt64, interval: UInt64) {
    self.burst = burst
    self.interval = interval
  }

  /// A steady rate, of which a second's worth may come at once unless told otherwise.
  public init(perSecond rate: Int, burst: Int? = nil) {
    let rate = UInt64(clamping: max(1, rate))
    self.init(burst: UInt64(clamping: max(1, burst ?? Int(rate))), interval: max(1, 1_000_000_000 / rate))
  }

  /// Takes `count`, or nothing where there are not so many: what is refused leaves no debt.
  public mutating func take(_ count: UInt64 = 1, now: UInt64) -> Bool {
    guard holds(count, now: now) else { return false }
    paidAt = paid(count, now: now)
    return true
  }

  /// Whether there are `count` to take.
  public func holds(_ count: UInt64, now: UInt64) -> Bool {
    paid(count, now: now) &- now <= allowance
  }

  /// Takes one that cannot be refused, and says when its turn is: `nil` at once, else a time after `now`. Each that
  /// waits makes the next wait longer.
  public mutating func queue(now: UInt64) -> UInt64? {
    paidAt = paid(1, now: now)
    let due = paidAt > allowance ? paidAt - allowance : 0
    return due > now ? due : nil
  }

  private var allowance: UInt64 { Self.product(burst, interval) }

  /// When everything is paid for once `count` more are taken; the end of time where it lies beyond it.
  private func paid(_ count: UInt64, now: UInt64) -> UInt64 {
    let (sum, overflow) = max(paidAt, now).addingReportingOverflow(Self.product(count, interval))
    return overflow ? .max : sum
  }

  private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    return overflow ? .max : product
  }
}
