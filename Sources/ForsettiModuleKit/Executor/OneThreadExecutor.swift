@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

/// The main actor's executor, which with `SharedExecutor` runs all of Swift concurrency on the one thread.
///
/// The runtime's own executors start threads; a locked module may not. These need read, write and ppoll
/// of the pipes, and memory. They are two objects so that isolation stays true: a job of no actor does not
/// count as the main actor's, and it can switch to an actor that is free without going through the queue.
final class OneThreadExecutor: MainExecutor, SchedulingExecutor {
  let loop: EventLoop

  init(loop: EventLoop) { self.loop = loop }

  var isMainExecutor: Bool { true }

  func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(UnownedJob(job), lane: .main) }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    loop.enqueue(UnownedJob(job), lane: .main, after: delay, tolerance: tolerance, clock: clock)
  }

  func run() { runUntil { false } }
  func runUntil(_ condition: () -> Bool) { loop.run(main: asUnownedSerialExecutor(), until: condition) }
  func stop() { loop.stop() }

  /// Asked where the runtime knows of no main actor's job: true in the loop itself, between jobs.
  func isIsolatingCurrentContext() -> Bool? { loop.isMainContext }
  func checkIsolated() { precondition(loop.isMainContext, "this code is not the main actor's") }
}

/// The executor of every job that is not the main actor's, on the same thread and the same loop.
final class SharedExecutor: TaskExecutor, SchedulingExecutor {
  let loop: EventLoop

  init(loop: EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(UnownedJob(job), lane: .shared) }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    loop.enqueue(UnownedJob(job), lane: .shared, after: delay, tolerance: tolerance, clock: clock)
  }
}

extension EventLoop {
  fileprivate func enqueue<C: Clock>(
    _ job: UnownedJob, lane: Lane, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    if let delay = delay as? Duration, let kernelClock = KernelClock(clock) {
      enqueue(job, lane: lane, after: delay.saturatedNanoseconds, on: kernelClock)
      return
    }
    // A clock of the module's own making: only the clock itself knows how long its durations are.
    let deadline = clock.now.advanced(by: delay)
    Task {
      try? await clock.sleep(until: deadline, tolerance: tolerance)
      self.enqueue(job, lane: lane)
    }
  }
}

extension KernelClock {
  /// The kernel's clock behind one of Swift's two; `nil` for any other.
  fileprivate init?(_ clock: some Clock) {
    switch clock {
    case is ContinuousClock: self = .bootTime
    case is SuspendingClock: self = .monotonic
    default: return nil
    }
  }
}

/// The executors of this process, made once and before the first use of concurrency.
enum OneThread: ExecutorFactory {
  static let loop = EventLoop()
  static let main = OneThreadExecutor(loop: loop)
  static let shared = SharedExecutor(loop: loop)

  static var mainExecutor: any MainExecutor { main }
  static var defaultExecutor: any TaskExecutor { shared }

  /// Makes the runtime use them. To be called first thing in `main`.
  static func install() { _createExecutors(factory: OneThread.self) }
}
