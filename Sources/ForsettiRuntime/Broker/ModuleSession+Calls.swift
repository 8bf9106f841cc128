import ForsettiCore
import ForsettiIPC

// Calls of the module, and what becomes of them.
extension ModuleSession {
  func receiveCall(_ frame: borrowing Frame) throws(SessionFault) {
    let id = frame.header.callID
    guard incoming.isEmpty || incoming[id] == nil else { throw SessionFault("used call id \(id) twice") }
    var head: CallHead
    do { head = try CallHead(frame.head) } catch { throw SessionFault("head of a call: \(error)") }
    guard head.source == nil else { throw SessionFault("wrote a source into the head of a call") }
    let call = CallKey(id: id, service: head.service)
    guard let method = ServiceCatalog.method(service: head.service, number: head.method) else {
      return refuseUnknown(head, call)
    }
    guard method.accepts(head.route) else {
      throw SessionFault("called \(method.name) with a head that is not its own")
    }
    guard incoming.count < broker.limits.openCalls else {
      return fail(call, .quotaExceeded("open calls, of which a module has \(broker.limits.openCalls)"))
    }
    if !rates.isEmpty, let wait = rates.refuse(.call, bytes: frame.byteCount, now: broker.clock.now) {
      refusals.note(.callRate, "calls more often than the policy lets it")
      return fail(call, .rateLimited(retryAfterMilliseconds: wait))
    }
    guard let service = method.service else { return try runtimeCall(method, head, frame) }
    spans?.begin(id, method, &head, to: rules.routes[service], now: turnBegan)
    if let denial = access.denial(of: service, method.access.resolved(head.route)) {
      return deny(method, denial, call)
    }
    if let path = head.route?.path {
      do { head.route?.path = try APIPath.normalise(path) } catch {
        return fail(call, .invalidArgument(name: "path", reason: error.rawValue))
      }
      if let apiRules, let route = head.route,
        !apiRules.allows(method: route.verb, path: route.path ?? "")
      {
        return deny(method, .policy, call)
      }
    }
    switch rules.routes[service] {
    case .host: try callHost(service, method, head, frame)
    case .module(let provider): try callModule(provider, method, head, frame)
    case .unavailable(let why): unavailable(service, why, call)
    }
  }

  private func refuseUnknown(_ head: CallHead, _ call: CallKey) {
    let name = "method \(head.method) of service \(head.service)"
    refusals.note(.denied(head.service, .unknown), "was denied \(name), which does not exist")
    fail(call, .serviceDenied(.unknown, detail: name))
  }

  private func deny(_ method: MethodInfo, _ denial: ServiceError.Denial, _ call: CallKey) {
    let why =
      switch denial {
      case .notGranted: "its capability is not granted"
      case .undeclared: "its manifest declares no I/O entry for it"
      case .access: "its manifest's I/O entries do not cover it"
      case .unknown: "it does not exist"
      case .policy: "the policy does not let it"
      }
    refusals.note(.denied(method.serviceNumber, denial), "was denied \(method.name): \(why)")
    fail(call, .serviceDenied(denial, detail: method.name))
  }

  private func unavailable(_ service: ServiceName, _ why: String, _ call: CallKey) {
    fail(call, .serviceUnavailable(role: service.rawValue, why: why))
  }

  // MARK: The host's own services

  private func callHost(
    _ service: ServiceName, _ method: MethodInfo, _ head: CallHead, _ frame: borrowing Frame
  ) throws(SessionFault) {
    let call = CallKey(id: frame.header.callID, service: head.service)
    do throws(HostCallFault) {
      switch broker.hostMethod(method) {
      case .immediate(let answer): try answer(call, head, frame.payload, self)
      case .detached(let prepare):
        guard let adapter = adapter(of: service) else {
          return unavailable(service, "this host has no adapter for it", call)
        }
        let work = try prepare(head, frame.payload, adapter)
        let bytes = frame.payload.count
        guard workload.begin(bytes) else {
          return fail(call, .quotaExceeded("requests that the host still works on"))
        }
        run(work, of: bytes, call, frame.header.timeoutMilliseconds)
      case nil: unavailable(service, "this host's adapter does not have \(method.name)", call)
      }
    } catch {
      switch error {
      case .malformed(let error): throw SessionFault("payload of a call of \(method.name): \(error)")
      case .service(let error): fail(call, error)
      }
    }
  }

  /// The module's own adapter, made at the first call.
  private func adapter(of service: ServiceName) -> (any Sendable)? {
    let index = Int(service.number)
    if let adapter = adapters[index] { return adapter }
    adapters[index] = broker.services[service].make?(caller)
    return adapters[index]
  }

  /// Runs an adapter's work: on the adapter's own thread if it is an actor that has one, to and fro by one hop each.
  private func run(_ work: @escaping HostWork, of bytes: Int, _ call: CallKey, _ timeout: UInt32) {
    serial &+= 1
    let serial = serial
    let deadline = deadline(of: timeout, from: turnBegan)
    // Strong: a weak reference, once made, slows every later use of the session, and the work ends.
    let task = Task(executorPreference: Reactor.shared) { [self] in
      let answer = await work()
      await finishHostCall(call.id, serial, answer, bytes)
    }
    incoming[call.id] = Incoming(
      callee: .host(task), service: call.service, begin: turnBegan, serial: serial, deadline: deadline)
    keepDeadline(deadline)
  }

  private func finishHostCall(_ id: UInt64, _ serial: UInt64, _ answer: HostAnswer, _ bytes: Int) {
    workload.end(bytes)
    guard incoming[id]?.serial == serial, let call = close(id, now: broker.clock.now) else {
      lateAnswers &+= 1
      return
    }
    switch answer {
    case .reply(let response): reply(response, to: call)
    case .failure(let error): fail(call, error)
    }
  }

  func deadline(of timeout: UInt32, from begin: UInt64) -> UInt64 {
    begin &+ UInt64(timeout == 0 ? FrameHeader.defaultTimeoutMilliseconds : timeout) &* 1_000_000
  }

  // MARK: Providers

  private func callModule(
    _ provider: String, _ method: MethodInfo, _ head: CallHead, _ frame: borrowing Frame
  ) throws(SessionFault) {
    let call = CallKey(id: frame.header.callID, service: head.service)
    do { try CBORValidator.walk(frame.payload, refusingReservedKeys: false) } catch {
      throw SessionFault("payload of a call of \(method.name): \(error)")
    }
    guard let service = method.service else { return }
    guard let target = broker.session(of: provider, for: self) else {
      if broker.keepsReport(method, frame.payload, of: self) { return reply(Nothing(), to: call) }
      return unavailable(service, "\(provider) is not active", call)
    }
    let timeout = frame.header.timeoutMilliseconds
    let deadline = deadline(of: timeout, from: turnBegan)
    guard let theirs = target.outgoing.open(.module(self, call.id), deadline: deadline) else {
      return unavailable(service, "\(provider) has too many open calls", call)
    }
    var head = head
    head.source = moduleID
    if head.trace == nil { head.trace = broker.traceIDs.trace() }
    let payload = frame.payload
    let isQueued = target.send { (queue) throws(MessageEncodingError) in
      try queue.appendCall(
        head, payload: payload, callID: theirs,
        timeoutMilliseconds: timeout == 0 ? FrameHeader.defaultTimeoutMilliseconds : timeout)
    }
    guard isQueued else {
      _ = target.outgoing.answer(theirs)
      return unavailable(service, "\(provider) does not read its calls", call)
    }
    serial &+= 1
    incoming[call.id] = Incoming(
      callee: .module(target, theirs), service: call.service, begin: turnBegan, serial: serial,
      deadline: .max)
    target.keepDeadline(deadline)
  }

  // MARK: Cancelling

  /// The module takes a call back. It may have been answered meanwhile; then there is nothing to do.
  func receiveCancel(_ id: UInt64) {
    if let call = incoming.removeValue(forKey: id) { cancel(call, id) }
  }

  /// Gives up a call that nobody waits for any more.
  func cancel(_ call: Incoming, _ id: UInt64) {
    meter.counts.made.add(call.service, .cancelled)
    spans?.end(id, .cancelled)
    if case .module(let provider, _) = call.callee {
      provider.meter.counts.provided.add(call.service, .cancelled)
    }
    cancelCallee(of: call)
  }

  /// Takes an open call out, and counts how long it took.
  func close(_ id: UInt64, now: UInt64) -> CallKey? {
    guard let call = incoming.removeValue(forKey: id) else { return nil }
    // What has no time between its begin and its end was done in one turn.
    if now > call.begin { meter.counts.latency.add(nanoseconds: now &- call.begin) }
    return CallKey(id: id, service: call.service)
  }

  func cancelCallee(of call: Incoming) {
    switch call.callee {
    case .host(let task): task.cancel()
    case .module(let provider, let id):
      if provider.outgoing.abandon(id) != nil {
        provider.sendCancel(id)
        provider.callEnded()
      }
    }
  }
}

/// What an answer needs to know of its call.
struct CallKey {
  /// The caller's ID of it.
  let id: UInt64
  /// The number of the service that was called, for the count.
  let service: UInt8
}
