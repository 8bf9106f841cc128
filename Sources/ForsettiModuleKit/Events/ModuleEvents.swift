internal import ForsettiIPC

/// The subscriptions of this module. However many of them an event matches, it comes through the pipe once.
final class ModuleEvents: Sendable {
  typealias DropHandler = @MainActor @Sendable (Int) -> Void

  /// Where events of one type and source go.
  private struct Route: ~Copyable {
    let kind: EventKind
    /// What their heads begin with; `nil` for those of the runtime itself.
    let start: DeliverHead.Origin?
    let origin: EventOrigin
    /// Mostly the only one, to which the event itself can go; the others get copies.
    let first: Subscription?
    let others: [Subscription]
    let hasOthers: Bool

    init(
      _ head: DeliverHead, _ bytes: Span<UInt8>, to receiver: String?, among subscriptions: [Subscription]
    ) {
      kind = head.kind
      start = DeliverHead.Origin(head, bytes)
      origin = EventOrigin(
        type: bytes.text(head.type), source: head.source.map { range in bytes.text(range) },
        receiver: receiver)
      let wanting = subscriptions.filter { [type = origin.type] in $0.matches(type) }
      first = wanting.first
      others = Array(wanting.dropFirst())
      hasOthers = !others.isEmpty
    }

    /// An event on its way; `nil` where nobody wants it.
    func delivery(_ head: DeliverHead, _ payload: Span<UInt8>) -> Delivery? {
      guard let first else { return nil }
      return Delivery(
        event: ForsettiEvent(
          EventStorage(origin, timestamp: head.time, trace: head.trace, payload: payload)),
        first: first, others: hasOthers ? others : nil)
    }
  }

  /// An event, and who is to have it.
  private struct Delivery: ~Copyable {
    let event: ForsettiEvent
    let first: Subscription
    let others: [Subscription]?

    /// Hands it to all who want it. How many were dropped for it.
    @MainActor consuming func handOver() -> Int {
      var dropped = 0
      if let others {
        for subscription in others { dropped += subscription.deliver(event) }
      }
      return dropped + first.deliver(event)
    }
  }

  private struct State: ~Copyable {
    var subscriptions: [Subscription] = []
    var messages: [Subscription] = []
    var onDrop: DropHandler?
    /// The way of the event that came last, which most go, until somebody subscribes or leaves.
    var route: Route?
    var isClosed = false

    /// Reads a head, and finds the way of its event.
    mutating func read(_ bytes: Span<UInt8>, at moduleID: String) throws(CBORError) -> DeliverHead {
      if let head = try route?.start?.head(bytes), head.kind == route?.kind { return head }
      let head = try DeliverHead(bytes)
      let isMessage = head.kind == .message
      route = Route(
        head, bytes, to: isMessage ? moduleID : nil, among: isMessage ? messages : subscriptions)
      return head
    }
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
      } else {
        state.messages.append(subscription)
      }
      state.route = nil
      return true
    }
  }

  /// Ends a subscription.
  func remove(_ subscription: Subscription) {
    state.withLock { state in
      state.subscriptions.removeAll { $0 === subscription }
      state.messages.removeAll { $0 === subscription }
      state.route = nil
    }
    subscription.end()
  }

  func onDrop(_ handler: @escaping DropHandler) { state.withLock { $0.onDrop = handler } }

  /// A `deliver` came. The supervisor has walked its payload, which is looked at again only where a text is wanted.
  @MainActor func receive(_ bytes: Span<UInt8>, _ payload: Span<UInt8>) throws(CBORError) {
    let delivery = try state.withLock { (state) throws(CBORError) in
      let head = try state.read(bytes, at: moduleID)
      return state.route?.delivery(head, payload)
    }
    // Without the lock: a handler that is called at once may subscribe, or leave.
    guard let dropped = delivery?.handOver(), dropped > 0 else { return }
    noteDropped(dropped)
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

extension Span<UInt8> {
  fileprivate func text(_ range: Range<Int>) -> String {
    extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
