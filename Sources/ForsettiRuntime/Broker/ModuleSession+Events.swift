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
    meter.counts.eventsPublished &+= 1
    broker.events.publish(
      frame.head.extracting(head.type), head.trace, payload: frame.payload, from: self)
  }

  /// Sends on what the module has published up to here.
  func deliverPublished() { broker.events.deliverGathered() }

  // MARK: To the module

  /// Moves what waits for the module into a queue that has room again.
  func drainInbox(into queue: inout OutboundQueue, while hasRoom: (borrowing OutboundQueue) -> Bool) {
    meter.counts.eventsDelivered &+= UInt64(inbox.drain(into: &queue, while: hasRoom))
  }

  /// Hands over the frames of events, or keeps those for which there is no room until there is.
  func deliver(events frames: borrowing OutboundQueue) {
    guard let channel, phase == .open || phase == .active else { return }
    if !inbox.hasEvents, channel.queue(events: frames) {
      meter.counts.eventsDelivered &+= UInt64(frames.frameCount)
      return
    }
    frames.forEachFrame { deliver(event: $0, to: channel) }
  }

  private func deliver(event frame: Span<UInt8>, to channel: FrameChannel) {
    if !inbox.hasEvents, channel.queue(event: frame) {
      meter.counts.eventsDelivered &+= 1
      return
    }
    meter.counts.eventsDropped &+= UInt64(inbox.add(event: frame))
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
    let call = CallKey(id: frame.header.callID, service: method.serviceNumber)
    do {
      switch method.number {
      case RuntimeMethods.subscribe.number:
        subscribe(try RuntimeMethods.subscribe.request(head, frame.payload), call)
      case RuntimeMethods.unsubscribe.number:
        unsubscribe(try RuntimeMethods.unsubscribe.request(head, frame.payload), call)
      case RuntimeMethods.sendMessage.number:
        let message = try ForwardedMessage(frame.payload)
        sendMessage(message, head.trace, payload: frame.payload.extracting(message.payload), call)
      default: fail(call, .serviceDenied(.unknown, detail: method.name))
      }
    } catch { throw SessionFault("payload of a call of \(method.name): \(error)") }
  }

  private func subscribe(_ pattern: String, _ call: CallKey) {
    guard pattern.utf8.count <= ProtocolLimits.eventType, !pattern.hasPrefix("{"),
      (try? EventPattern(pattern)) != nil
    else {
      return fail(call, .invalidArgument(name: "type", reason: "an event type is meant, or \"prefix.*\""))
    }
    guard eventRules.maySubscribe(pattern) else {
      refusals.note(.subscribe, "may not subscribe to \(pattern.quoted()); the policy does not let it")
      return fail(call, .serviceDenied(.policy, detail: pattern))
    }
    guard subscriptions.count < Self.maximumSubscriptions else {
      return fail(call, .quotaExceeded("subscriptions, of which a module has \(Self.maximumSubscriptions)"))
    }
    lastSubscription += 1
    subscriptions[lastSubscription] = pattern
    // One that is to take another's place hears nothing yet: each event is for one of the two.
    if !isStandby { broker.events.index.add(pattern, self) }
    reply(lastSubscription, to: call)
  }

  private func unsubscribe(_ subscription: Int, _ call: CallKey) {
    guard let pattern = subscriptions.removeValue(forKey: subscription) else {
      return fail(call, .notFound("subscription \(subscription)"))
    }
    broker.events.index.remove(pattern, self)
    reply(Nothing(), to: call)
  }

  private func sendMessage(
    _ message: ForwardedMessage, _ trace: TraceContext?, payload: Span<UInt8>, _ call: CallKey
  ) {
    let target = message.target
    if let denial = ModuleCommunicationGuard.denial(
      source: moduleID, target: target, eventType: message.type)
    {
      return refuse(message, denial.rawValue, call)
    }
    let receiver = broker.session(of: target, for: self)
    guard
      rules.policy.mayMessage(
        from: moduleID, caller.origin, to: target, receiver?.caller.origin ?? .builtIn)
    else { return refuse(message, "the policy does not let it", call) }
    guard let receiver else {
      return fail(call, .targetUnavailable(moduleID: target))
    }
    guard broker.events.send(message.type, trace, payload: payload, from: moduleID, to: receiver) else {
      return fail(call, .quotaExceeded("the mailbox of \(receiver.moduleID)"))
    }
    reply(Nothing(), to: call)
  }

  private func refuse(_ message: ForwardedMessage, _ why: String, _ call: CallKey) {
    refusals.note(
      .message, "may not send \(message.type.quoted()) to \(message.target.quoted()): \(why)")
    fail(call, .moduleCommunicationDenied(reason: why))
  }
}
