import ForsettiCore
import ForsettiIPC

// Answers, in both directions, and the calls that the supervisor makes.
extension ModuleSession {
  /// What is kept of a module's queue for frames that must reach it: failures and the lifecycle's own.
  private static var reservedBytes: Int { 131_072 }

  // MARK: From the module

  func receiveReply(_ frame: borrowing Frame) throws(SessionFault) {
    do { try CBORValidator.walk(frame.payload, refusingReservedKeys: false) } catch {
      throw SessionFault("payload of a reply: \(error)")
    }
    guard let origin = try answered(frame.header.callID) else { return }
    switch origin {
    case .module(let session, let id):
      guard let key = session.close(id, now: turnBegan) else { return }
      meter.counts.provided.add(key.service, .ok)
      session.forwardReply(frame.payload, key)
    case .host(let waiter, let service):
      meter.counts.provided.add(service, .ok)
      waiter.resume(returning: .success(frame.payload.withUnsafeBufferPointer { Array($0) }))
    }
  }

  func receiveFailure(_ frame: borrowing Frame) throws(SessionFault) {
    let error: ServiceError
    do { error = try ServiceError.decode(frame.head) } catch {
      throw SessionFault("head of a failure: \(error)")
    }
    if let origin = try answered(frame.header.callID) { finish(origin, error) }
  }

  /// Whoever waits for the call that an answer names; `nil` where nobody waits any more.
  private func answered(_ id: UInt64) throws(SessionFault) -> Origin? {
    switch outgoing.answer(id) {
    case .ends(let origin):
      callEnded()
      return origin
    case .late:
      lateAnswers &+= 1
      return nil
    case .unknown: throw SessionFault("answered call \(id), which is not open")
    }
  }

  /// Ends a call to this module with something other than its reply.
  func finish(_ origin: Origin, _ error: ServiceError) {
    callEnded()
    switch origin {
    case .host(let waiter, let service):
      meter.counts.provided.add(service, CallResult(error))
      waiter.resume(returning: .failure(error))
    case .module(let session, let id):
      guard let key = session.close(id, now: broker.clock.now) else { return }
      meter.counts.provided.add(key.service, CallResult(error))
      session.fail(key, error)
    }
  }

  // MARK: To the module

  /// Queues frames; false when there is no room, or nobody to send to.
  @discardableResult
  func send(_ append: (inout OutboundQueue) throws(MessageEncodingError) -> Void) -> Bool {
    guard let channel else { return false }
    do throws(MessageEncodingError) {
      try channel.queueFrame(append)
      return true
    } catch { return false }
  }

  private func forwardReply(_ payload: Span<UInt8>, _ call: CallKey) {
    guard hasRoom(payload.count) else { return failForWantOfRoom(call) }
    let isQueued = send { (queue) throws(MessageEncodingError) in
      try queue.appendReply(payload: payload, callID: call.id)
    }
    if isQueued { answered(call) } else { failForWantOfRoom(call) }
  }

  /// The answer to a call is on its way.
  private func answered(_ call: CallKey) {
    meter.counts.made.add(call.service, .ok)
    spans?.end(call.id, .ok)
  }

  /// Answers a call.
  func reply(_ response: some CallValue, to call: CallKey) {
    guard let channel, hasRoom(response.sizeHint) else { return failForWantOfRoom(call) }
    do throws(MessageEncodingError) {
      try channel.queueFrame { (queue) throws(MessageEncodingError) in
        try queue.appendReply(response, callID: call.id)
      }
      answered(call)
    } catch {
      switch error {
      case .full: failForWantOfRoom(call)
      case .tooLarge: fail(call, .tooLarge(limit: UInt64(FrameHeader.maximumPayload)))
      case .invalid(_, .tooLong(let limit)): fail(call, .tooLarge(limit: UInt64(limit)))
      case .invalid(_, let fault): fail(call, .failed(code: "encoding", message: "\(fault)"))
      }
    }
  }

  /// Answers a call with why it came to nothing.
  func fail(_ call: CallKey, _ error: ServiceError) {
    let result = CallResult(error)
    meter.counts.made.add(call.service, result)
    spans?.end(call.id, result)
    let isQueued = send { (queue) throws(MessageEncodingError) in
      try queue.appendFailure(error, callID: call.id)
    }
    if !isQueued { fault("does not read its pipe") }
  }

  func sendCancel(_ id: UInt64) {
    let isQueued = send { (queue) throws(MessageEncodingError) in try queue.appendCancel(callID: id) }
    if !isQueued { fault("does not read its pipe") }
  }

  private func hasRoom(_ count: Int) -> Bool {
    guard let channel else { return false }
    return channel.pendingBytes + count <= OutboundQueue.maximumBytes - Self.reservedBytes
  }

  private func failForWantOfRoom(_ call: CallKey) {
    fail(call, .quotaExceeded("answers that wait to be read"))
  }

  // MARK: The supervisor's own calls

  /// Calls the module and waits for its answer; cancelling the task takes the call back.
  func call<Request, Response>(
    _ method: ServiceMethod<Request, Response>, _ request: Request, timeoutMilliseconds: UInt32 = 30_000,
    trace: TraceContext? = nil, source: String? = nil
  ) async throws(ServiceError) -> Response {
    let deadline = deadline(of: timeoutMilliseconds, from: broker.clock.now)
    let ticket = CallTicket()
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        do throws(ServiceError) {
          ticket.id = try open(
            .host(waiter, service: method.info.serviceNumber), deadline: deadline
          ) { (queue, id) throws(MessageEncodingError) in
            try queue.appendCall(
              method, request, callID: id, timeoutMilliseconds: timeoutMilliseconds, trace: trace,
              source: source)
          }
        } catch { return waiter.resume(returning: .failure(error)) }
        if ticket.isCancelled { takeBack(ticket) }
      }
    } onCancel: {
      Task { @ReactorActor in
        ticket.isCancelled = true
        self.takeBack(ticket)
      }
    }
    return try response(to: method, in: try answer.get())
  }

  /// Opens a call to the module and sends it.
  /// - Parameter append: queues the frame of the call, which gets this id.
  /// - Returns: the id. The origin hears of the answer, of its want, or of the module's end; but of nothing where this
  ///   throws.
  private func open(
    _ origin: Origin, deadline: UInt64,
    _ append: (inout OutboundQueue, UInt64) throws(MessageEncodingError) -> Void
  ) throws(ServiceError) -> UInt64 {
    guard phase == .active else {
      throw .serviceUnavailable(role: moduleID, why: "\(moduleID) is not active")
    }
    guard let id = outgoing.open(origin, deadline: deadline) else {
      throw .quotaExceeded("open calls to \(moduleID)")
    }
    guard send({ (queue) throws(MessageEncodingError) in try append(&queue, id) }) else {
      _ = outgoing.answer(id)
      throw .serviceUnavailable(role: moduleID, why: "\(moduleID) does not read its calls")
    }
    keepDeadline(deadline)
    return id
  }

  private func response<Request, Response>(
    to method: ServiceMethod<Request, Response>, in payload: [UInt8]
  ) throws(ServiceError) -> Response {
    do { return try method.response(payload.span) } catch {
      fault("reply to a call of \(method.info.name): \(error)")
      throw .failed(
        code: "malformed", message: "\(moduleID) answered \(method.info.name) with something else")
    }
  }

  /// Gives up a call that was sent, if it is still open.
  private func takeBack(_ ticket: CallTicket) {
    guard let id = ticket.id, let origin = outgoing.abandon(id) else { return }
    sendCancel(id)
    finish(origin, .cancelled)
  }
}

/// Joins a call of the supervisor to the task that may be cancelled.
@ReactorActor private final class CallTicket {
  /// Once it is sent.
  var id: UInt64?
  var isCancelled = false
}
