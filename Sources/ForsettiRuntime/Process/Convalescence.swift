import ForsettiBlocking

/// Keeps the reactor off the processors that are set aside, as long as there are modules on them.
@ReactorActor final class Ward {
  /// Where the modules of this process are.
  static let shared = Ward(clock: ReactorClock.shared)

  /// How long the reactor stays where it is after the last of them: one that crashes again is just being started.
  private static let afterglow = Duration.seconds(10)

  private let clock: any RuntimeClock
  private var count = 0
  private var release: ScheduledTimer?

  init(clock: any RuntimeClock) { self.clock = clock }

  // The calling thread is the reactor, in both.

  fileprivate func admit() {
    count += 1
    guard count == 1 else { return }
    release?.cancel()
    release = nil
    ProcessorShares.current.keep(to: .calls)
  }

  fileprivate func discharge() {
    count -= 1
    guard count == 0 else { return }
    release = clock.schedule(after: Self.afterglow) { ProcessorShares.current.keep(to: .all) }
  }
}

/// A module that crashed lately, from its spawning until it has run long enough: it keeps to the processors that are set
/// aside.
@ReactorActor final class Convalescence {
  private let ward: Ward
  private var isOver = false

  /// Begins; the process starts on the share that is set aside.
  init(in ward: Ward = .shared) {
    self.ward = ward
    ward.admit()
  }

  /// The process has ended.
  func end() {
    guard !isOver else { return }
    isOver = true
    ward.discharge()
  }

  /// It is stable: its process runs where the others do.
  /// - Parameter pid: not reaped, so that its number is its own.
  func end(of pid: Int32) {
    guard !isOver else { return }
    ProcessorShares.current.keep(process: pid, to: .all)
    end()
  }
}
