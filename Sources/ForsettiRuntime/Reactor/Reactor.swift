import CLinux
import Glibc
import Synchronization

/// Work that is due once at the end of the reactor's turn, such as one write for all frames queued in it.
@ReactorActor public protocol EndOfTurn: AnyObject {
  /// Called before the reactor sleeps or polls again.
  func endOfTurn()
}

/// One thread, one epoll: the executor of `ReactorActor`. It starts on first use and never ends, because
/// PR_SET_PDEATHSIG in a child fires when the *thread* that forked it ends.
///
/// A turn is: descriptors that are ready, timers that are due, jobs, end-of-turn work, then epoll again,
/// without sleeping if work is left. Descriptors are level-triggered, so a handler that spends its budget
/// simply returns and gets the next turn.
///
/// It is a task executor too. A task resumes from a continuation through the pool of Swift's default executor and
/// hops back from there, unless it prefers another: start what drives modules with
/// `Task(executorPreference: Reactor.shared)`, and it never leaves the thread.
///
/// `@unchecked Sendable`: what is not behind the door's lock is touched by the reactor thread alone.
public final class Reactor: SerialExecutor, TaskExecutor, @unchecked Sendable {
  /// The one instance.
  public static let shared = Reactor()

  /// Rounds of jobs before descriptors and timers get their turn again.
  private static let jobRoundsPerTurn = 16
  private static let eventsPerTurn = 128

  /// Jobs from other threads, and whether the eventfd already holds a wake-up for them.
  private struct Door {
    var jobs: [UnownedJob] = []
    var isRung = false
  }

  private let door = Mutex(Door())
  /// pthread_self() of the reactor thread, 0 until it runs.
  private let thread = Atomic<UInt>(0)
  private let epoll: Int32
  private let bell: Int32
  // Unsafe: the executor's requirement `enqueue` is not isolated, so neither are the queues it feeds; both are
  // used on the reactor thread only, which `enqueue` checks.
  private nonisolated(unsafe) var jobs: [UnownedJob] = []
  private nonisolated(unsafe) var runningJobs: [UnownedJob] = []
  private nonisolated(unsafe) var hasNanosecondWait = true
  /// What epoll fills, allocated once; the reactor thread's alone, like the queues.
  private nonisolated(unsafe) let events: UnsafeMutablePointer<epoll_event>

  @ReactorActor let timers = Timers()
  @ReactorActor private var sources: [EventSource?] = []
  @ReactorActor private var freeSlots: [UInt32] = []
  @ReactorActor private var retiredSlots: [UInt32] = []
  @ReactorActor private var endsOfTurn: [any EndOfTurn] = []
  @ReactorActor private var runningEnds: [any EndOfTurn] = []

  private init() {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    events = .allocate(capacity: Reactor.eventsPerTurn)
    events.initialize(repeating: epoll_event(), count: Reactor.eventsPerTurn)
    precondition(epoll >= 0 && bell >= 0, "the reactor needs two descriptors: errno \(errno)")
    Reactor.settleSignals()
    startThread()
  }

  // MARK: SerialExecutor

  /// Queues a job: on the reactor thread with no lock and no system call, from elsewhere through the door.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard !isCurrentThread else {
      jobs.append(job)
      return
    }
    let mustRing = door.withLock { door in
      door.jobs.append(job)
      defer { door.isRung = true }
      return !door.isRung
    }
    if mustRing { eventfd_write(bell, 1) }
  }

  /// The executor as jobs know it.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Traps off the reactor thread.
  public func checkIsolated() {
    precondition(isCurrentThread, "not on the reactor thread")
  }

  /// True on the reactor thread.
  public func isIsolatingCurrentContext() -> Bool? { isCurrentThread }

  private var isCurrentThread: Bool {
    UInt(pthread_self()) == thread.load(ordering: .relaxed)
  }

  // MARK: Registration

  /// Watches a descriptor; the handler runs on the reactor thread in the turn that saw an event.
  /// - Throws: the errno of epoll_ctl(2): EPERM for a regular file, EEXIST for one watched already.
  @ReactorActor public func watch(
    _ descriptor: Int32, for interest: Readiness, _ handler: @escaping @ReactorActor (Readiness) -> Void
  ) throws(SystemError) -> EventSource {
    let slot = freeSlots.popLast() ?? UInt32(truncatingIfNeeded: sources.count)
    let source = EventSource(
      descriptor: descriptor, interest: interest, slot: slot, reactor: self, handler: handler)
    if Int(slot) == sources.count { sources.append(nil) }
    guard control(EPOLL_CTL_ADD, source) == 0 else {
      freeSlots.append(slot)
      throw SystemError("epoll_ctl", errno)
    }
    sources[Int(slot)] = source
    return source
  }

  /// Calls `work` once, before the reactor next waits for events.
  @ReactorActor public func atEndOfTurn(_ work: any EndOfTurn) {
    endsOfTurn.append(work)
  }

  @ReactorActor @discardableResult
  func control(_ operation: Int32, _ source: EventSource) -> Int32 {
    var event = epoll_event()
    event.events = source.interest.rawValue
    event.data.u64 = UInt64(source.slot) << 32 | UInt64(UInt32(bitPattern: source.descriptor))
    return epoll_ctl(epoll, operation, source.descriptor, &event)
  }

  @ReactorActor func remove(_ source: EventSource) {
    control(EPOLL_CTL_DEL, source)
    sources[Int(source.slot)] = nil
    // The slot is not reused in the turn that freed it: its events may be fetched already.
    retiredSlots.append(source.slot)
  }

  // MARK: The loop

  private func startThread() {
    // The new thread inherits the mask: asynchronous signals go to whoever handles them, never here.
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&all, fault) }
    pthread_sigmask(SIG_BLOCK, &all, &previous)
    var handle = pthread_t()
    let failure = pthread_create(
      &handle, nil,
      { context in
        if let context { Unmanaged<Reactor>.fromOpaque(context).takeUnretainedValue().run() }
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(failure == 0, "the reactor needs a thread: errno \(failure)")
    cl_name_thread(handle, "reactor")
    pthread_sigmask(SIG_SETMASK, &previous, nil)
  }

  /// SIGPIPE would end the supervisor with the first module that dies unread. SIGCHLD ignored, which
  /// exec(2) inherits, would let the kernel reap children before their exit is read.
  private static func settleSignals() {
    signal(SIGPIPE, SIG_IGN)
    var current = sigaction()
    sigaction(SIGCHLD, nil, &current)
    if unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) == 1 { signal(SIGCHLD, SIG_DFL) }
  }

  private func run() -> Never {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    ReactorActor.assumeIsolated { watchBell() }
    while true {
      runJobs()
      let timeout = ReactorActor.assumeIsolated { finishTurn() }
      let count = wait(timeout: timeout)
      ReactorActor.assumeIsolated { dispatch(count) }
    }
  }

  /// A watch of its own: what it does must happen before jobs, whatever the order of events.
  @ReactorActor private func watchBell() {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.u64 = .max
    epoll_ctl(epoll, EPOLL_CTL_ADD, bell, &event)
  }

  private func runJobs() {
    let executor = asUnownedSerialExecutor()
    var rounds = 0
    while !jobs.isEmpty, rounds < Reactor.jobRoundsPerTurn {
      swap(&jobs, &runningJobs)
      for job in runningJobs { job.runSynchronously(on: executor) }
      runningJobs.removeAll(keepingCapacity: true)
      rounds += 1
    }
  }

  /// End-of-turn work; returns how long to sleep in nanoseconds, `nil` without end.
  @ReactorActor private func finishTurn() -> UInt64? {
    freeSlots.append(contentsOf: retiredSlots)
    retiredSlots.removeAll(keepingCapacity: true)
    if !endsOfTurn.isEmpty {
      swap(&endsOfTurn, &runningEnds)
      for work in runningEnds { work.endOfTurn() }
      runningEnds.removeAll(keepingCapacity: true)
    }
    if !jobs.isEmpty || !endsOfTurn.isEmpty { return 0 }
    guard let due = timers.nextDue else { return nil }
    let now = monotonicNanoseconds()
    return due > now ? due - now : 0
  }

  private func wait(timeout: UInt64?) -> Int {
    let capacity = Int32(Reactor.eventsPerTurn)
    guard let timeout else { return max(0, Int(epoll_wait(epoll, events, capacity, -1))) }
    var time = timespec(
      tv_sec: Int(min(timeout / 1_000_000_000, 86_400)), tv_nsec: Int(timeout % 1_000_000_000))
    if hasNanosecondWait {
      let count = epoll_pwait2(epoll, events, capacity, &time, nil)
      // ENOSYS or EPERM: an old kernel, or the seccomp profile of a container that does not know the call.
      guard count < 0, errno == ENOSYS || errno == EPERM else { return max(0, Int(count)) }
      hasNanosecondWait = false
    }
    let milliseconds = min((timeout &+ 999_999) / 1_000_000, 86_400_000)
    return max(0, Int(epoll_wait(epoll, events, capacity, Int32(milliseconds))))
  }

  @ReactorActor private func dispatch(_ count: Int) {
    for index in 0..<count {
      let key = events[index].data.u64
      guard key != .max else {
        openDoor()
        continue
      }
      let slot = Int(key >> 32)
      guard slot < sources.count, let source = sources[slot] else { continue }
      source.handler?(Readiness(rawValue: events[index].events))
    }
    if let due = timers.nextDue {
      let now = monotonicNanoseconds()
      if due <= now { timers.fire(now: now) }
    }
  }

  private func openDoor() {
    var rings: eventfd_t = 0
    eventfd_read(bell, &rings)
    door.withLock { door in
      jobs.append(contentsOf: door.jobs)
      door.jobs.removeAll(keepingCapacity: true)
      door.isRung = false
    }
  }
}
