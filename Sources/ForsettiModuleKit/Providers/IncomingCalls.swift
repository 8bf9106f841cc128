internal import ForsettiIPC
internal import Glibc

/// The calls this module is asked to answer: what it can answer, and what it is answering.
@MainActor
final class IncomingCalls {
  /// Calls open at once; more are refused.
  static let capacity = 4096

  private struct Open {
    var task: Task<Void, Never>?
    var deadline: Int64
  }

  private struct Key: Hashable {
    var service: UInt8
    var method: UInt8
  }

  private let output: ModuleOutput
  private var responders: [Key: Responder] = [:]
  /// The module, until the first call comes. What it conforms to is asked no earlier: each question goes through all
  /// conformances of the program, the six were a third of what a start executes, and most modules are never called.
  private var unasked: (any ForsettiModule)?
  private var open: [UInt64: Open] = [:]
  /// No open call's deadline is before this.
  private var earliest = Int64.max

  init(output: ModuleOutput) { self.output = output }

  /// Calls open now.
  var openCount: Int { open.count }

  /// Answers what the module can answer from here on.
  func serve(_ module: any ForsettiModule) { unasked = module }

  /// Answers a method from here on.
  func serve<Request: CallValue, Response: CallValue>(
    _ method: ServiceMethod<Request, Response>,
    _ body: @escaping @MainActor (Request, String) async throws -> Response
  ) {
    let key = Key(service: method.info.serviceNumber, method: method.number)
    responders[key] = TypedResponder(method, calls: self, body)
  }

  // MARK: What the loop brings

  /// A `call` came. False where its ID is that of an open one, which breaks the protocol.
  func receive(_ header: FrameHeader, _ head: CallHead, _ payload: Span<UInt8>) -> Bool {
    let callID = header.callID
    guard open[callID] == nil else { return false }
    guard open.count < Self.capacity else {
      refuse(callID, .quotaExceeded("calls open in the module"))
      return true
    }
    if let module = unasked.take() { serveConformances(of: module) }
    guard let responder = responders[Key(service: head.service, method: head.method)] else {
      refuse(callID, .serviceDenied(.unknown, detail: "the module does not answer this method"))
      return true
    }
    let timeout =
      header.timeoutMilliseconds == 0
      ? FrameHeader.defaultTimeoutMilliseconds : header.timeoutMilliseconds
    let deadline = KernelClock.coarse.now &+ Int64(timeout) &* 1_000_000
    open[callID] = Open(task: nil, deadline: deadline)
    earliest = min(earliest, deadline)
    do {
      let task = try responder.begin(head, callID, payload)
      // It may have answered already.
      open[callID]?.task = task
    } catch {
      // The supervisor forwards what is well-formed; whether it is a request is for the provider to say.
      close(callID)
      refuse(callID, .invalidArgument(name: "request", reason: error.description))
    }
    return true
  }

  /// A `cancel` came; the caller waits no more.
  func cancel(_ callID: UInt64) { close(callID)?.task?.cancel() }

  /// Ends calls whose time is over. Nanoseconds until the next may be; `nil` without an open call.
  func expire() -> Int64? {
    guard earliest < .max else { return nil }
    let now = KernelClock.coarse.now
    if earliest <= now {
      for (callID, call) in open where call.deadline <= now {
        close(callID)
        call.task?.cancel()
        refuse(callID, .deadlineExceeded)
      }
      earliest = open.values.reduce(.max) { min($0, $1.deadline) }
    }
    return earliest < .max ? earliest &- now : nil
  }

  /// Ends all calls: the module has stopped.
  func closeAll() {
    let all = open
    open = [:]
    earliest = .max
    responders = [:]
    unasked = nil
    for (callID, call) in all {
      call.task?.cancel()
      refuse(callID, .serviceUnavailable(role: "", why: "the module has stopped"))
    }
  }

  // MARK: Answering

  @discardableResult private func close(_ callID: UInt64) -> Open? {
    let call = open.removeValue(forKey: callID)
    if open.isEmpty { earliest = .max }
    return call
  }

  /// Sends what a call came to, unless nobody waits any more.
  fileprivate func answer<Response: CallValue>(_ callID: UInt64, _ result: Result<Response, ServiceError>)
    async
  {
    while open[callID] != nil {
      let outcome = output.queue { (queue) throws(MessageEncodingError) in
        switch result {
        case .success(let response): try queue.appendReply(response, callID: callID)
        case .failure(let error): try queue.appendFailure(error, callID: callID)
        }
      }
      switch outcome {
      case .queued: close(callID)
      case .full: await output.waitForRoom()
      case .refused(let error):
        close(callID)
        refuse(callID, ServiceError(answerRefusal: error))
      }
    }
  }

  /// Sends a failure; where there is no room even for it, the caller's deadline has to do.
  private func refuse(_ callID: UInt64, _ error: ServiceError) {
    _ = output.queue { (queue) throws(MessageEncodingError) in
      try queue.appendFailure(error, callID: callID)
    }
  }
}

/// Answers calls of one method.
@MainActor
private class Responder {
  /// Decodes a request where it lies, and starts to answer it.
  func begin(
    _ head: CallHead, _ callID: UInt64, _ payload: Span<UInt8>
  ) throws(CBORError) -> Task<Void, Never>? { nil }
}

private final class TypedResponder<Request: CallValue, Response: CallValue>: Responder {
  private let method: ServiceMethod<Request, Response>
  private unowned let calls: IncomingCalls
  private let body: @MainActor (Request, String) async throws -> Response

  init(
    _ method: ServiceMethod<Request, Response>, calls: IncomingCalls,
    _ body: @escaping @MainActor (Request, String) async throws -> Response
  ) {
    self.method = method
    self.calls = calls
    self.body = body
  }

  override func begin(
    _ head: CallHead, _ callID: UInt64, _ payload: Span<UInt8>
  ) throws(CBORError) -> Task<Void, Never>? {
    let request = try method.request(head, payload)
    let source = head.source ?? "forsetti.runtime"
    let trace = head.trace
    // Begins at once, on this turn of the loop: an answer that is at hand leaves with the next write.
    return Task.immediate { @MainActor [calls, body] in
      let result = await ForsettiTrace.$current.withValue(trace) { await Self.result(request, source, body) }
      await calls.answer(callID, result)
    }
  }

  private static func result(
    _ request: Request, _ source: String, _ body: @MainActor (Request, String) async throws -> Response
  ) async -> Result<Response, ServiceError> {
    do {
      return .success(try await body(request, source))
    } catch let error as ServiceError {
      return .failure(error)
    } catch is CancellationError {
      return .failure(.cancelled)
    } catch {
      return .failure(.failed(code: "provider", message: "\(error)"))
    }
  }
}

extension ServiceError {
  /// What an answer that fits no frame means to the caller.
  fileprivate init(answerRefusal error: MessageEncodingError) {
    switch error {
    case .tooLarge, .invalid(_, .tooLong): self = ServiceError(refusal: error)
    default: self = .failed(code: "provider", message: error.description)
    }
  }
}
