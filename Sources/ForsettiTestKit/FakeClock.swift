public import ForsettiRuntime

/// A clock that stands still until a test moves it.
@ReactorActor public final class FakeClock: RuntimeClock {
  /// Nanoseconds; starts at a second, so that nothing is due before it was asked for.
  public private(set) var now: UInt64 = 1_000_000_000
  private let timers = Timers()

  /// Makes a clock; `nonisolated` so that a test can hold it as a property.
  public nonisolated init() {}

  /// Calls that are still to be made.
  public var pending: Int { timers.count }

  /// Adds a call; `advance(by:)` makes it.
  @discardableResult
  public func schedule(
    after delay: Duration, _ body: @escaping @ReactorActor () -> Void
  ) -> ScheduledTimer {
    timers.schedule(due: now &+ delay.clampedNanoseconds, body)
  }

  /// Moves time on and makes every call that is due by then, each at its own time.
  public func advance(by delay: Duration) {
    let end = now &+ delay.clampedNanoseconds
    while let due = timers.nextDue, due <= end {
      now = max(now, due)
      timers.fire(now: now)
    }
    now = end
  }

  /// Moves time on as for a process that was stopped meanwhile: what was due in between is late, and made once.
  public func jump(by delay: Duration) {
    now = now &+ delay.clampedNanoseconds
    timers.fire(now: now)
  }
}
