internal import ForsettiIPC

extension ForsettiContext {
  /// Handles one event, and may wait for others' answers meanwhile. The next waits until this one is handled.
  public typealias EventHandler = @MainActor @Sendable (ForsettiEvent) async -> Void
  /// Handles one event without waiting for anything: it is called where the event is read, with no queue between.
  public typealias ImmediateEventHandler = @MainActor @Sendable (ForsettiEvent) -> Void

  /// Receives events of a type, of all below a prefix (`com.example.*`), or of all (`*`), as far as the policy lets the
  /// module. A handler sees the events of one sender in their order, each once.
  public nonisolated(nonsending) func subscribe(
    to pattern: String, handler: @escaping EventHandler
  ) async throws(ServiceError) -> SubscriptionToken {
    try await subscribe(Subscription(pattern: pattern, .queued(HandlerQueue(handler))), to: pattern)
  }

  /// The same with a handler that waits for nothing, which costs half as much an event.
  public nonisolated(nonsending) func subscribe(
    to pattern: String, handler: @escaping ImmediateEventHandler
  ) async throws(ServiceError) -> SubscriptionToken {
    try await subscribe(Subscription(pattern: pattern, .atOnce(handler)), to: pattern)
  }

  private nonisolated(nonsending) func subscribe(
    _ subscription: Subscription, to pattern: String
  ) async throws(ServiceError) -> SubscriptionToken {
    // Before the supervisor knows of it: its first event may come together with its answer.
    guard events.add(subscription, to: .event) else {
      subscription.end()
      throw .serviceUnavailable(role: "", why: "\(moduleID) has stopped")
    }
    let subscriptionID: Int
    do { subscriptionID = try await calls.call(RuntimeMethods.subscribe, pattern) } catch {
      events.remove(subscription)
      throw error
    }
    return SubscriptionToken(pattern: pattern) { [events, calls] in
      events.remove(subscription)
      calls.notify(RuntimeMethods.unsubscribe, subscriptionID)
    }
  }

  /// Sends a message to one module, which nobody else sees. Returns once it is in the other's mailbox.
  public nonisolated(nonsending) func sendMessage(
    to target: String, type: String, payload: [String: String] = [:]
  ) async throws(ServiceError) {
    _ = try await calls.call(
      RuntimeMethods.sendMessage, MessageRequest(target: target, type: type, payload: payload))
  }

  /// Receives messages to this module, by their type or a pattern as in `subscribe`. The payload has the module's own
  /// ID under `_forsetti.targetModuleID`. A message that nothing here asks for is dropped.
  public func subscribeToMessages(_ pattern: String, handler: @escaping EventHandler) -> SubscriptionToken {
    subscribeToMessages(Subscription(pattern: pattern, .queued(HandlerQueue(handler))), pattern)
  }

  /// The same with a handler that waits for nothing.
  public func subscribeToMessages(
    _ pattern: String, handler: @escaping ImmediateEventHandler
  ) -> SubscriptionToken {
    subscribeToMessages(Subscription(pattern: pattern, .atOnce(handler)), pattern)
  }

  private func subscribeToMessages(_ subscription: Subscription, _ pattern: String) -> SubscriptionToken {
    if !events.add(subscription, to: .message) { subscription.end() }
    return SubscriptionToken(pattern: pattern) { [events] in events.remove(subscription) }
  }

  /// Calls `handler` with how many events were lost, whenever some were; there is a warning in the log too.
  public func onEventsDropped(_ handler: @escaping @MainActor @Sendable (Int) -> Void) {
    events.onDrop(handler)
  }
}
