import ForsettiCore
import ForsettiIPC

// Events and messages, and the calls of the runtime itself that they need.
extension ModuleSession {
  /// Subscriptions that one module may hold.
  private static var maximumSubscriptions: Int { 1024 }

  func receivePublish(_ frame: borrowing Frame) throws(SessionFault) {
    let head: PublishHead
    do {
      head = try PublishHead(frame.head)
      try EventPayload.validate(frame.payload)
    } catch { throw SessionFault("an event: \(error)") }
    if !rates.isEmpty, rates.refuse(.event, bytes: frame.byteCount, now: broker.clock.now) != nil {
      return refusals.note(.eventRate, "publishes more often than the policy lets it")
    }
    broker.events.publish(
      frame.head.extracting(head.type), head.trace, payload: frame.payload, from: self)
  }

  // MARK: To the module

  /// Hands over an event's frame, or keeps it until there is room.
  func deliver(event frame: Span<UInt8>) {
    guard let channel, phase == .open || phase == .active else { return }
    if !inbox.hasEvents, channel.queue(event: frame) { return }
    inbox.add(event: frame)
  }

  /// Hands over a message's frame, or keeps it until there is room; false when the mailbox is full.
  func deliver(message frame: Span<UInt8>) -> Bool {
    guard let channel, phase == .active else { return false }
    if !inbox.hasMessages, channel.queue(event: frame) { return true }
    return inbox.add(message: frame)
  }

  // MARK: The runtime's own methods

  func runtimeCall(
    _ method: MethodInfo, _ head: CallHead, _ frame: borrowing Frame
  ) throws(SessionFault) {
    let id = frame.header.callID
    do {
      switch method.number {
      case RuntimeMethods.subscribe.number:
        subscribe(try RuntimeMethods.subscribe.request(head, frame.payload), id)
      case RuntimeMethods.unsubscribe.number:
        unsubscribe(try RuntimeMethods.unsubscribe.request(head, frame.payload), id)
      case RuntimeMethods.sendMessage.number:
        let message = try ForwardedMessage(frame.payload)
        sendMessage(message, head.trace, payload: frame.payload.extracting(message.payload), id)
      default: fail(id, .serviceDenied(.unknown, detail: method.name))
      }
    } catch { throw SessionFault("payload of a call of \(method.name): \(error)") }
  }

  private func subscribe(_ pattern: String, _ id: UInt64) {
    guard pattern.utf8.count <= ProtocolLimits.eventType, !pattern.hasPrefix("{"),
      (try? EventPattern(pattern)) != nil
    else {
      return fail(id, .invalidArgument(name: "type", reason: "an event type is meant, or \"prefix.*\""))
    }
    guard eventRules.maySubscribe(pattern) else {
      refusals.note(.subscribe, "may not subscribe to \(pattern.quoted()); the policy does not let it")
      return fail(id, .serviceDenied(.policy, detail: pattern))
    }
    guard subscriptions.count < Self.maximumSubscriptions else {
      return fail(id, .quotaExceeded("subscriptions, of which a module has \(Self.maximumSubscriptions)"))
    }
    lastSubscription += 1
    subscriptions[lastSubscription] = pattern
    broker.events.index.add(pattern, self)
    reply(lastSubscription, to: id)
  }

  private func unsubscribe(_ subscription: Int, _ id: UInt64) {
    guard let pattern = subscriptions.removeValue(forKey: subscription) else {
      return fail(id, .notFound("subscription \(subscription)"))
    }
    broker.events.index.remove(pattern, self)
    reply(Nothing(), to: id)
  }

  private func sendMessage(
    _ message: ForwardedMessage, _ trace: TraceContext?, payload: Span<UInt8>, _ id: UInt64
  ) {
    let target = message.target
    if let denial = ModuleCommunicationGuard.denial(
      source: moduleID, target: target, eventType: message.type)
    {
      return refuse(message, denial.rawValue, id)
    }
    let receiver = broker.session(of: target)
    guard
      broker.policy.mayMessage(
        from: moduleID, caller.origin, to: target, receiver?.caller.origin ?? .builtIn)
    else { return refuse(message, "the policy does not let it", id) }
    guard let receiver else {
      return fail(id, .failed(code: MessageFailure.targetUnavailable, message: "\(target) is not active"))
    }
    guard broker.events.send(message.type, trace, payload: payload, from: moduleID, to: receiver) else {
      return fail(id, .quotaExceeded("the mailbox of \(receiver.moduleID)"))
    }
    reply(Nothing(), to: id)
  }

  private func refuse(_ message: ForwardedMessage, _ why: String, _ id: UInt64) {
    refusals.note(
      .message, "may not send \(message.type.quoted()) to \(message.target.quoted()): \(why)")
    fail(id, .failed(code: MessageFailure.denied, message: why))
  }
}

/// The codes of a message that is not delivered (SPEC §5).
enum MessageFailure {
  static let denied = "moduleCommunicationDenied"
  static let targetUnavailable = "targetUnavailable"
}
