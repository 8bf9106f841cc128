import CLinux
import Glibc

/// Time as the runtime sees it: monotonic, and a fake in tests.
@ReactorActor public protocol RuntimeClock: AnyObject, Sendable {
  /// Nanoseconds since an arbitrary start; never goes back.
  var now: UInt64 { get }

  /// Makes one call on the reactor thread after `delay`; at once, in the next turn, if that is zero or less.
  @discardableResult
  func schedule(after delay: Duration, _ body: @escaping @ReactorActor () -> Void) -> ScheduledTimer
}

/// CLOCK_MONOTONIC, with the reactor's own timers.
@ReactorActor public final class ReactorClock: RuntimeClock {
  /// The one instance.
  public static let shared = ReactorClock()

  private init() {}

  /// Nanoseconds of CLOCK_MONOTONIC.
  public var now: UInt64 { monotonicNanoseconds() }

  /// Adds a timer to the reactor.
  @discardableResult
  public func schedule(
    after delay: Duration, _ body: @escaping @ReactorActor () -> Void
  ) -> ScheduledTimer {
    let (due, overflow) = now.addingReportingOverflow(delay.clampedNanoseconds)
    return Reactor.shared.timers.schedule(due: overflow ? .max : due, body)
  }
}

/// Nanoseconds of CLOCK_MONOTONIC, from any thread.
func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}

extension Duration {
  /// Whole nanoseconds, 0 for what is negative and the largest number for what does not fit.
  public var clampedNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = whole.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
    return overflow || carry ? .max : sum
  }
}
