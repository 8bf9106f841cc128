import ForsettiCore
import ForsettiIPC

/// Carries events from a module to those who subscribe. An event is encoded once, whatever the number of subscribers,
/// and its payload is never rebuilt. Where types repeat, as they do, nothing is allocated for an event, and those that
/// follow each other reach a subscriber's queue in one piece.
@ReactorActor final class EventRouter {
  var index = SubscriptionIndex<ModuleSession>()
  private let bus: InMemoryEventBus
  private let wallClock: @Sendable () -> Int64
  /// Bytes that are gathered at most, a last frame not counted: what a subscriber can work on while the next come.
  private static let batchBytes = 16_384
  /// Holds frames until they are copied to the queues of those who get them.
  private var encoded = OutboundQueue()
  /// Where all that is gathered goes; `nil` while nothing is.
  private var gathered: EventRoute?

  init(bus: InMemoryEventBus, wallClock: @escaping @Sendable () -> Int64) {
    self.bus = bus
    self.wallClock = wallClock
  }

  /// Carries an event of a module; its payload is valid.
  /// - Parameter type: the bytes of the type, in the frame's head.
  func publish(
    _ type: Span<UInt8>, _ trace: TraceContext?, payload: Span<UInt8>, from session: ModuleSession
  ) {
    let route = session.routes[type, index.generation] ?? makeRoute(type, from: session)
    guard route.isAllowed else {
      session.refusals.note(
        .publish, "may not publish \(route.head.type.quoted()); the policy does not let it")
      return
    }
    carry(route, trace, payload)
  }

  /// Carries an event of the runtime itself, or of a module on whose behalf the host speaks.
  func publish(_ type: String, payload: [String: String], source: String?) {
    deliverGathered()
    let subscribers = index.subscribers(of: type)
    let time = wallClock()
    let head = EventHead(type: type, delivery: EventHead.Delivery(source: source, time: time))
    // What the host itself says fits a frame, or is of no use to anybody.
    if !subscribers.isEmpty, (try? encoded.appendEvent(.deliver, head, entries: payload)) != nil {
      deliver(to: subscribers)
    }
    bus.publish(ForsettiEvent(type: type, payload: payload, sourceModuleID: source, timestamp: time))
  }

  /// Carries a message to one module; false when its mailbox is full.
  func send(
    _ type: String, _ trace: TraceContext?, payload: Span<UInt8>, from source: String,
    to session: ModuleSession
  ) -> Bool {
    deliverGathered()
    let delivery = EventHead.Delivery(source: source, time: wallClock(), kind: .message)
    let head = EventHead(type: type, trace: trace, delivery: delivery)
    guard (try? encoded.appendEvent(.deliver, head, payload: payload)) != nil else { return false }
    defer { encoded.removeAll() }
    return withEncodedFrame { session.deliver(message: $0) }
  }

  private func carry(_ route: EventRoute, _ trace: TraceContext?, _ payload: Span<UInt8>) {
    let time = wallClock()
    if !route.subscribers.isEmpty {
      route.head.trace = trace
      route.head.delivery?.time = time
      if gathered !== route || encoded.pendingBytes > Self.batchBytes { deliverGathered() }
      // Head and payload are within their limits, as they came in a frame.
      guard (try? encoded.appendEvent(.deliver, route.head, payload: payload)) != nil else { return }
      gathered = route
    }
    guard bus.hasSubscribers(of: route.head.type), let payload = try? EventPayload.decode(payload) else {
      return
    }
    // The host may tell the subscribers more when it hears of it.
    deliverGathered()
    bus.publish(
      ForsettiEvent(
        type: route.head.type, payload: payload, sourceModuleID: route.head.delivery?.source, timestamp: time)
    )
  }

  /// Hands over what was gathered; to be called before anything else may reach a subscriber, and when there is nothing
  /// left to gather.
  func deliverGathered() {
    guard let route = gathered else { return }
    gathered = nil
    deliver(to: route.subscribers)
  }

  private func deliver(to subscribers: [ModuleSession]) {
    for subscriber in subscribers { subscriber.deliver(events: encoded) }
    encoded.removeAll()
  }

  private func withEncodedFrame<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    encoded.withPendingBytes { bytes in body(bytes.bindMemory(to: UInt8.self).span) }
  }

  private func makeRoute(_ type: Span<UInt8>, from session: ModuleSession) -> EventRoute {
    let text = type.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    let isAllowed = Self.isWellFormed(text) && session.eventRules.mayPublish(text)
    let route = EventRoute(
      type: type, generation: index.generation, isAllowed: isAllowed,
      head: EventHead(type: text, delivery: EventHead.Delivery(source: session.moduleID, time: 0)),
      subscribers: isAllowed ? index.subscribers(of: text) : [])
    session.routes.add(route, for: type)
    return route
  }

  /// A type is what a policy's pattern can name, and no pattern itself.
  static func isWellFormed(_ type: String) -> Bool {
    !type.utf8.contains(UInt8(ascii: "*")) && (try? EventPattern(type)) != nil && !type.hasPrefix("{")
  }
}

/// Where a module's events of one type go, worked out once until somebody subscribes or leaves.
@ReactorActor final class EventRoute {
  fileprivate let type: [UInt8]
  fileprivate let generation: UInt64
  let isAllowed: Bool
  var head: EventHead
  let subscribers: [ModuleSession]

  init(
    type: Span<UInt8>, generation: UInt64, isAllowed: Bool, head: EventHead, subscribers: [ModuleSession]
  ) {
    self.type = type.withUnsafeBufferPointer { Array($0) }
    self.generation = generation
    self.isAllowed = isAllowed
    self.head = head
    self.subscribers = subscribers
  }

  /// Whether events of this type go here, as long as nobody has subscribed or left.
  fileprivate func leads(_ type: Span<UInt8>, _ generation: UInt64) -> Bool {
    let known = self.type
    return self.generation == generation && known.span.bytes.isEqual(to: type.bytes)
  }
}

/// The routes of one publisher by the bytes of the type, so that a known type needs no string.
@ReactorActor struct EventRouteCache {
  private static let limit = 256
  private var routes: [UInt64: EventRoute] = [:]
  /// The one that was asked for last, which mostly is the next one too.
  private var last: EventRoute?

  nonisolated init() {}

  /// The route of a type, if it is still right.
  subscript(type: Span<UInt8>, generation: UInt64) -> EventRoute? {
    mutating get {
      if let last, last.leads(type, generation) { return last }
      guard let route = routes[Self.hash(type)], route.leads(type, generation) else { return nil }
      last = route
      return route
    }
  }

  mutating func add(_ route: EventRoute, for type: Span<UInt8>) {
    // A publisher of ever new types gets no more memory for it.
    if routes.count >= Self.limit { routes.removeAll(keepingCapacity: true) }
    routes[Self.hash(type)] = route
  }

  mutating func removeAll() {
    routes = [:]
    last = nil
  }

  /// FNV-1a. A module that makes types collide slows itself alone: the cache is its own.
  private static func hash(_ bytes: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in 0..<bytes.count { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3 }
    return hash
  }
}
