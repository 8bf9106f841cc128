import CLinux
import ForsettiCore
import ForsettiIPC
import ForsettiSandbox
import Glibc
import Testing

/// The supervisor's end of one module process, played line by line by a test: real pipes, the real lock.
///
/// Everything blocks, with a limit, on the thread that spawned the child: the child dies with that thread.
final class ScriptedSupervisor {
  enum Failure: Error, CustomStringConvertible {
    case cannot(String, errno: Int32)
    case silent
    case ended
    case malformed(any Error & CustomStringConvertible)
    case violation(call: String, arguments: String)

    var description: String {
      switch self {
      case .cannot(let what, let errno): "\(what): \(String(cString: strerror(errno)))"
      case .silent: "nothing came in time"
      case .ended: "the module closed its pipe"
      case .malformed(let error): error.description
      case .violation(let call, let arguments): "the module called \(call)(\(arguments))"
      }
    }
  }

  /// A limit only a hang reaches.
  private static let patience: Int64 = 30_000_000_000

  let processID: pid_t
  private let pidfd: Int32
  private var toModule: Int32
  private let fromModule: Int32
  private let log: Int32
  private var listener: SeccompListener?
  private var served: ServedCalls
  /// Calls that were none of the filter's own list, but answered.
  private(set) var servedCalls: [String] = []
  /// Whether calls to subscribe are answered as they come, and held for nobody.
  var answersSubscriptions = false
  private var decoder = FrameDecoder()
  /// Frames of the other sort that came before the one that was asked for.
  private var heldMessages: [ProtocolMessage] = []
  private var heldTraffic: [TrafficFrame] = []
  private var isReaped = false

  /// Starts a host that was built beside the tests.
  init(host: String, withPipes: Bool = true) throws {
    let (input, output, log) = (try Self.pipe(O_NONBLOCK), try Self.pipe(O_NONBLOCK), try Self.pipe(0))
    defer { for descriptor in [input.reader, output.writer, log.writer] { close(descriptor) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    var numbers: [(descriptor: Int32, number: Int32)] = [(log.writer, 1), (log.writer, 2)]
    if withPipes { numbers += [(input.reader, 3), (output.writer, 4)] }
    for pair in numbers { posix_spawn_file_actions_adddup2(&actions, pair.descriptor, pair.number) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(0x80))  // POSIX_SPAWN_SETSID

    var pid: pid_t = 0
    let path = try Self.builtProduct(host)
    let result = withCStrings([host]) { arguments in
      withCStrings(["SWIFT_BACKTRACE=enable=no", "SWIFT_ROOT=/"]) { environment in
        posix_spawn(&pid, path, &actions, &attributes, arguments, environment)
      }
    }
    guard result == 0 else { throw Failure.cannot("posix_spawn \(path)", errno: result) }
    self.processID = pid
    self.pidfd = cl_pidfd_open(pid)
    self.toModule = input.writer
    self.fromModule = output.reader
    self.log = log.reader
    self.served = ServedCalls(
      plan: SandboxPlan.derive(grants: [], policy: SandboxPolicy()), processID: pid)
    guard pidfd >= 0 else { throw Failure.cannot("pidfd_open", errno: -pidfd) }
  }

  deinit {
    if !isReaped {
      _ = cl_pidfd_send_signal(pidfd, SIGKILL)
      _ = try? waitForExit()
    }
    for descriptor in [pidfd, toModule, fromModule, log] where descriptor >= 0 { close(descriptor) }
    if let listener { close(listener.descriptor) }
  }

  /// The whole of the set-up: lock, listener, release; then what the module says of itself.
  func bringUp(_ entryPoint: String, grants: Set<Capability> = []) throws -> DescribeMessage {
    try send(.setUp(try Self.setUp(entryPoint, grants: grants)))
    guard case .locked(let locked) = try receive() else { throw Failure.ended }
    try release(locked)
    guard case .describe(let description) = try receive() else { throw Failure.ended }
    return description
  }

  /// Takes the listener and lets module code run.
  func release(_ locked: LockedMessage) throws {
    let descriptor = cl_pidfd_getfd(pidfd, locked.listener)
    guard descriptor >= 0 else { throw Failure.cannot("pidfd_getfd", errno: -descriptor) }
    listener = SeccompListener(descriptor: descriptor)
    try send(.release)
  }

  /// What the first frame says: the real filter of a module with these grants.
  static func setUp(
    _ entryPoint: String, grants: Set<Capability> = [], versions: ProtocolRange = .current
  ) throws -> SetUpMessage {
    let plan = SandboxPlan.derive(grants: grants, policy: SandboxPolicy())
    let request = plan.lockdownRequest(
      filter: try FilterCompiler.compile(plan), supervisorPID: getpid(), userID: getuid() == 0 ? 61_000 : nil)
    return SetUpMessage(
      versions: versions, moduleID: "com.example.probe", entryPoint: entryPoint, lockdown: request)
  }

  /// Writes one frame, whole.
  func send(_ message: ProtocolMessage) throws { try send(bytes: try message.encoded()) }

  /// Writes bytes that need be no frame.
  func send(bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(toModule, $0.baseAddress, $0.count) }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        try wait(for: toModule, Int16(POLLOUT))
      } else {
        throw Failure.cannot("write", errno: errno)
      }
    }
  }

  /// The next frame that is a message.
  func receive() throws -> ProtocolMessage {
    while heldMessages.isEmpty { try receiveFrame() }
    return heldMessages.removeFirst()
  }

  /// The next frame that is a call, an answer or the like.
  func receiveTraffic() throws -> TrafficFrame {
    while heldTraffic.isEmpty { try receiveFrame() }
    return heldTraffic.removeFirst()
  }

  /// Holds one more frame, or what one read brings.
  private func receiveFrame() throws {
    if let frame = try decoder.nextSorted() {
      switch frame {
      case .message(let message): heldMessages.append(message)
      case .traffic(let traffic) where answersSubscriptions && traffic.isCall(of: RuntimeMethods.subscribe):
        try send { try $0.appendReply(1, callID: traffic.callID) }
      case .traffic(let traffic): heldTraffic.append(traffic)
      }
      return
    }
    try wait(for: fromModule, Int16(POLLIN))
    let count = decoder.withWritableBuffer { read(fromModule, $0.baseAddress, $0.count) } ?? 0
    if count == 0 { throw Failure.ended }
    decoder.didRead(count)
  }

  /// Writes the frames that `body` queues.
  func send(_ body: (inout OutboundQueue) throws -> Void) throws {
    var queue = OutboundQueue()
    try body(&queue)
    try send(bytes: queue.withPendingBytes { Array($0) })
  }

  /// The frames up to one that satisfies `isLast`, which is the last of the result.
  func receive(until isLast: (ProtocolMessage) -> Bool) throws -> [ProtocolMessage] {
    var messages = [try receive()]
    while let last = messages.last, !isLast(last) { messages.append(try receive()) }
    return messages
  }

  /// Closes the pipe to the module, whose reads end with it.
  func hangUp() {
    close(toModule)
    toModule = -1
  }

  /// Ends the process as the kernel would.
  func kill() { _ = cl_pidfd_send_signal(pidfd, SIGKILL) }

  /// Waits until the process sleeps in a call: here, for room in a pipe that nobody reads.
  func waitUntilAsleep() throws {
    let end = ContinuousClock.now + .nanoseconds(Self.patience)
    while try status("State")?.hasPrefix("S") != true {
      guard ContinuousClock.now < end else { throw Failure.silent }
      sched_yield()
    }
  }

  /// A line of /proc/PID/status.
  func status(_ field: String) throws -> String? {
    guard let file = fopen("/proc/\(processID)/status", "re") else {
      throw Failure.cannot("fopen /proc/PID/status", errno: errno)
    }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = line.prefix { $0 != 0 }.map { Character(Unicode.Scalar(UInt8(bitPattern: $0))) }
      let parts = String(text).split(separator: ":", maxSplits: 1)
      if parts.first == field[...] { return parts.last.map { String($0.filter { !$0.isWhitespace }) } }
    }
    return nil
  }

  /// The processor time the process has used, in nanoseconds: the first number of /proc/PID/schedstat.
  func cpuTime() throws -> Int {
    guard let file = fopen("/proc/\(processID)/schedstat", "re") else {
      throw Failure.cannot("fopen /proc/PID/schedstat", errno: errno)
    }
    defer { fclose(file) }
    var nanoseconds = 0
    _ = withUnsafeMutablePointer(to: &nanoseconds) { pointer in
      withVaList([pointer]) { vfscanf(file, "%ld", $0) }
    }
    return nanoseconds
  }

  /// Waits until the process has ended.
  func waitForExit() throws -> ProcessStatus {
    try wait(for: pidfd, Int16(POLLIN))
    var information = siginfo_t()
    guard waitid(P_PIDFD, id_t(pidfd), &information, WEXITED) == 0 else {
      throw Failure.cannot("waitid", errno: errno)
    }
    isReaped = true
    let status = information._sifields._sigchld.si_status
    return information.si_code == CLD_EXITED ? .exited(code: status) : .signalled(status)
  }

  /// What the process wrote to stdout and stderr, once it has ended.
  func output() -> String {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = read(log, &chunk, chunk.count), count > 0 { text += chunk[..<count] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Serves the listener meanwhile by the product's own table; a call outside it ends the test.
  private func wait(for descriptor: Int32, _ events: Int16) throws {
    while true {
      var polled = [pollfd(fd: descriptor, events: events, revents: 0)]
      if let listener { polled.append(pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)) }
      let ready = cl_ppoll(&polled, nfds_t(polled.count), Self.patience)
      if ready == -EINTR { continue }
      guard ready != 0 else { throw Failure.silent }
      guard ready > 0 else { throw Failure.cannot("ppoll", errno: -ready) }
      if polled.count > 1, polled[1].revents & Int16(POLLIN) != 0 { try serve() }
      if polled.count > 1, polled[1].revents & Int16(POLLHUP) != 0 {
        close(polled[1].fd)
        listener = nil
      }
      if polled[0].revents != 0 { return }
    }
  }

  private func serve() throws {
    guard let listener, let call = try listener.receive() else { return }
    let name = SyscallNames.name(of: call.number)
    switch served.answer(call, now: 0).answer {
    case .setUpTail: _ = listener.continue(call.id)
    case .continue:
      servedCalls.append(name)
      _ = listener.continue(call.id)
    case .errno(let number):
      servedCalls.append(name)
      _ = listener.fail(call.id, errno: number)
    case .addDescriptor, .needsPath, .audited, .violation:
      throw Failure.violation(call: name, arguments: "\(call.arguments)")
    }
  }

  private static func pipe(_ flags: Int32) throws -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    let result = cl_pipe2(&ends, O_CLOEXEC | flags)
    guard result >= 0 else { throw Failure.cannot("pipe2", errno: -result) }
    defer { for end in ends { close(end) } }
    // Above 5, so that no dup2 in the child overwrites one that is still needed.
    return (fcntl(ends[0], F_DUPFD_CLOEXEC, 5), fcntl(ends[1], F_DUPFD_CLOEXEC, 5))
  }

  private static func builtProduct(_ name: String) throws -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { throw Failure.cannot("readlink /proc/self/exe", errno: errno) }
    let path = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return path[...(path.lastIndex(of: "/") ?? path.startIndex)] + name
  }
}

/// A frame of a call or an answer, copied out of the decoder.
struct TrafficFrame {
  var header: FrameHeader
  var head: [UInt8]
  var payload: [UInt8]

  var callID: UInt64 { header.callID }
  var call: CallHead { get throws { try CallHead(head.span) } }
  var failure: ServiceError { get throws { try ServiceError.decode(head.span) } }

  func isCall<Request, Response>(of method: ServiceMethod<Request, Response>) -> Bool {
    guard header.kind == .call, let call = try? call else { return false }
    return call.service == method.info.serviceNumber && call.method == method.number
  }

  func request<Request, Response>(_ method: ServiceMethod<Request, Response>) throws -> Request {
    let call = try call
    #expect(header.kind == .call)
    #expect(call.service == method.info.serviceNumber)
    #expect(call.method == method.number)
    return try method.request(call, payload.span)
  }
}

private enum SortedFrame {
  case message(ProtocolMessage)
  case traffic(TrafficFrame)
}

extension FrameDecoder {
  /// The next complete frame; `nil` until more is read.
  fileprivate mutating func nextSorted() throws -> SortedFrame? {
    do {
      guard let frame = try next() else { return nil }
      guard frame.header.kind.isTraffic else { return .message(try .decode(frame)) }
      try frame.header.check()
      return .traffic(
        TrafficFrame(
          header: frame.header, head: frame.head.withUnsafeBufferPointer { Array($0) },
          payload: frame.payload.withUnsafeBufferPointer { Array($0) }))
    } catch let error as any Error & CustomStringConvertible {
      throw ScriptedSupervisor.Failure.malformed(error)
    }
  }
}

private func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
