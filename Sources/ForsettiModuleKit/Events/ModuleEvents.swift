internal import ForsettiIPC
internal import Glibc

/// The subscriptions of this module. However many of them an event matches, it comes through the pipe once.
final class ModuleEvents: Sendable {
  typealias DropHandler = @MainActor @Sendable (Int) -> Void

  /// Where events that begin with the same bytes go.
  private final class Route: Sendable {
    let kind: EventKind
    /// The head up to the end of its source: type and source.
    let start: [UInt8]
    let origin: EventOrigin
    /// Mostly the only one, to which the event itself can go; the others get copies.
    let first: Subscription?
    let others: [Subscription]
    let hasOthers: Bool

    init(
      _ head: DeliverHead, _ bytes: Span<UInt8>, to receiver: String?, among subscriptions: [Subscription]
    ) {
      kind = head.kind
      start = bytes.extracting(..<head.originEnd).withUnsafeBufferPointer { Array($0) }
      origin = EventOrigin(
        type: bytes.text(head.type), source: head.source.map { range in bytes.text(range) },
        receiver: receiver)
      let wanting = subscriptions.filter { [type = origin.type] in $0.matches(type) }
      first = wanting.first
      others = Array(wanting.dropFirst())
      hasOthers = !others.isEmpty
    }

    func leads(_ head: DeliverHead, _ bytes: Span<UInt8>) -> Bool {
      guard kind == head.kind, start.count == head.originEnd else { return false }
      return bytes.extracting(..<head.originEnd).withUnsafeBytes { found in
        start.withUnsafeBytes { start in
          guard let found = found.baseAddress, let known = start.baseAddress else { return false }
          return memcmp(found, known, start.count) == 0
        }
      }
    }
  }

  private struct State {
    var subscriptions: [Subscription] = []
    var messages: [Subscription] = []
    var onDrop: DropHandler?
    /// The way of the event that came last, which most go, until somebody subscribes or leaves.
    var route: Route?
    var isClosed = false

    mutating func route(_ head: DeliverHead, _ bytes: Span<UInt8>, at moduleID: String) -> Route {
      if let route, route.leads(head, bytes) { return route }
      let isMessage = head.kind == .message
      let new = Route(
        head, bytes, to: isMessage ? moduleID : nil, among: isMessage ? messages : subscriptions)
      route = new
      return new
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

  /// A `deliver` came. Its payload is looked at only if somebody here wants it.
  func receive(_ bytes: Span<UInt8>, _ payload: Span<UInt8>) throws(CBORError) {
    let head = try DeliverHead(bytes)
    let route = state.withLock { $0.route(head, bytes, at: moduleID) }
    guard let first = route.first else { return }
    let event = ForsettiEvent(
      try EventStorage(route.origin, timestamp: head.time, trace: head.trace, payload: payload))
    var dropped = 0
    if route.hasOthers {
      for subscription in route.others { dropped += subscription.deliver(event) }
    }
    dropped += first.deliver(event)
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

extension DeliverHead {
  /// Where type and source end, which stand first.
  fileprivate var originEnd: Int { source?.upperBound ?? type.upperBound }
}

extension Span<UInt8> {
  fileprivate func text(_ range: Range<Int>) -> String {
    extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
