public import ForsettiCore
public import ForsettiIPC
import ForsettiSandbox
import Glibc

/// One module in its locked process, from spawn to end. It decides nothing itself: events of the kernel go through
/// `ModuleLifecycle`, and its actions are carried out here.
///
/// It keeps itself alive until the process has ended, so that dropping it leaks nothing. What was held for it is given back to the
/// kernel right afterwards, on another thread: `whenLetGo` waits for that.
@ReactorActor public final class ModuleProcess {
  /// What the owner hears, on the reactor thread, in the order it happened.
  public struct Handlers: Sendable {
    /// A record, a line of stdout or stderr, or how many were dropped.
    public var output: @ReactorActor (ModuleOutput) -> Void
    /// An event the module publishes.
    public var published: @ReactorActor (PublishMessage) -> Void
    /// The process has ended; nothing follows. Comes before `launch`, `start` and `stop` return.
    public var ended: @ReactorActor (ModuleExit) -> Void

    /// Makes handlers; those left out do nothing.
    public init(
      output: @escaping @ReactorActor (ModuleOutput) -> Void = { _ in },
      published: @escaping @ReactorActor (PublishMessage) -> Void = { _ in },
      ended: @escaping @ReactorActor (ModuleExit) -> Void = { _ in }
    ) {
      self.output = output
      self.published = published
      self.ended = ended
    }
  }

  /// What it was made from.
  public let spec: LaunchSpec
  /// Where it stands.
  public private(set) var state = ModuleLifecycle.State.created

  /// What it wrote of its own end, where the kernel names the same signal; known once the process has ended.
  public private(set) var lastWords: LastWords?
  /// What a report says of its end; known once the process has ended, and only if nobody had asked it to end.
  public private(set) var evidence: CrashEvidence?

  private let lifecycle: ModuleLifecycle
  private let clock: any RuntimeClock
  private let handlers: Handlers
  /// Its calls and events, if somebody brokers them.
  private let session: ModuleSession?
  private let output: OutputGate
  private var child: ChildProcess?
  private(set) var channel: FrameChannel?
  private var logPipe: LogPipe?
  private var responder: ServedCallsResponder?
  private var deadline: ScheduledTimer?
  private var heartbeat: HeartbeatWatch?
  /// As long as it keeps to the processors that are set aside, and the timer that ends this.
  private var convalescence: Convalescence?
  private var recovered: ScheduledTimer?
  private var failure: ModuleLifecycle.Failure?
  private var spawnedAt: UInt64 = 0
  /// A child is being made, or was.
  private var isSpawning = false
  private var activationNanoseconds: UInt64?
  /// What `launch` waits for.
  private let described = Outcome<DescribeMessage, ModuleManagerError>()
  /// What `start` waits for.
  private let started = Outcome<Void, ModuleManagerError>()
  private var exitWaiters: [CheckedContinuation<ModuleExit, Never>] = []

  /// Makes a process that is not started yet.
  /// - Parameter session: brokers its calls and events; without one a call is a protocol error, and events go to
  ///   `handlers.published`.
  public init(
    _ spec: LaunchSpec, handlers: Handlers = Handlers(), session: ModuleSession? = nil,
    clock: any RuntimeClock = ReactorClock.shared
  ) {
    self.spec = spec
    self.session = session
    self.handlers = handlers
    self.clock = clock
    lifecycle = ModuleLifecycle(
      ladder: spec.ladder, versions: spec.versions, spins: spec.spins, identify: spec.identify)
    output = OutputGate(
      limit: spec.outputLimit, clock: clock, meter: session?.meter, handler: handlers.output)
  }

  /// Spawns the module host, sees it locked, and returns what the module says it is. Call it once.
  /// - Throws: `hostUnavailable`, `sandboxFailed`, `entryPointNotRegistered`, `startTimedOut` with the phase, or
  ///   `crashedDuringStart` for every other end; the process has ended by then.
  public func launch() async throws(ModuleManagerError) -> DescribeMessage {
    guard state == .created, !isSpawning else { throw outOfTurn }
    isSpawning = true
    spawnedAt = clock.now
    if spec.convalescence != nil { convalescence = Convalescence() }
    do { try await spawn() } catch {
      convalescence?.end()
      session?.end(ModuleExit(status: .exited(code: 0), reason: .stopped))
      throw spec.unavailable("\(error)")
    }
    return try await described.value()
  }

  /// Starts the module with its grants; call it after `launch`.
  /// - Throws: `startFailed` with the module's reason, `startTimedOut`, or `crashedDuringStart`; the process has
  ///   ended by then.
  public func start(grants: [Capability]) async throws(ModuleManagerError) {
    if state.isEnding { _ = await exit() }
    guard state == .described else { throw outOfTurn }
    handle(.startRequested(grants))
    try await started.value()
  }

  /// Stops the module by its ladder and returns how it ended; at once when it has ended. May be called by many.
  public func stop() async -> ModuleExit {
    session?.willStop()
    handle(.stopRequested)
    return await exit()
  }

  /// Returns when the process has ended.
  public func exit() async -> ModuleExit {
    await withCheckedContinuation { continuation in
      if case .ended(let exit) = state { return continuation.resume(returning: exit) }
      exitWaiters.append(continuation)
    }
  }

  /// Returns when all processes that have ended by now are reaped, and what was held for them is closed.
  public nonisolated static func whenLetGo() async { await ChildSpawner.settle() }

  /// Ends it at once, for a shutdown that can't wait.
  public func kill() {
    session?.willStop()
    handle(.killRequested)
  }

  /// Its process; `nil` when there is none.
  public var process: RunningProcess? {
    child.map { RunningProcess(pid: $0.pid, activationNanoseconds: activationNanoseconds) }
  }

  /// What can be seen of it now; `nil` when there is no process. Its memory is gone through elsewhere than on the reactor.
  public func observe() async -> ModuleProcessInfo? {
    guard var info = glance else { return nil }
    // In 1,024 bytes, as the kernel tells it.
    info.pssKiB = await gauge()?.read().proportionalBytes.map { $0 / 1024 }
    return info
  }

  /// What is seen of it at small cost, some hundredths of a millisecond: all but its memory.
  private var glance: ModuleProcessInfo? {
    guard let child else { return nil }
    let status = StatusFile(of: child.pid)
    let counts = responder?.counts
    return ModuleProcessInfo(
      pid: child.pid, threads: status?.integer("Threads"), openFileDescriptors: responder?.openDescriptors,
      seccompMode: status?.integer("Seccomp"),
      noNewPrivileges: status?.integer("NoNewPrivs").map { $0 == 1 },
      activationNanoseconds: activationNanoseconds, servedCalls: counts?.answered ?? 0,
      delayedCalls: counts?.delayed ?? 0)
  }

  /// Its files of /proc; `nil` when there is no process.
  public func gauge() -> ProcessGauge? {
    guard let child else { return nil }
    return responder?.gauge(of: child.pid)
  }

  /// Before the process can have run any of the module's code.
  private func joinCgroup() {
    guard let cgroup = spec.cgroup, let child else { return }
    do { try cgroup.add(child.pid) } catch {
      handle(.sandboxFailed(step: .resourceLimits, errno: error.errno))
    }
  }

  // MARK: Events

  /// The only way to a new state.
  private func handle(_ event: ModuleLifecycle.Event) {
    let (next, actions) = lifecycle.next(state, event)
    if state == .active, next != .active { heartbeat?.stop() }
    state = next
    for action in actions { perform(action) }
  }

  private func perform(_ action: ModuleLifecycle.Action) {
    switch action {
    case .send(let message): send(message)
    case .takeListener(let number): takeListener(number)
    case .arm(let deadline): arm(deadline)
    case .disarm: disarm()
    case .kill(let signal): child?.signal(signal)
    case .described(let description):
      responder?.programDescribed()
      described.resolve(.success(description))
    case .started:
      channel?.carryTraffic()
      session?.activate()
      activationNanoseconds = clock.now &- spawnedAt
      startHeartbeat()
      awaitRecovery()
      started.resolve(.success(()))
    case .fail(let failure): self.failure = self.failure ?? failure
    case .heartbeatAnswered:
      if heartbeat?.takeAnswer() != true { handle(.protocolError("answered a ping that was not sent")) }
    case .record(let record): output.pass(record)
    case .publish(let event): handlers.published(event)
    case .finish(let exit): finish(exit)
    }
  }

  private func send(_ message: ProtocolMessage) {
    if case .start = message { session?.open() }
    do { try channel?.send(message) } catch { handle(.protocolError("does not read its pipe: \(error)")) }
  }

  private func startHeartbeat() {
    guard let policy = spec.heartbeat else { return }
    heartbeat = HeartbeatWatch(
      policy, clock: clock,
      ping: { [unowned self] in (try? channel?.send(.ping)) != nil },
      heldCalls: { [unowned self] in responder?.counts.delayed ?? 0 },
      lost: { [unowned self] in handle(.heartbeatLost(milliseconds: $0)) })
    heartbeat?.start()
  }

  private func awaitRecovery() {
    guard let time = spec.convalescence else { return }
    recovered = clock.schedule(after: time) { [weak self] in
      guard let self, let child else { return }
      convalescence?.end(of: child.pid)
    }
  }

  private func arm(_ deadline: ModuleLifecycle.Deadline) {
    disarm()
    self.deadline = clock.schedule(after: time(for: deadline)) { [weak self] in
      self?.handle(.deadline(deadline))
    }
  }

  private func disarm() {
    deadline?.cancel()
    deadline = nil
  }

  private func time(for deadline: ModuleLifecycle.Deadline) -> Duration {
    switch deadline {
    case .phase(let phase): .milliseconds(spec.deadlines[phase])
    case .stopStep(let step): spec.ladder.steps[step].time
    case .leave: .milliseconds(spec.deadlines.terminate)
    }
  }

  // MARK: The process

  /// Makes the child, which runs by the time this thread hears of it; what it says meanwhile waits in its pipes.
  private func spawn() async throws(SystemError) {
    let input = try Pipe.open(nonBlocking: true)
    let frames = try Pipe.open(nonBlocking: true)
    let log = try Pipe.openForLog()
    // The first frame is in the pipe before the child runs.
    var queue = OutboundQueue()
    do { try ProtocolMessage.setUp(spec.setUp).encode(into: &queue) } catch {
      throw SystemError("encode the set-up (\(error))", EINVAL)
    }
    _ = queue.write(to: input.writer.number)
    let ends = ModuleEnds(input: input.reader, output: frames.writer, log: log.writer)
    let spawned = try await ChildSpawner.spawn(
      spec.hostPath, ends, executable: spec.executable, on: convalescence == nil ? .all : .aside)
    // It may have been stopped before it was there.
    guard state == .created else { return spawned.abandon() }
    try watch(spawned, reader: frames.reader, writer: input.writer, log: log.reader, queue)
    // With the watches and in the same breath: what the child says before its life has begun would be lost.
    handle(.spawned)
    joinCgroup()
  }

  private func watch(
    _ spawned: consuming SpawnedChild, reader: consuming Descriptor, writer: consuming Descriptor,
    log: consuming Descriptor, _ queue: consuming OutboundQueue
  ) throws(SystemError) {
    let reactor = Reactor.shared
    // First of all: from here on whatever fails ends the child too.
    let child = try ChildProcess(spawned, on: reactor) { [self] in ended($0) }
    let logPipe = LogPipe(log, gate: output)
    do {
      let channel = try FrameChannel(
        reader: reader, writer: writer, queue: queue, on: reactor, session: session
      ) { [unowned self] report in receive(report) }
      session?.attach(channel) { [weak self] reason in self?.receive(.protocolError(reason)) }
      self.channel = channel
      try logPipe.start(on: reactor)
    } catch {
      child.abandon()
      channel?.close()
      channel = nil
      logPipe.close()
      throw error
    }
    self.child = child
    self.logPipe = logPipe
  }

  private func receive(_ report: FrameChannel.Report) {
    switch report {
    case .message(let message): handle(.message(message))
    case .protocolError(let reason): handle(.protocolError(reason))
    case .hungUp: handle(.hungUp)
    }
    // What it says on its way out no longer counts.
    if state.isEnding { channel?.stopReading() }
  }

  private func takeListener(_ number: Int32) {
    guard let child else { return }
    do {
      let responder = ServedCallsResponder(
        listener: try child.take(number), files: try ChildFiles(of: child.pid),
        calls: ServedCalls(plan: spec.plan, processID: child.pid), processID: child.pid,
        lastDescriptor: spec.lockdown.lastDescriptor, executablePath: spec.programPath,
        clock: clock, audit: spec.audit, meter: session?.meter
      ) { [unowned self] report in serve(report) }
      try responder.start(on: Reactor.shared)
      self.responder = responder
      handle(.listenerTaken)
    } catch {
      handle(.listenerLost(errno: error.errno))
    }
  }

  private func serve(_ report: ServedCallsResponder.Report) {
    switch report {
    case .tailPassed: handle(.tailPassed)
    case .sandboxFailed(let step, let errno): handle(.sandboxFailed(step: step, errno: errno))
    case .violation(let violation): handle(.violation(violation))
    }
  }

  /// The process has ended; what it left in its pipes comes first.
  private func ended(_ status: ProcessStatus) {
    let truncation = channel?.finish()
    logPipe?.finish()
    // A crash in the middle of a write is a crash.
    if let truncation, case .exited = status { handle(.protocolError(truncation)) }
    let isRefusedMemory = status == .signalled(SIGABRT) && output.tellsOfRefusedMemory
    let isEndedForMemory = status == .signalled(SIGKILL) && spec.cgroup?.hasKilledForMemory == true
    if isRefusedMemory || isEndedForMemory { handle(.usedUp(.memory)) }
    if status == .signalled(SIGKILL), hasUsedItsTime { handle(.usedUp(.processorTime)) }
    handle(.exited(status))
  }

  /// Whether the kernel had to end it at the hard limit, which a process that blocks SIGXCPU comes to.
  private var hasUsedItsTime: Bool {
    let limit = spec.lockdown.limits.cpuSeconds
    guard limit > 0, let usage = child?.usage else { return false }
    return usage.userMicroseconds &+ usage.systemMicroseconds >= Int64(clamping: limit) &* 1_000_000
  }

  private func finish(_ exit: ModuleExit) {
    recovered?.cancel()
    convalescence?.end()
    responder?.stop()
    session?.end(exit)
    lastWords = logPipe?.lastWords.flatMap { exit.status == .signalled($0.signal) ? $0 : nil }
    evidence = [.stopped, .supervisorShutdown].contains(exit.reason) ? nil : remains(exit).evidence
    letGo()
    handlers.ended(exit)
    fail(spec.error(for: exit, failure: failure))
    for waiter in exitWaiters { waiter.resume(returning: exit) }
    exitWaiters.removeAll()
  }

  private func letGo() {
    let held: [(any AnyObject & Sendable)?] = [channel, logPipe, responder]
    if let child { ChildSpawner.letGo(of: child, held.compactMap { $0 }) }
    (child, channel, logPipe, responder) = (nil, nil, nil, nil)
  }

  private func remains(_ exit: ModuleExit) -> ProcessRemains {
    ProcessRemains(
      exit: exit, lifetime: clock.now &- spawnedAt, executable: spec.program, lastWords: lastWords,
      log: output.tail.lines(since: spawnedAt), frameHeads: channel?.frameHeads.heads ?? [],
      usage: child?.usage, calls: responder?.remains)
  }

  private func fail(_ error: ModuleManagerError) {
    described.resolve(.failure(error))
    started.resolve(.failure(error))
  }

  /// Why there is no answer to wait for: the process has ended, or was asked out of turn.
  private var outOfTurn: ModuleManagerError {
    if case .ended(let exit) = state { return spec.error(for: exit, failure: failure) }
    return .startFailed(moduleID: spec.moduleID, reason: "its process is \(state.name) already")
  }
}
