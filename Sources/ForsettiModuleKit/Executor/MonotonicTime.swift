internal import CLinux
internal import Glibc

/// The two kernel clocks behind Swift's: both are read in the vDSO, so reading one is no system call.
enum KernelClock {
  /// `SuspendingClock`: stands still while the machine sleeps.
  case monotonic
  /// `ContinuousClock`: goes on while the machine sleeps.
  case bootTime

  /// Nanoseconds since the clock's epoch.
  var now: Int64 {
    var time = timespec()
    clock_gettime(self == .monotonic ? CLOCK_MONOTONIC : CLOCK_BOOTTIME, &time)
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
