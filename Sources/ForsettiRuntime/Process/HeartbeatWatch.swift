import ForsettiCore

/// Asks one module whether its executor still turns, when `Heartbeat` says to.
@ReactorActor final class HeartbeatWatch {
  /// Looks are due at whole multiples of this, so that those of many modules share one wake of the reactor. Modules
  /// start at times of their own, which spreads them over the multiples.
  private static let grid: UInt64 = 100_000_000

  private let clock: any RuntimeClock
  /// Sends a ping; false when nothing more can be queued for the module now.
  private let ping: @ReactorActor () -> Bool
  /// How many of the module's calls the supervisor has made wait so far.
  private let heldCalls: @ReactorActor () -> UInt64
  private let lost: @ReactorActor (Int) -> Void
  private var heartbeat: Heartbeat
  private var timer: ScheduledTimer?
  private var held: UInt64 = 0
  private var isUnsent = false

  init(
    _ policy: HeartbeatPolicy, clock: any RuntimeClock, ping: @escaping @ReactorActor () -> Bool,
    heldCalls: @escaping @ReactorActor () -> UInt64, lost: @escaping @ReactorActor (Int) -> Void
  ) {
    heartbeat = Heartbeat(policy)
    self.clock = clock
    self.ping = ping
    self.heldCalls = heldCalls
    self.lost = lost
  }

  /// Begins to look.
  func start() { look(after: heartbeat.firstLookMilliseconds) }

  /// Looks no more.
  func stop() {
    timer?.cancel()
    timer = nil
  }

  /// Takes an answer; false where none was asked for.
  func takeAnswer() -> Bool { heartbeat.takeAnswer() }

  private func look(after milliseconds: Int) {
    let due = clock.now &+ UInt64(milliseconds) &* 1_000_000
    let (rounded, overflow) = ((due &+ Self.grid &- 1) / Self.grid).multipliedReportingOverflow(by: Self.grid)
    let delay = (overflow ? due : rounded) &- clock.now
    timer = clock.schedule(after: .nanoseconds(Int64(clamping: delay))) { [weak self] in self?.look() }
  }

  private func look() {
    if isUnsent, ping() {
      isUnsent = false
      heartbeat.askedLate()
    }
    let held = heldCalls()
    defer { self.held = held }
    switch heartbeat.look(wasHeldUp: held != self.held) {
    case .ping(let milliseconds):
      isUnsent = !ping()
      look(after: milliseconds)
    case .look(let milliseconds): look(after: milliseconds)
    case .lost(let milliseconds): lost(milliseconds)
    }
  }
}
