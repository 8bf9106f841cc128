internal import CLinux
internal import ForsettiIPC
internal import Glibc
internal import _Concurrency

/// What the loop asks of the two pipes to the supervisor. Nothing here may block.
@MainActor
protocol EventPort: AnyObject, Sendable {
  /// The descriptor to wait on for input.
  nonisolated var input: Int32 { get }
  /// The descriptor to wait on for room, while `flush` says bytes are left.
  nonisolated var output: Int32 { get }
  /// Whether input that was read is still to be taken: there is no need to wait for more.
  var hasBacklog: Bool { get }
  /// Takes a turn's worth of input: what is left, or else what a read brings, its end, or an error. False where there was
  /// nothing.
  func takeInput() -> Bool
  /// Writes what waits, as far as the pipe has room. True while bytes are left.
  func flush() -> Bool
  /// Ends what is overdue. Nanoseconds until something may be; `nil` where nothing can be.
  func expire() -> Int64?
}

/// The one loop of a module process: jobs that are ready, timers, and the two pipes, in one ppoll(2).
/// Jobs run in the order they came, whatever their priority: with one thread, that starves nobody.
///
/// `@unchecked Sendable`: executors have to be Sendable, and a module process has exactly one thread.
final class EventLoop: @unchecked Sendable {
  /// Whose job it is. Isolation differs, the thread does not.
  enum Lane: UInt8, BitwiseCopyable {
    /// Jobs of the main actor.
    case main
    /// Jobs of every other actor and of none.
    case shared
  }

  private struct Job: BitwiseCopyable {
    var job: UnownedJob
    var lane: Lane
  }

  /// Jobs run between two looks at the pipes, so that jobs which never run dry can't starve them, and so that the
  /// supervisor works on the first calls of many while the others are being made.
  private static let jobsPerTurn = 32

  private var ready = Ring<Job>()
  private var monotonicTimers = TimerHeap<Job>()
  private var bootTimeTimers = TimerHeap<Job>()
  private var stopped = false
  private var running: Lane?
  private var port: (any EventPort)?
  private var spin = SpinGovernor()
  private let polled = UnsafeMutablePointer<pollfd>.allocate(capacity: 2)
  /// The runtime's reference to "no actor" is all zeros, and the library has no public name for it.
  private static let noActor = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)

  deinit { polled.deallocate() }

  /// Whether no other job than one of the main actor's runs now.
  var isMainContext: Bool { running != .shared }

  /// Waits on this port from the next turn on, or on none.
  func attach(_ port: (any EventPort)?) { self.port = port }

  /// Whether the loop may look for input a few microseconds longer before it sleeps, where that pays.
  func allowSpinning(_ isAllowed: Bool) { spin.isAllowed = isAllowed }

  /// Queues a job behind all that are ready.
  func enqueue(_ job: UnownedJob, lane: Lane) { ready.append(Job(job: job, lane: lane)) }

  /// Queues a job once the clock has moved on by `delay` nanoseconds; 0 is the next turn.
  func enqueue(_ job: UnownedJob, lane: Lane, after delay: Int64, on clock: KernelClock) {
    let deadline = clock.now.saturatingAdd(delay)
    switch clock {
    case .monotonic, .coarse: monotonicTimers.insert(Job(job: job, lane: lane), deadline: deadline)
    case .bootTime: bootTimeTimers.insert(Job(job: job, lane: lane), deadline: deadline)
    }
  }

  /// Ends `run` after the job that runs now.
  func stop() { stopped = true }

  /// Runs jobs, those of the main lane as `main`, until `stop`, until `done` says so, or until nothing is left
  /// that could ever become ready.
  func run(main: UnownedSerialExecutor, until done: () -> Bool) {
    stopped = false
    while !stopped && !done() {
      runReadyJobs(main: main, until: done)
      if stopped { return }
      let timers = wakeTimers()
      let deadlines = port.flatMap { port in MainActor.assumeIsolated { port.expire() } }
      let bytesLeft = port.map { port in MainActor.assumeIsolated { port.flush() } } ?? false
      if takesBacklog() { continue }
      // Expiring and flushing resume whoever waited.
      let timeout = ready.isEmpty ? Self.earlier(timers, deadlines) : 0
      if port == nil && timeout == nil { return }
      if timeout == 0 {
        poll(bytesLeft: bytesLeft, timeout: 0)
      } else {
        idle(bytesLeft: bytesLeft, timeout: timeout)
      }
    }
  }

  /// Goes on with input that was read before; false where all of it is taken.
  private func takesBacklog() -> Bool {
    guard let port else { return false }
    return MainActor.assumeIsolated { port.hasBacklog && port.takeInput() }
  }

  /// Looks for input where that pays, and sleeps where it doesn't.
  private func idle(bytesLeft: Bool, timeout: Int64?) {
    guard spin.isAllowed, let port else { return poll(bytesLeft: bytesLeft, timeout: timeout) }
    let start = KernelClock.monotonic.now
    let budget = bytesLeft ? 0 : min(spin.budget, timeout ?? .max)
    if budget > 0 {
      repeat {
        if MainActor.assumeIsolated({ port.takeInput() }) { return spin.didFind() }
      } while KernelClock.monotonic.now &- start < budget
      spin.didMiss()
    }
    poll(bytesLeft: bytesLeft, timeout: timeout)
    spin.didWait(KernelClock.monotonic.now &- start)
  }

  private func runReadyJobs(main: UnownedSerialExecutor, until done: () -> Bool) {
    for _ in 0..<Self.jobsPerTurn {
      guard let next = ready.popFirst() else { return }
      running = next.lane
      ExecutorJob(next.job).runSynchronously(on: next.lane == .main ? main : Self.noActor)
      running = nil
      if stopped || done() { return }
    }
  }

  /// Makes due jobs ready. Nanoseconds until the next timer; `nil` without one.
  private func wakeTimers() -> Int64? {
    if monotonicTimers.isEmpty && bootTimeTimers.isEmpty { return nil }
    let waits = (wake(&monotonicTimers, KernelClock.monotonic), wake(&bootTimeTimers, KernelClock.bootTime))
    return Self.earlier(waits.0, waits.1)
  }

  private static func earlier(_ one: Int64?, _ other: Int64?) -> Int64? {
    switch (one, other) {
    case (let one?, let other?): min(one, other)
    case (let one, let other): one ?? other
    }
  }

  private func wake(_ timers: inout TimerHeap<Job>, _ clock: KernelClock) -> Int64? {
    guard !timers.isEmpty else { return nil }
    let now = clock.now
    while let due = timers.popDue(at: now) { ready.append(due) }
    return timers.earliest.map { $0 &- now }
  }

  /// Waits for the port, at most for `timeout` nanoseconds; `nil` is for ever.
  private func poll(bytesLeft: Bool, timeout: Int64?) {
    var descriptors: nfds_t = 0
    if let port {
      polled[0] = pollfd(fd: port.input, events: Int16(POLLIN), revents: 0)
      polled[1] = pollfd(fd: port.output, events: Int16(POLLOUT), revents: 0)
      descriptors = bytesLeft ? 2 : 1
    }
    let ready = cl_ppoll(polled, descriptors, timeout ?? -1)
    // A failure is EINTR after SIGSTOP and SIGCONT, or ENOMEM that passes: the next turn asks again.
    guard ready > 0, let port, polled[0].revents != 0 else { return }
    _ = MainActor.assumeIsolated { port.takeInput() }
  }
}
