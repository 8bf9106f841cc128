internal import CLinux
internal import ForsettiCore
internal import ForsettiIPC
internal import Glibc

/// A module process from its first frame to its exit.
///
/// A host's `main` is one call of `run`. Before it nothing of the module exists: the registry is made once the
/// process is locked and released.
@MainActor
public final class ModuleHost {
  /// How it locks itself; `nil` in a program that was locked before it began.
  private let lock: (any ProcessLock)?
  private let makeModule: @MainActor (String) throws -> any ForsettiModule
  // The descriptors the supervisor put the pipes on.
  private let frames = FrameInput(descriptor: 3)
  private let outlet = ModuleOutput(descriptor: 4)
  private let calls: ModuleCalls
  private let incoming: IncomingCalls
  private var state: HostState
  private var entryPoint = ""
  private var listener: Int32 = -1
  private var executable: Int32?
  private var module: (any ForsettiModule)?
  private var manifest: ModuleManifest?
  private var context: ForsettiContext?
  private var startTask: Task<Void, Never>?

  private init(
    lock: (any ProcessLock)?, module: @escaping @MainActor (String) throws -> any ForsettiModule
  ) {
    self.lock = lock
    self.makeModule = module
    self.state = lock == nil ? .awaitingIdentify : .awaitingSetUp
    self.calls = ModuleCalls(output: outlet)
    self.incoming = IncomingCalls(output: outlet)
  }

  /// Runs this process as a module's host until it ends. To be called first thing in `main`.
  public static func run(
    lock: any ProcessLock, registry: @escaping @MainActor () throws -> ModuleRegistry
  ) -> Never {
    run(ModuleHost(lock: lock) { entryPoint in try registry().makeModule(entryPoint: entryPoint) })
  }

  /// Runs this process as one module's, in a program that a module host has locked and let take its place.
  static func runLocked(module: @escaping @MainActor () throws -> any ForsettiModule) -> Never {
    // The exec made the process readable to others of its user again; the supervisor lets this through, once.
    _ = cl_prctl(PR_SET_DUMPABLE, 0)
    // So did it reset the host's handler of faults. A supervisor that refuses this one loses a crash's frames, no more.
    _ = cl_install_last_words(STDERR_FILENO)
    run(ModuleHost(lock: nil) { _ in try module() })
  }

  private static func run(_ host: @autoclosure () -> ModuleHost) -> Never {
    OneThread.install()
    cl_keep_heap()
    // A crash must not take the lines before it along.
    cl_line_buffer_stdout()
    let host = host()
    OneThread.loop.attach(host)
    OneThread.main.run()
    host.exit(.pipeFailed)
  }
}

// MARK: - The pipes

extension ModuleHost: EventPort {
  nonisolated var input: Int32 { frames.descriptor }
  nonisolated var output: Int32 { outlet.descriptor }
  var hasBacklog: Bool { frames.hasBacklog }

  func takeInput() -> Bool {
    guard hasBacklog || readInput() else { return false }
    do { try frames.take(while: { state != .ended }, takeFrame) } catch { handle(.malformed) }
    return true
  }

  /// False where nothing was there, or will be any more.
  private func readInput() -> Bool {
    switch frames.read() {
    case .bytes: return true
    case .nothing: break
    case .end: handle(.endOfInput)
    case .failed(let errno): pipeFailed("read", errno: errno)
    }
    return false
  }

  private func takeFrame(_ frame: borrowing Frame) throws {
    if frame.header.kind.isTraffic {
      try takeTraffic(frame)
    } else {
      handle(HostEvent(try .decode(frame)))
    }
  }

  /// A frame of a call or an event, handled where it lies.
  private func takeTraffic(_ frame: borrowing Frame) throws {
    let header = frame.header
    try header.check()
    guard try state.phase?.after(header.kind, .toModule) != nil else {
      throw ProtocolError.unexpected(header.kind, .new)
    }
    switch header.kind {
    case .reply: calls.receiveReply(header.callID, frame.payload)
    case .failure: calls.receiveFailure(header.callID, try .decode(frame.head))
    case .call:
      guard incoming.receive(header, try CallHead(frame.head), frame.payload) else {
        throw ProtocolError.duplicateCall(header.callID)
      }
    case .cancel: incoming.cancel(header.callID)
    case .deliver: try context?.events.receive(frame.head, frame.payload)
    default: context?.events.noteDropped(try DroppedNotice.decode(frame.head))
    }
  }

  /// Ends calls of either way whose time is over.
  func expire() -> Int64? {
    switch (calls.expire(), incoming.expire()) {
    case (let one?, let other?): min(one, other)
    case (let one, let other): one ?? other
    }
  }

  /// Writes what waits. True while bytes are left.
  func flush() -> Bool {
    let left = outlet.flush()
    if let errno = outlet.failure {
      if errno == EPIPE { handle(.endOfInput) } else { pipeFailed("write", errno: errno) }
    }
    return left
  }

  private func pipeFailed(_ call: String, errno: Int32) {
    complain(
      state == .awaitingSetUp || state == .awaitingIdentify
        ? "forsetti-module-host: no supervisor on descriptors 3 and 4; forsetti-supervisor starts this program."
        : "forsetti-module-host: \(call) of a pipe to the supervisor: \(String(cString: strerror(errno)))")
    handle(.pipeFailed)
  }
}

// MARK: - Doing what the state says

extension ModuleHost {
  private func handle(_ event: HostEvent) {
    let (next, actions) = state.next(event)
    state = next
    for action in actions { perform(action) }
  }

  private func perform(_ action: HostAction) {
    switch action {
    case .lock(let message, let version): applyLock(message, version: version)
    case .finishLockAndDescribe: finishLockAndDescribe()
    case .describe(let message, let version):
      entryPoint = message.entryPoint
      describe(version: version)
    case .startModule(let message): startModule(message)
    case .cancelStart: startTask?.cancel()
    case .stopModule: stopModule()
    case .answerPing: Task { self.send(.pong) }
    case .send(let message): send(message)
    case .exit(let code): exit(code)
    }
  }

  private func applyLock(_ message: SetUpMessage, version: UInt16) {
    guard let lock else { exit(.protocolViolation) }
    entryPoint = message.entryPoint
    executable = message.lockdown.executable
    do {
      let locked = try lock.apply(message.lockdown)
      listener = locked.listener
      send(
        .locked(
          LockedMessage(version: version, listener: locked.listener, landlockABI: locked.landlockABI)))
    } catch {
      refuse(error)
    }
  }

  private func finishLockAndDescribe() {
    guard let lock else { exit(.protocolViolation) }
    do {
      try lock.finish(listener: listener)
      if let executable { try lock.execute(executable) }
    } catch { refuse(error) }
    describe(version: nil)
  }

  private func describe(version: UInt16?) {
    let module: any ForsettiModule
    do { module = try makeModule(entryPoint) } catch {
      complain("forsetti-module-host: \(error)")
      send(.describeFailed(DescribeFailedMessage(entryPoint: entryPoint)))
      exit(.noSuchModule)
    }
    let manifest = module.manifest
    self.module = module
    self.manifest = manifest
    let contributions = Self.contributions(of: module, manifest)
    send(
      .describe(
        DescribeMessage(
          descriptor: module.descriptor, manifest: manifest, isUIModule: contributions != nil,
          contributions: contributions, version: version)))
  }

  /// What a module with a UI contributes. A service isn't asked, for the question goes through all conformances of the
  /// program, which is a third of what a start executes; a debug host asks it too, so that its author hears of the
  /// contradiction.
  private static func contributions(
    of module: any ForsettiModule, _ manifest: ModuleManifest
  ) -> UIContributions? {
    #if !DEBUG
      if manifest.moduleType == .service { return nil }
    #endif
    return (module as? any ForsettiUIModule)?.uiContributions
  }

  private func startModule(_ message: StartMessage) {
    guard let module, let manifest else { exit(.protocolViolation) }
    OneThread.loop.allowSpinning(message.spin)
    let context = ForsettiContext(manifest: manifest, grants: message.grants, outlet: outlet, calls: calls)
    self.context = context
    incoming.serve(module)
    startTask = Task {
      do {
        try await module.start(context: context)
        self.handle(.startReturned)
      } catch {
        context.revoke()
        self.handle(.startThrew(ProtocolLimits.truncated("\(error)", to: ProtocolLimits.message)))
      }
    }
  }

  private func stopModule() {
    guard let module, let context else { exit(.protocolViolation) }
    Task {
      await module.stop(context: context)
      self.incoming.closeAll()
      context.revoke()
      self.handle(.stopReturned)
    }
  }

  private func refuse(_ refusal: LockRefusal) -> Never {
    send(.refused(.lockdown(step: refusal.step, errno: refusal.errno)))
    exit(.refused)
  }

  private func send(_ message: ProtocolMessage) {
    do { try outlet.send(message) } catch {
      complain("forsetti-module-host: what the module says of itself can't be sent: \(error)")
      exit(.indescribable)
    }
  }

  /// Sends what waits, and ends the process by exit(3), which writes out stdio's buffers.
  private func exit(_ code: ModuleHostExit) -> Never {
    while outlet.flush(), waitForRoom() {}
    Glibc.exit(code.rawValue)
  }

  /// Waits until the pipe has room, and throws away what comes in meanwhile. False when nobody is there any more.
  private func waitForRoom() -> Bool {
    withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { polled in
      polled.initialize(repeating: pollfd())
      polled[0] = pollfd(fd: frames.descriptor, events: Int16(POLLIN), revents: 0)
      polled[1] = pollfd(fd: outlet.descriptor, events: Int16(POLLOUT), revents: 0)
      guard cl_ppoll(polled.baseAddress, 2, -1) > 0, polled[0].revents != 0 else { return true }
      return frames.discard()
    }
  }

  /// One line for people, on stderr, which the supervisor logs in the module's name.
  private func complain(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
