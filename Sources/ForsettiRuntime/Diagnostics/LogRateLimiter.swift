import ForsettiCore

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

  private struct Lines {
    var bucket: TokenBucket
    var dropped = 0
  }

  private let full: TokenBucket
  private let resumeAt: UInt64
  private var modules: [String: Lines] = [:]

  /// Makes a limiter.
  ///
  /// - Parameters:
  ///   - burst: lines that a quiet module may write at once, 1 to 1,000,000.
  ///   - perSecond: lines a second in the long run, 1 to 1,000,000.
  public init(burst: Int = 200, perSecond: Int = 50) {
    let lines = max(1, min(burst, 1_000_000))
    let rate = max(1, min(perSecond, 1_000_000))
    full = TokenBucket(perSecond: rate, burst: lines)
    resumeAt = UInt64(min(lines, rate))
  }

  /// Decides on one line.
  ///
  /// - Parameter now: nanoseconds of a clock that never goes back.
  public mutating func admit(_ moduleID: String, now: UInt64) -> Verdict {
    var lines = modules[moduleID] ?? Lines(bucket: full)
    defer { modules[moduleID] = lines }
    guard lines.bucket.holds(lines.dropped > 0 ? resumeAt : 1, now: now) else {
      lines.dropped += 1
      return .drop
    }
    _ = lines.bucket.take(now: now)
    defer { lines.dropped = 0 }
    return .pass(droppedBefore: lines.dropped)
  }

  /// Forgets a module that is gone; returns how many lines it lost that were not told of.
  public mutating func forget(_ moduleID: String) -> Int {
    modules.removeValue(forKey: moduleID)?.dropped ?? 0
  }
}
