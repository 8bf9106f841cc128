import ForsettiCore
import ForsettiIPC
import ForsettiRuntime
import Glibc

/// One client. Each turn reads once and handles a bounded number of frames; what waits for the client is bounded, and
/// while much waits nothing is read. Nothing here waits for a client.
@ReactorActor final class ControlConnection: EndOfTurn {
  private static let framesPerTurn = 16
  /// Bytes that wait before an item must, and before no more is read.
  private static let highWater = 131_072
  /// Frames that may wait.
  private static let frameLimit = 1024
  /// Frames before an item must wait, and before no more is read: a thousand small ones must leave room for answers, too.
  private static let frameHighWater = frameLimit / 2

  /// A call that is not answered yet.
  private struct OpenCall {
    let task: Task<Void, Never>
    let stream: ControlStream
    var deadline: ScheduledTimer?

    @ReactorActor func cancel() {
      task.cancel()
      deadline?.cancel()
    }
  }

  let peer: ControlPeer
  private let socket: Descriptor
  /// Held until both are closed: a call that ends late finds it.
  private let server: ControlServer
  private var source: EventSource?
  private var decoder = FrameDecoder(bodyLimit: ControlLimits.requestBytes)
  private var queue = OutboundQueue(byteLimit: 2 << 20, frameLimit: frameLimit)
  private var calls: [UInt64: OpenCall] = [:]
  /// Calls that are worked on: those that are open, and those that were answered before their work has ended.
  private var running = 0
  private var roomWaiters: [CheckedContinuation<Bool, Never>] = []
  private var timer: ScheduledTimer?
  private var isGreeted = false
  /// What the connection is for, where that is less than its user may do.
  private(set) var scope: ControlScope?
  /// The timer is that of a client that does not read what waits for it.
  private var isAwaitingReader = false
  /// No more is read; what waits is written, then it ends.
  private var isEnding = false
  private var isScheduled = false
  private var hasBacklog = false

  /// - Parameter scope: of a connection that the supervisor has made itself for somebody, who need not say hello.
  init(
    _ socket: consuming Descriptor, peer: ControlPeer, server: ControlServer, scope: ControlScope? = nil
  ) throws(SystemError) {
    self.peer = peer
    self.server = server
    self.scope = scope
    isGreeted = scope != nil
    let number = socket.number
    self.socket = socket
    source = try Reactor.shared.watch(number, for: .readable) { [unowned self] in ready($0) }
    setTimer(isGreeted ? server.limits.idle : server.limits.greeting)
  }

  // MARK: Life

  /// Ends it now: calls are taken back, what waits is dropped.
  func close() {
    guard let source else { return }
    source.cancel()
    self.source = nil
    shutdown(socket.number, Int32(SHUT_RDWR))
    timer?.cancel()
    timer = nil
    for call in calls.values { call.cancel() }
    calls = [:]
    wakeWaiters(false)
    server.didClose(self)
  }

  /// Ends it once the client has read what waits, or has not for a while.
  private func end(_ failure: ControlFailure, _ callID: UInt64) {
    isEnding = true
    try? send(.failure(failure), callID)
    setTimer(.seconds(1))
    updateInterest()
  }

  private func setTimer(_ delay: Duration) {
    timer?.cancel()
    timer = ReactorClock.shared.schedule(after: delay) { [weak self] in self?.close() }
  }

  /// After every change of what is open or waits.
  private func restartTimer() {
    guard isGreeted, !isEnding, source != nil else { return }
    isAwaitingReader = !queue.isEmpty
    if isAwaitingReader {
      setTimer(server.limits.stalled)
    } else if calls.isEmpty {
      setTimer(server.limits.idle)
    } else {
      timer?.cancel()
      timer = nil
    }
  }

  // MARK: Sending

  /// Whether little enough waits for the client.
  var hasRoom: Bool {
    source != nil && queue.pendingBytes < Self.highWater && queue.frameCount < Self.frameHighWater
  }

  /// Returns when there was room, which of several that are woken the first may have taken; false when the client is gone.
  func waitForRoom() async -> Bool {
    if source == nil || hasRoom { return source != nil }
    return await withCheckedContinuation { waiter in
      // Looked at again here: on the way into the closure other work may have run.
      if source == nil || hasRoom { return waiter.resume(returning: source != nil) }
      roomWaiters.append(waiter)
    }
  }

  private func wakeWaiters(_ hasRoom: Bool) {
    let waiters = roomWaiters
    roomWaiters = []
    for waiter in waiters { waiter.resume(returning: hasRoom) }
  }

  /// Queues a message; it leaves at the end of this turn.
  func send(_ message: ControlMessage, _ callID: UInt64) throws(ControlFailure) {
    do throws(MessageEncodingError) { try message.encode(into: &queue, callID: callID) } catch {
      throw ControlFailure(unsendable: error)
    }
    schedule()
  }

  /// Queues items that are encoded already.
  func send(_ items: EncodedItems) throws(ControlFailure) {
    do throws(OutboundQueueError) { try queue.append(framesOf: items.frames) } catch {
      throw ControlFailure(unsendable: error)
    }
    schedule()
  }

  /// Queues items whose values are encoded already.
  func send(encoded items: some Sequence<[UInt8]>, _ callID: UInt64) throws(ControlFailure) {
    for item in items {
      do throws(MessageEncodingError) {
        try ControlMessage.encodeItem(item, into: &queue, callID: callID)
      } catch { throw ControlFailure(unsendable: error) }
    }
    schedule()
  }

  private func schedule() {
    guard !isScheduled else { return }
    isScheduled = true
    Reactor.shared.atEndOfTurn(self)
  }

  func endOfTurn() {
    isScheduled = false
    guard source != nil else { return }
    if hasBacklog, hasRoom { handleFrames() }
    if !queue.isEmpty { flush() }
  }

  private func flush() {
    let count = queue.withPendingBytes { write(socket.number, $0.baseAddress, $0.count) }
    guard count > 0 || errno == EAGAIN else { return close() }
    if count > 0 { queue.didWrite(count) }
    // Every byte that is read begins the wait anew; what is queued meanwhile does not.
    if count > 0 || !isAwaitingReader { restartTimer() }
    if isEnding, queue.isEmpty { return close() }
    if hasRoom {
      wakeWaiters(true)
      if hasBacklog { schedule() }
    }
    updateInterest()
  }

  private func updateInterest() {
    var interest: Readiness = []
    if !isEnding, hasRoom { interest.insert(.readable) }
    if !queue.isEmpty { interest.insert(.writable) }
    source?.watch(interest)
  }

  // MARK: Receiving

  private func ready(_ readiness: Readiness) {
    if readiness.contains(.writable) { flush() }
    guard source != nil else { return }
    if readiness.contains(.hangUp) || readiness.contains(.error) { return close() }
    guard readiness.contains(.readable), !isEnding, !hasBacklog, hasRoom else { return }
    let count = decoder.withWritableBuffer { read(socket.number, $0.baseAddress, $0.count) } ?? 0
    guard count > 0 else {
      // A client that ends its half has nothing more to ask, nor to hear.
      if count == 0 || errno != EAGAIN { close() }
      return
    }
    decoder.didRead(count)
    handleFrames()
  }

  private func handleFrames() {
    hasBacklog = false
    for _ in 0..<Self.framesPerTurn {
      guard source != nil, !isEnding else { return }
      do throws(ControlProtocolError) {
        guard
          let (message, callID) = try decoder.nextControlMessage(itemLimit: ControlLimits.requestItems)
        else { return }
        receive(message, callID)
      } catch {
        return end(ControlFailure(.malformed, .usage, "\(error)"), ControlHello.callID)
      }
    }
    hasBacklog = true
    // Where no room is left for answers, the rest waits until there is.
    if hasRoom { schedule() }
  }

  private func receive(_ message: ControlMessage, _ callID: UInt64) {
    switch message {
    case .call(let operation, let request, let timeout):
      if isGreeted {
        begin(operation, request, callID, timeout)
      } else {
        greet(operation, request, callID)
      }
    // It may have been answered meanwhile; then there is nothing to take back.
    case .cancel: calls[callID]?.task.cancel()
    case .item, .dropped, .reply, .failure:
      end(ControlFailure(.malformed, .usage, "\(ControlProtocolError.unexpected(message.kind))"), callID)
    }
  }

  private func greet(_ operation: String, _ value: CBORValue, _ callID: UInt64) {
    guard operation == ControlHello.operation, callID == ControlHello.callID else {
      return end(
        ControlFailure(.malformed, .usage, "the first call is \(ControlHello.operation), as call 1"), callID)
    }
    do throws(ControlFailure) {
      let request: ControlHello.Request
      do throws(ControlValueError) { request = try ControlHello.Request(control: value) } catch {
        throw ControlFailure(.invalidRequest, .usage, "\(error)")
      }
      scope = try ControlHello.scope(request)
      try send(.reply(ControlHello.answer(request).control), callID)
      isGreeted = true
      restartTimer()
    } catch { end(error, callID) }
  }

  // MARK: Calls

  private func begin(_ operation: String, _ request: CBORValue, _ callID: UInt64, _ timeout: UInt32) {
    guard calls[callID] == nil else {
      return end(ControlFailure(.malformed, .usage, "call \(callID) is open already"), callID)
    }
    do throws(ControlFailure) {
      guard let entry = ControlOperations.byName[operation] else {
        throw ControlFailure(
          .unknownOperation, .usage, "this supervisor knows no operation \(operation.quoted())")
      }
      if let scope, !scope.operations.contains(operation) {
        if server.isFirstRefusal(of: peer.userID, "\(scope.rawValue) \(entry.name)") {
          audit(.denied, entry.name, request)
        }
        throw ControlFailure(
          .denied, .noPermission,
          "a connection of the \(scope.rawValue) may not \(operation), whoever uses it")
      }
      guard peer.rights.contains(entry.right) else {
        // The first of a user and an operation is kept: whoever asks for ever must not push out the rest.
        if server.isFirstRefusal(of: peer.userID, entry.name) { audit(.denied, entry.name, request) }
        throw ControlFailure(
          .denied, .noPermission,
          "user \(peer.userID) may not \(operation): that takes the right \(entry.right.rawValue.quoted()), which the "
            + "policy gives under \"control\"")
      }
      guard running < server.limits.callsPerConnection, server.beginCall(of: peer, scope) else {
        throw ControlFailure(
          .busy, .temporaryFailure,
          "too many calls are worked on for this client; ask again when one of them has ended")
      }
      start(entry, request, callID, timeout)
    } catch { try? send(.failure(error), callID) }
  }

  private func audit(_ kind: AuditEvent.Kind, _ operation: String, _ request: CBORValue) {
    let subject = (try? RequestSubject(control: request))?.text
    var details = ["operation": operation, "pid": "\(peer.processID)", "request": subject ?? ""]
    if let scope { details["through"] = scope.rawValue }
    server.context.auditLog.record(AuditEvent(kind, actor: peer.name, details: details))
  }

  private func start(_ entry: ControlEntry, _ request: CBORValue, _ callID: UInt64, _ timeout: UInt32) {
    if entry.right != .read {
      server.context.logger.info(
        "control: \(entry.name)", metadata: ["uid": "\(peer.userID)", "pid": "\(peer.processID)"])
      audit(.changed, entry.name, request)
    }
    let call = ControlCall(
      context: server.context, peer: peer, stream: ControlStream(callID: callID, connection: self))
    running += 1
    let task = Task(executorPreference: Reactor.shared) { [self] in
      await carryOut(entry, request, call, callID)
    }
    calls[callID] = OpenCall(task: task, stream: call.stream)
    restartTimer()
    guard timeout > 0 else { return }
    calls[callID]?.deadline = ReactorClock.shared.schedule(after: .milliseconds(Int(timeout))) {
      [weak self] in
      task.cancel()
      self?.finish(
        callID,
        .failure(
          ControlFailure(
            .deadlineExceeded, .temporaryFailure,
            "\(entry.name) took longer than \(timeout) ms"
              + (entry.right == .read ? "" : "; what it began goes on"))))
    }
  }

  private func carryOut(
    _ entry: ControlEntry, _ request: CBORValue, _ call: ControlCall, _ callID: UInt64
  ) async {
    defer {
      running -= 1
      server.endCall(of: peer, scope)
    }
    do throws(ControlFailure) {
      finish(callID, .reply(try await entry.perform(request, call)))
    } catch { finish(callID, .failure(error)) }
  }

  private func finish(_ callID: UInt64, _ message: ControlMessage) {
    guard let call = calls.removeValue(forKey: callID) else { return }
    call.deadline?.cancel()
    call.stream.end()
    do throws(ControlFailure) { try send(message, callID) } catch {
      // A failure is small: where not even that fits, the client does not read.
      if (try? send(.failure(error), callID)) == nil { close() }
    }
    restartTimer()
  }
}
