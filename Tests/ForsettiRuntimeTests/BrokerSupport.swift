import CLinux
import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Glibc
import Synchronization

@testable import ForsettiRuntime

/// A broker with everything around it in memory, and modules whose ends of the pipes the test holds.
@ReactorActor final class BrokerWorld {
  let clock: any RuntimeClock
  let bus = InMemoryEventBus()
  let diagnostics = DiagnosticsCenter()
  let logger = RecordingLogger()
  let broker: ModuleBroker

  init(
    policy: Policy = Policy(), services: ForsettiServiceContainer = ForsettiServiceContainer(),
    clock: any RuntimeClock = ReactorClock.shared, openCalls: Int = 4096
  ) {
    self.clock = clock
    broker = ModuleBroker(
      policy: policy, services: services, logger: logger, bus: bus, diagnostics: diagnostics, clock: clock,
      wallClock: { 1_700_000_000_000 }, limits: ModuleBroker.Limits(openCalls: openCalls))
  }

  /// Says which modules the policy's roles find.
  func discover(_ manifests: [ModuleManifest]) {
    broker.use(ProviderDirectory(roles: broker.rules.policy.roles, manifests: manifests) { _ in true })
  }

  /// A module that has started.
  func module(
    _ id: String, grants: [Capability] = Capability.allCases, io: [(ModuleIOKind, ModuleIOAccess)]? = nil,
    isActive: Bool = true
  ) throws -> PipedModule {
    var manifest = manifest(id, capabilities: Capability.allCases)
    if let io {
      manifest.runtimeRequirements.io = io.enumerated().map {
        IORequirement("r\($0)", $1.0, $1.1, required: false)
      }
    } else {
      manifest.schemaVersion = "1.0"
      manifest.manifestTemplateVersion = "1.0"
    }
    let session = broker.makeSession(manifest: manifest, origin: .builtIn, grants: grants)
    let module = try PipedModule(session)
    if isActive { module.start() }
    return module
  }
}

/// The module's side of a session.
@ReactorActor final class PipedModule {
  private struct NoPipe: Error {}

  /// A frame as it came out of the pipe.
  struct Received: Sendable, Equatable {
    var kind: FrameKind
    var callID: UInt64
    var timeout: UInt32
    var head: [UInt8]
    var payload: [UInt8]
  }

  let session: ModuleSession
  let received = Log<Received>()
  let faults = Log<String>()
  /// Messages that are no calls or events.
  let messages = Log<ProtocolMessage>()
  private let input: Descriptor
  private let output: Descriptor
  private var channel: FrameChannel?
  private var decoder = FrameDecoder()
  private var source: EventSource?
  private var queue = OutboundQueue()

  init(_ session: ModuleSession) throws {
    self.session = session
    var toModule: [Int32] = [-1, -1]
    var fromModule: [Int32] = [-1, -1]
    guard cl_pipe2(&toModule, O_CLOEXEC | O_NONBLOCK) == 0, cl_pipe2(&fromModule, O_CLOEXEC | O_NONBLOCK) == 0
    else { throw NoPipe() }
    input = Descriptor(owning: toModule[0])
    output = Descriptor(owning: fromModule[1])
    let (faults, messages) = (faults, messages)
    let channel = try FrameChannel(
      reader: Descriptor(owning: fromModule[0]), writer: Descriptor(owning: toModule[1]),
      queue: OutboundQueue(), on: Reactor.shared,
      session: session
    ) { report in
      switch report {
      case .message(let message): messages.add(message)
      case .protocolError(let reason): faults.add(reason)
      case .hungUp: break
      }
    }
    self.channel = channel
    session.attach(channel) { faults.add($0) }
    read()
  }

  func start() {
    session.open()
    session.activate()
  }

  /// Ends the process as the supervisor sees it.
  func end(_ reason: ExitReason = .crashed(signal: 11)) {
    channel?.finish()
    session.end(ModuleExit(status: .exited(code: 0), reason: reason))
    source?.cancel()
    source = nil
    channel = nil
  }

  /// Reads what comes from now on; until `pause`.
  func read() {
    source = try? Reactor.shared.watch(input.number, for: .readable) { [unowned self] _ in drain() }
  }

  /// Reads nothing more.
  func pause() {
    source?.cancel()
    source = nil
  }

  private func drain() {
    let number = input.number
    let count = decoder.withWritableBuffer { Glibc.read(number, $0.baseAddress, $0.count) } ?? -1
    decoder.didRead(count)
    if count == 0 { pause() }
    var frames = FrameDecoder()
    swap(&frames, &decoder)
    while let frame = try? frames.next() {
      received.add(
        Received(
          kind: frame.header.kind, callID: frame.header.callID, timeout: frame.header.timeoutMilliseconds,
          head: frame.head.withUnsafeBufferPointer { Array($0) },
          payload: frame.payload.withUnsafeBufferPointer { Array($0) }))
    }
    swap(&frames, &decoder)
  }

  // MARK: Sending

  /// Writes raw bytes to the supervisor.
  func write(_ bytes: [UInt8]) {
    let count = bytes.withUnsafeBytes { Glibc.write(output.number, $0.baseAddress, $0.count) }
    precondition(count == bytes.count, "the test writes more than a pipe takes")
  }

  /// Writes frames.
  func send(_ append: (inout OutboundQueue) throws -> Void) throws {
    try append(&queue)
    let bytes = queue.withPendingBytes { Array($0) }
    queue.removeAll()
    write(bytes)
  }

  /// Writes a frame of these parts, right or wrong.
  func send(
    _ kind: FrameKind, callID: UInt64 = 0, timeout: UInt32 = 0, head: [UInt8] = [], payload: [UInt8] = []
  ) throws {
    try send { queue in
      try queue.append(
        FrameHeader(kind: kind, length: 0, headLength: 0, callID: callID, timeoutMilliseconds: timeout),
        head: head.span, payload: payload.span)
    }
  }

  func call<Request, Response>(
    _ method: ServiceMethod<Request, Response>, _ request: Request, id: UInt64, timeout: UInt32 = 0
  ) throws {
    try send { try $0.appendCall(method, request, callID: id, timeoutMilliseconds: timeout) }
  }

  func publish(_ type: String, _ payload: [String: String] = [:]) throws {
    try send { try $0.appendPublish(EventHead(type: type), payload: payload) }
  }

  /// Subscribes and waits until it counts.
  func subscribe(_ pattern: String, id: UInt64 = 900) async throws {
    try call(RuntimeMethods.subscribe, pattern, id: id)
    _ = try await reply(to: RuntimeMethods.subscribe, id)
  }

  // MARK: Receiving

  /// The answer to a call, when it is there.
  func answer(_ id: UInt64) async -> Received {
    func isAnswer(_ frame: Received) -> Bool {
      frame.callID == id && (frame.kind == .reply || frame.kind == .failure)
    }
    await received.wait { $0.contains(where: isAnswer) }
    return received.items.first(where: isAnswer) ?? received.items[0]
  }

  func reply<Request, Response>(
    to method: ServiceMethod<Request, Response>, _ id: UInt64
  ) async throws -> Response {
    let answer = await answer(id)
    if answer.kind == .failure { throw try ServiceError.decode(answer.head.span) }
    return try method.response(answer.payload.span)
  }

  func failure(_ id: UInt64) async throws -> ServiceError? {
    let answer = await answer(id)
    return answer.kind == .failure ? try ServiceError.decode(answer.head.span) : nil
  }

  /// The `number`th frame of a kind, when it is there.
  func frame(_ kind: FrameKind, _ number: Int = 1) async -> Received {
    await received.wait { $0.count { $0.kind == kind } >= number }
    return received.items.filter { $0.kind == kind }[number - 1]
  }

  func frames(_ kind: FrameKind) -> [Received] { received.items.filter { $0.kind == kind } }

  /// Returns when the supervisor has handled everything sent so far: it answers in order.
  func settle(_ id: UInt64 = 999_999) async throws {
    try call(RuntimeMethods.unsubscribe, -1, id: id)
    _ = await answer(id)
  }
}

/// Keeps what is logged.
final class RecordingLogger: ForsettiLogger {
  struct Line: Sendable, Equatable {
    var level: LogLevel
    var message: String
    var moduleID: String?
  }

  private let kept = Mutex<[Line]>([])
  var lines: [Line] { kept.withLock { $0 } }
  func warnings(of id: String) -> [String] {
    lines.filter { $0.level == .warning && $0.moduleID == id }.map(\.message)
  }

  func isEnabled(_ level: LogLevel) -> Bool { true }
  func log(_ level: LogLevel, _ message: String, moduleID: String?, metadata: [String: String]) {
    kept.withLock { $0.append(Line(level: level, message: message, moduleID: moduleID)) }
  }
  func relay(_ level: LogLevel, _ message: String, from moduleID: String, metadata: [String: String]) {
    log(level, message, moduleID: moduleID, metadata: metadata)
  }
}
