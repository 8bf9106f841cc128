/// A bucket of log lines for each module, so that one that floods costs neither the disk nor the others' lines.
///
/// Once a bucket is empty, lines are dropped until it holds a second's worth again: the count of what was
/// dropped then comes once a second, not with every line that slips through.
public struct LogRateLimiter: Sendable {
  /// What becomes of a line.
  public enum Verdict: Sendable, Hashable {
    /// It passes; this many before it did not and have not been told of yet.
    case pass(droppedBefore: Int)
    case drop
  }

  private struct Bucket {
    /// Nanoseconds saved up; a line costs `cost`.
    var credit: UInt64
    var filledAt: UInt64
    var dropped = 0
  }

  private let cost: UInt64
  private let capacity: UInt64
  private let resumeAt: UInt64
  private var buckets: [String: Bucket] = [:]

  /// Makes a limiter.
  ///
  /// - Parameters:
  ///   - burst: lines that a quiet module may write at once, 1 to 1,000,000.
  ///   - perSecond: lines a second in the long run, 1 to 1,000,000.
  public init(burst: Int = 200, perSecond: Int = 50) {
    let lines = UInt64(max(1, min(burst, 1_000_000)))
    let rate = UInt64(max(1, min(perSecond, 1_000_000)))
    cost = 1_000_000_000 / rate
    capacity = cost * lines
    resumeAt = cost * min(lines, rate)
  }

  /// Decides on one line.
  ///
  /// - Parameter now: nanoseconds of a clock that never goes back.
  public mutating func admit(_ moduleID: String, now: UInt64) -> Verdict {
    var bucket = buckets[moduleID] ?? Bucket(credit: capacity, filledAt: now)
    defer { buckets[moduleID] = bucket }
    let elapsed = now > bucket.filledAt ? now - bucket.filledAt : 0
    bucket.credit = elapsed >= capacity ? capacity : min(capacity, bucket.credit + elapsed)
    bucket.filledAt = max(now, bucket.filledAt)
    let needed = bucket.dropped > 0 ? resumeAt : cost
    guard bucket.credit >= needed else {
      bucket.dropped += 1
      return .drop
    }
    bucket.credit -= cost
    defer { bucket.dropped = 0 }
    return .pass(droppedBefore: bucket.dropped)
  }

  /// Forgets a module that is gone; returns how many lines it lost that were not told of.
  public mutating func forget(_ moduleID: String) -> Int {
    buckets.removeValue(forKey: moduleID)?.dropped ?? 0
  }
}
