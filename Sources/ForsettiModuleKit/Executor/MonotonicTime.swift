internal import CLinux
internal import Glibc

/// Kernel clocks, the first two those behind Swift's: all are read in the vDSO, so reading one is no system call.
enum KernelClock {
  /// `SuspendingClock`: stands still while the machine sleeps.
  case monotonic
  /// `ContinuousClock`: goes on while the machine sleeps.
  case bootTime
  /// `monotonic`, read in a fifth of the time, a few milliseconds behind: for deadlines of seconds.
  case coarse

  /// Nanoseconds since the clock's epoch.
  var now: Int64 {
    var time = timespec()
    let clock =
      switch self {
      case .monotonic: CLOCK_MONOTONIC
      case .bootTime: CLOCK_BOOTTIME
      case .coarse: CLOCK_MONOTONIC_COARSE
      }
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension Duration {
  /// Whole nanoseconds, rounded up so that nobody wakes early, between 0 and `Int64.max` (292 years).
  /// `components` traps on durations that don't fit it, hence the comparison before it.
  var saturatedNanoseconds: Int64 {
    if self <= .zero { return 0 }
    if self >= .seconds(9_223_372_036) { return .max }
    let (seconds, attoseconds) = components
    return seconds &* 1_000_000_000 &+ (attoseconds &+ 999_999_999) / 1_000_000_000
  }
}

extension Int64 {
  /// The sum, or `max` where it doesn't fit. Both are at least 0.
  func saturatingAdd(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
