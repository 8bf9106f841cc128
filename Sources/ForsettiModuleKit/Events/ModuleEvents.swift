internal import ForsettiIPC

/// The subscriptions of this module. However many of them an event matches, it comes through the pipe once.
final class ModuleEvents: Sendable {
  typealias DropHandler = @MainActor @Sendable (Int) -> Void

  private struct State {
    var subscriptions: [Subscription] = []
    var messages: [Subscription] = []
    var onDrop: DropHandler?
    /// The head that came last, and the subscriptions that want events of its type.
    var lastHead: EventHead?
    var route: [Subscription] = []
    var isRouteRight = false
    var isClosed = false
  }

  private let moduleID: String
  private let logger: ForsettiModuleLogger
  private let state = Guarded(State())

  init(moduleID: String, logger: ForsettiModuleLogger) {
    self.moduleID = moduleID
    self.logger = logger
  }

  /// Adds a subscription; false once the module has stopped.
  func add(_ subscription: Subscription, to kind: EventKind) -> Bool {
    state.withLock { state in
      if state.isClosed { return false }
      if kind == .event {
        state.subscriptions.append(subscription)
        state.isRouteRight = false
      } else {
        state.messages.append(subscription)
      }
      return true
    }
  }

  /// Ends a subscription.
  func remove(_ subscription: Subscription) {
    state.withLock { state in
      state.subscriptions.removeAll { $0 === subscription }
      state.isRouteRight = false
      state.messages.removeAll { $0 === subscription }
    }
    subscription.end()
  }

  func onDrop(_ handler: @escaping DropHandler) { state.withLock { $0.onDrop = handler } }

  /// A `deliver` came. Its payload is decoded only if somebody here wants it.
  func receive(_ bytes: Span<UInt8>, _ payload: Span<UInt8>) throws(CBORError) {
    let head = try EventHead(bytes, of: .deliver, after: state.withLock { $0.lastHead })
    guard let delivery = head.delivery else { return }
    let wanting = state.withLock { state in
      defer { state.lastHead = head }
      if delivery.kind == .message {
        state.isRouteRight = false
        return state.messages.filter { $0.matches(head.type) }
      }
      // Most events are of the type of the one before.
      if !state.isRouteRight || state.lastHead?.type != head.type {
        state.route = state.subscriptions.filter { $0.matches(head.type) }
        state.isRouteRight = true
      }
      return state.route
    }
    guard !wanting.isEmpty else { return }
    var event = ForsettiEvent(
      type: head.type, payload: try EventPayload.decode(payload), sourceModuleID: delivery.source,
      timestamp: delivery.time, trace: head.trace)
    if delivery.kind == .message { event.payload[ForsettiEvent.targetModuleIDKey] = moduleID }
    var dropped = 0
    for subscription in wanting { dropped += subscription.deliver(event, bytes: payload.count) }
    if dropped > 0 { MainActor.assumeIsolated { noteDropped(dropped) } }
  }

  /// So many events are lost.
  @MainActor func noteDropped(_ count: Int) {
    logger.warning(
      "events were lost: they came faster than they were handled", metadata: ["count": "\(count)"])
    let handler = state.withLock { $0.onDrop }
    handler?(count)
  }

  /// Ends all subscriptions.
  func close() {
    let all = state.withLock { state in
      defer { state = State(isClosed: true) }
      return state.subscriptions + state.messages
    }
    for subscription in all { subscription.end() }
  }
}
