import CLinux
public import ForsettiBlocking
import ForsettiIPC
import Glibc
import Synchronization

/// Work that is due once at the end of the reactor's turn, such as one write for all frames queued in it.
@ReactorActor public protocol EndOfTurn: AnyObject {
  /// Called before the reactor sleeps or polls again.
  func endOfTurn()
}

/// A channel whose next input may come so soon that the reactor looks for it before it sleeps.
@ReactorActor protocol SpinTarget: AnyObject {
  /// Reads and handles what is there; false when nothing was.
  func takeInput() -> Bool
}

/// One thread, one epoll: the executor of `ReactorActor`. It starts on first use and never ends.
///
/// A turn is: traffic that is ready, timers that are due, what these have to send; then a short time of either jobs or upkeep, as
/// `Precedence` has it, end-of-turn work, and epoll again, without sleeping if work is left. So a call waits for one piece of
/// whatever else there is to do, and not for all of it. Where that has paid off lately, and spinning is allowed, it looks for the input of
/// the channels that were active last for a few microseconds before it sleeps. Descriptors are level-triggered, so a handler that spends its budget
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
  /// How long what is behind the first job, or the first descriptor of upkeep, may take, in nanoseconds: whoever does much, and lets
  /// others in between two pieces of it, must not hold up calls for all of them.
  private static let timePerTurn: UInt64 = 20_000
  /// Turns whose jobs took all of that, one after the other, before others may have the processor.
  private static let turnsPerYield = 3
  private static let eventsPerTurn = 128
  /// Channels looked at while spinning: a caller, a provider, and as many again.
  private static let spinTargets = 4
  /// Looks at these channels between two at all descriptors, so that nobody waits for the end of a spin.
  private static let looksPerPoll = 8
  /// What events carry that are the reactor's own.
  private static let bellKey = UInt64.max
  private static let alarmKey = UInt64.max - 1

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
  /// The timer descriptor: a sleep without a timeout costs half a microsecond less, and most turns leave it alone.
  private let alarm: Int32
  // Unsafe: the executor's requirement `enqueue` is not isolated, so neither are the queues it feeds; both are
  // used on the reactor thread only, which `enqueue` checks.
  private nonisolated(unsafe) var jobs: [UnownedJob] = []
  private nonisolated(unsafe) var runningJobs: [UnownedJob] = []
  /// What epoll fills, allocated once; the reactor thread's alone, like the queues.
  private nonisolated(unsafe) let events: UnsafeMutablePointer<epoll_event>

  @ReactorActor let timers = Timers()
  /// When the alarm goes off, `.max` when it is not set; never later than the next timer is due.
  @ReactorActor private var alarmDue = UInt64.max
  @ReactorActor private var spin = SpinGovernor()
  @ReactorActor private var spinTargets: [any SpinTarget] = []
  @ReactorActor private var sources: [EventSource?] = []
  @ReactorActor private var freeSlots: [UInt32] = []
  @ReactorActor private var retiredSlots: [UInt32] = []
  @ReactorActor private var endsOfTurn: [any EndOfTurn] = []
  @ReactorActor private var runningEnds: [any EndOfTurn] = []
  @ReactorActor private var upkeep = UpkeepQueue()

  private init() {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    alarm = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    events = .allocate(capacity: Reactor.eventsPerTurn)
    events.initialize(repeating: epoll_event(), count: Reactor.eventsPerTurn)
    precondition(epoll >= 0 && bell >= 0 && alarm >= 0, "the reactor needs three descriptors: errno \(errno)")
    SignalSource.settle()
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

  // MARK: Spinning

  /// Whether the reactor may look for input a few microseconds longer before it sleeps, where that pays. Takes a second
  /// processor: with one, whoever is waited for could not run meanwhile.
  @ReactorActor public func allowSpinning(_ isAllowed: Bool) {
    spin.isAllowed = isAllowed && ProcessorShares.current.all.count > 1
    if !spin.isAllowed { spinTargets.removeAll() }
  }

  /// Whether spinning is allowed, and there is a second processor.
  @ReactorActor public var maySpin: Bool { spin.isAllowed }

  /// A channel has had input: more of it may come soon.
  @ReactorActor func expectInput(from target: any SpinTarget) {
    guard spin.isAllowed, spinTargets.first !== target else { return }
    spinTargets.removeAll { $0 === target }
    if spinTargets.count == Self.spinTargets { spinTargets.removeLast() }
    spinTargets.insert(target, at: 0)
  }

  /// A channel has closed.
  @ReactorActor func expectNoInput(from target: any SpinTarget) {
    spinTargets.removeAll { $0 === target }
  }

  /// Looks for input. True where a channel had some, which is handled by then.
  @ReactorActor private func spins(for budget: Int64, from start: Int64) -> SpinResult {
    var looks = 0
    repeat {
      for target in spinTargets where target.takeInput() { return .handled }
      looks += 1
      if looks % Self.looksPerPoll == 0 {
        let count = poll()
        if count > 0 { return .events(count) }
      }
    } while Int64(monotonicNanoseconds()) &- start < budget
    return .nothing
  }

  private enum SpinResult {
    case handled, nothing
    case events(Int)
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

  private func run() -> Never {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    // Every call of every module waits for this thread, and it never runs long; without it, calls take longer.
    _ = cl_set_slice(UInt64(CL_SHORTEST_SLICE))
    watchOwn(bell, Self.bellKey)
    watchOwn(alarm, Self.alarmKey)
    ReactorActor.assumeIsolated { takeTurns() }
  }

  @ReactorActor private func takeTurns() -> Never {
    var isWorkLeft = false
    var runsJobs = false
    var fullTurns = 0
    while true {
      dispatch(isWorkLeft ? poll() : idle())
      // Before anything else: somebody waits for the answers.
      runEndsOfTurn()
      // They take turns where there are both.
      runsJobs = upkeep.isEmpty || (!runsJobs && !jobs.isEmpty)
      if !runsJobs { handleUpkeep() } else if runJobs() { fullTurns += 1 }
      isWorkLeft = finishTurn()
      if !isWorkLeft { fullTurns = 0 }
      // Whoever works for a call on a thread of his own may wait for this processor, and would until the kernel's next
      // tick, as turns as short as the reactor's are not taken from it. Not every turn: who gets it may keep it for longer.
      if fullTurns == Self.turnsPerYield {
        fullTurns = 0
        sched_yield()
      }
    }
  }

  /// A watch of its own: what it does must happen before jobs, whatever the order of events.
  private func watchOwn(_ descriptor: Int32, _ key: UInt64) {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.u64 = key
    epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
  }

  /// True where jobs took all the time they may, and some are left.
  private func runJobs() -> Bool {
    let executor = asUnownedSerialExecutor()
    var rounds = 0
    var done = 0
    var end: UInt64 = 0
    while !jobs.isEmpty, rounds < Reactor.jobRoundsPerTurn {
      swap(&jobs, &runningJobs)
      for index in runningJobs.indices {
        // Most turns have one job, and need no clock.
        if done == 1 { end = monotonicNanoseconds() &+ Reactor.timePerTurn }
        if done > 1, monotonicNanoseconds() > end {
          // Before those that came meanwhile.
          jobs.insert(contentsOf: runningJobs[index...], at: 0)
          runningJobs.removeAll(keepingCapacity: true)
          return true
        }
        runningJobs[index].runSynchronously(on: executor)
        done += 1
      }
      runningJobs.removeAll(keepingCapacity: true)
      rounds += 1
    }
    return !jobs.isEmpty
  }

  /// End-of-turn work, and the alarm for the next timer. True when there is more to do before a sleep.
  @ReactorActor private func finishTurn() -> Bool {
    if !retiredSlots.isEmpty {
      freeSlots.append(contentsOf: retiredSlots)
      retiredSlots.removeAll(keepingCapacity: true)
    }
    runEndsOfTurn()
    if let due = timers.nextDue, due < alarmDue { setAlarm(due) }
    return !upkeep.isEmpty || !jobs.isEmpty || !endsOfTurn.isEmpty
  }

  @ReactorActor private func runEndsOfTurn() {
    guard !endsOfTurn.isEmpty else { return }
    swap(&endsOfTurn, &runningEnds)
    for work in runningEnds { work.endOfTurn() }
    runningEnds.removeAll(keepingCapacity: true)
  }

  /// An alarm that is set stays when its timer is cancelled: going off for nothing is rarer than being set anew.
  @ReactorActor private func setAlarm(_ due: UInt64) {
    alarmDue = due
    var time = itimerspec()
    // All zeros would be no alarm at all.
    let when = max(1, due)
    time.it_value = timespec(
      tv_sec: Int(when / 1_000_000_000), tv_nsec: Int(when % 1_000_000_000))
    timerfd_settime(alarm, Int32(TFD_TIMER_ABSTIME), &time, nil)
  }

  /// Looks for input where that pays, and sleeps where it doesn't. How many events there are.
  @ReactorActor private func idle() -> Int {
    guard spin.isAllowed else { return sleepUntilEvent() }
    let start = Int64(monotonicNanoseconds())
    let budget = spinTargets.isEmpty ? 0 : spin.budget
    if budget > 0 {
      switch spins(for: budget, from: start) {
      case .handled:
        spin.didFind()
        return 0
      case .events(let count): return count
      case .nothing: spin.didMiss()
      }
    }
    let count = sleepUntilEvent()
    spin.didWait(Int64(monotonicNanoseconds()) &- start)
    return count
  }

  private func poll() -> Int { max(0, Int(epoll_wait(epoll, events, Int32(Self.eventsPerTurn), 0))) }

  private func sleepUntilEvent() -> Int {
    max(0, Int(epoll_wait(epoll, events, Int32(Self.eventsPerTurn), -1)))
  }

  @ReactorActor private func dispatch(_ count: Int) {
    var isRinging = false
    for index in 0..<count {
      let key = events[index].data.u64
      if key >= Self.alarmKey {
        if key == Self.bellKey { openDoor() } else { isRinging = true }
        continue
      }
      let slot = Int(key >> 32)
      guard slot < sources.count, let source = sources[slot] else { continue }
      let readiness = Readiness(rawValue: events[index].events)
      switch source.precedence {
      case .traffic: source.handler?(readiness)
      case .upkeep: upkeep.add(source, readiness)
      }
    }
    if isRinging { ringAlarm() }
  }

  /// Handles one descriptor of upkeep, and others as long as the time is not over.
  @ReactorActor private func handleUpkeep() {
    let end = monotonicNanoseconds() &+ Self.timePerTurn
    repeat { upkeep.takeFirst()?.handlePending() } while !upkeep.isEmpty && monotonicNanoseconds() < end
  }

  @ReactorActor private func ringAlarm() {
    var rings: UInt64 = 0
    _ = read(alarm, &rings, MemoryLayout<UInt64>.size)
    alarmDue = .max
    timers.fire(now: monotonicNanoseconds())
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
