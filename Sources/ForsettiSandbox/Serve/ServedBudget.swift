/// How many answers a process gets: a burst at once, then a steady rate. An answer past it waits for its turn,
/// so the process that asks too much sleeps in its own call and nobody else pays.
///
/// Kept as one time, that at which the debt is paid (the generic cell rate algorithm): no counter to refill.
public struct ServedBudget: Sendable, Hashable {
  /// Answers that need not wait after a rest.
  public let burst: UInt64
  /// Nanoseconds that one answer costs.
  public let interval: UInt64
  private var paidAt: UInt64 = 0

  /// Makes a budget; the default costs the supervisor at most 0.7 % of a core (64 at once, 1,000 a second).
  public init(burst: UInt64 = 64, interval: UInt64 = 1_000_000) {
    self.burst = burst
    self.interval = interval
  }

  /// Takes one answer and says when it may be given: `nil` at once, else a time not before `now`.
  /// - Parameter now: nanoseconds of any clock that doesn't go back.
  public mutating func take(now: UInt64) -> UInt64? {
    paidAt = max(paidAt, now) &+ interval
    let allowance = burst &* interval
    let due = paidAt > allowance ? paidAt - allowance : 0
    return due > now ? due : nil
  }
}
