internal import ForsettiIPC

/// The calls this module makes: their table, their deadlines, and their frames.
final class ModuleCalls: Sendable {
  /// How long a call may take when its caller doesn't say.
  static let defaultTimeout = Duration.milliseconds(FrameHeader.defaultTimeoutMilliseconds)
  /// Calls open at once; more throw `quotaExceeded`.
  static let capacity = 16_384

  private struct State {
    var open = CallSlots<PendingCall>(capacity: capacity)
    /// Why no more calls are made, once that is so.
    var closed: ServiceError?
    /// Answers to calls that nobody waits for any more.
    var lateAnswers = 0
  }

  private let output: ModuleOutput
  private let state = Guarded(State())

  init(output: ModuleOutput) { self.output = output }

  /// Answers that came after their call was cancelled or had timed out, and were dropped.
  var lateAnswers: Int { state.withLock { $0.lateAnswers } }

  /// Calls open now.
  var openCount: Int { state.withLock { $0.open.count } }

  /// Calls a method and waits for its answer. Cancelling the task takes the call back.
  nonisolated(nonsending) func call<Request, Response>(
    _ method: ServiceMethod<Request, Response>, _ request: Request, timeout: Duration = defaultTimeout
  ) async throws(ServiceError) -> Response {
    while true {
      let pending = TypedPendingCall<Response>()
      var isFull = false
      await withTaskCancellationHandler {
        await withUnsafeContinuation { continuation in
          isFull = !begin(pending, method, request, timeout, continuation)
        }
      } onCancel: {
        cancel(pending)
      }
      if isFull {
        await output.waitForRoom()
        continue
      }
      if let response = pending.response { return response }
      throw pending.error ?? .cancelled
    }
  }

  /// Calls a method whose answer is of no interest; nothing happens where that can't be.
  func notify<Request, Response>(_ method: ServiceMethod<Request, Response>, _ request: Request) {
    _ = begin(TypedPendingCall<Response>(), method, request, Self.defaultTimeout, nil)
  }

  /// Puts a call into the table and its frame into the queue; the waiter is resumed at once where that can't be.
  /// False where the queue has no room now.
  private func begin<Request, Response>(
    _ pending: PendingCall, _ method: ServiceMethod<Request, Response>, _ request: Request,
    _ timeout: Duration, _ waiter: UnsafeContinuation<Void, Never>?
  ) -> Bool {
    let nanoseconds = timeout.saturatedNanoseconds
    let deadline = KernelClock.coarse.now.saturatingAdd(nanoseconds)
    let error: ServiceError? = state.withLock { state in
      if pending.isCancelled { return .cancelled }
      if let closed = state.closed { return closed }
      guard let callID = state.open.insert(pending, deadline: deadline) else {
        return .quotaExceeded("open calls")
      }
      pending.callID = callID
      pending.waiter = waiter
      return nil
    }
    if let error {
      pending.error = error
      waiter?.resume()
      return true
    }
    let callID = pending.callID
    // Rounded up, so that the supervisor doesn't give up before the caller does; 0 is its default.
    let milliseconds = UInt32(clamping: max(1, (nanoseconds &- 1) / 1_000_000 &+ 1))
    let trace = ForsettiTrace.current
    let outcome = output.queue { (queue) throws(MessageEncodingError) in
      try queue.appendCall(
        method, request, callID: callID, timeoutMilliseconds: milliseconds, trace: trace)
    }
    switch outcome {
    case .queued: return true
    case .full:
      withdraw(pending)
      return false
    case .refused(let error):
      pending.error = ServiceError(refusal: error)
      withdraw(pending)
      return true
    }
  }

  /// Takes a call that was not sent out of the table again.
  private func withdraw(_ pending: PendingCall) {
    let isOpen = state.withLock { $0.open.remove(pending.callID) != nil }
    if isOpen { pending.waiter?.resume() }
  }

  private func cancel(_ pending: PendingCall) {
    let callID: UInt64? = state.withLock { state in
      pending.isCancelled = true
      guard pending.callID != 0, state.open.remove(pending.callID) != nil else { return nil }
      pending.error = .cancelled
      return pending.callID
    }
    guard let callID else { return }
    takeBack(callID)
    pending.waiter?.resume()
  }

  /// Tells the supervisor that nobody waits any more. Where its queue has no room even for that, its own deadline
  /// ends the call.
  private func takeBack(_ callID: UInt64) {
    _ = output.queue { (queue) throws(MessageEncodingError) in
      try queue.appendCancel(callID: callID)
    }
  }
}

// MARK: - What the loop brings

extension ModuleCalls {
  /// A `reply` came.
  func receiveReply(_ callID: UInt64, _ payload: Span<UInt8>) {
    guard let pending = take(callID) else { return }
    do { try pending.take(payload) } catch {
      // A provider wrote it, and the supervisor forwards what is well-formed: no reason to end this process.
      pending.error = .failed(code: "malformed_reply", message: error.description)
    }
    pending.waiter?.resume()
  }

  /// A `failure` came.
  func receiveFailure(_ callID: UInt64, _ error: ServiceError) {
    guard let pending = take(callID) else { return }
    pending.error = error
    pending.waiter?.resume()
  }

  private func take(_ callID: UInt64) -> PendingCall? {
    state.withLock { state in
      let pending = state.open.remove(callID)
      if pending == nil { state.lateAnswers &+= 1 }
      return pending
    }
  }

  /// Ends calls whose time is over. Nanoseconds until the next may be; `nil` without an open call.
  func expire() -> Int64? {
    let earliest = state.withLock { $0.open.earliest }
    guard earliest < .max else { return nil }
    let now = KernelClock.coarse.now
    guard earliest <= now else { return earliest &- now }
    let (due, next) = state.withLock { ($0.open.removeDue(at: now), $0.open.earliest) }
    for (callID, pending) in due {
      pending.error = .deadlineExceeded
      takeBack(callID)
      pending.waiter?.resume()
    }
    return next < .max ? max(0, next &- now) : nil
  }

  /// Ends all calls, and refuses further ones.
  func close(_ error: ServiceError) {
    let calls = state.withLock { state in
      if state.closed == nil { state.closed = error }
      return state.open.removeAll()
    }
    for pending in calls {
      pending.error = error
      pending.waiter?.resume()
    }
  }
}

extension ServiceError {
  /// What a request that fits no frame means to its caller.
  init(refusal: MessageEncodingError) {
    switch refusal {
    case .full: self = .quotaExceeded("bytes waiting for the supervisor")
    case .tooLarge: self = .tooLarge(limit: UInt64(FrameHeader.maximumPayload))
    case .invalid(_, .tooLong(let limit)): self = .tooLarge(limit: UInt64(limit))
    case .invalid(_, let fault): self = .invalidArgument(name: "request", reason: fault.description)
    }
  }
}
