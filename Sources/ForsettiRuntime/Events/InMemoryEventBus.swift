/// The event bus of the supervisor itself: handlers in this process, called on the reactor (seed "Event Bus").
///
/// Handlers are called in the order in which they subscribed, and see events in the order in which they were
/// published: what a handler publishes is delivered after the event it is handling.
@ReactorActor public final class InMemoryEventBus {
  /// Called with each event that a subscription matches.
  public typealias Handler = @ReactorActor (ForsettiEvent) -> Void

  private var subscriptions = Subscriptions()
  private var waiting: [ForsettiEvent] = []
  private var isDelivering = false

  /// Makes a bus without subscriptions.
  public nonisolated init() {}

  /// Calls `handler` for each event of a type; of all types below a prefix if it ends with `.*`; of all if it is `*`.
  ///
  /// - Returns: the way to end it. Dropping the token does not.
  public func subscribe(to pattern: String, _ handler: @escaping Handler) -> SubscriptionToken {
    let token = SubscriptionToken(pattern: pattern, bus: self, handler: handler)
    subscriptions.add(token)
    return token
  }

  /// Whether anybody asked for this type, so that an event nobody hears need not be made.
  func hasSubscribers(of type: String) -> Bool { subscriptions.matches(type) }

  /// Hands an event to everybody who asked for its type, before it returns; from within a handler, after it.
  public func publish(_ event: ForsettiEvent) {
    waiting.append(event)
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    var next = 0
    while next < waiting.count {
      let event = waiting[next]
      next += 1
      // A subscription cancelled by an earlier handler has lost its own.
      for token in subscriptions.matching(event.type) { token.handler?(event) }
    }
    waiting.removeAll(keepingCapacity: true)
  }

  fileprivate func remove(_ token: SubscriptionToken) { subscriptions.remove(token) }

  /// Subscriptions by pattern, so that an event costs as many look-ups as its type has dots.
  @ReactorActor private struct Subscriptions {
    private var byPattern: [String: [SubscriptionToken]] = [:]
    private var counter: UInt64 = 0

    nonisolated init() {}

    mutating func add(_ token: SubscriptionToken) {
      counter += 1
      token.order = counter
      byPattern[token.pattern, default: []].append(token)
    }

    mutating func remove(_ token: SubscriptionToken) {
      byPattern[token.pattern]?.removeAll { $0 === token }
      if byPattern[token.pattern]?.isEmpty == true { byPattern[token.pattern] = nil }
    }

    func matches(_ type: String) -> Bool {
      !byPattern.isEmpty && !matching(type).isEmpty
    }

    func matching(_ type: String) -> [SubscriptionToken] {
      var found = byPattern[type] ?? []
      var isMixed = false
      func add(_ pattern: String) {
        guard pattern != type, let more = byPattern[pattern] else { return }
        isMixed = isMixed || !found.isEmpty
        found += more
      }
      add("*")
      for dot in type.utf8.indices where type.utf8[dot] == UInt8(ascii: ".") { add(type[...dot] + "*") }
      if isMixed { found.sort { $0.order < $1.order } }
      return found
    }
  }
}

/// One subscription to the bus.
@ReactorActor public final class SubscriptionToken {
  /// What it was made for.
  public let pattern: String
  fileprivate var order: UInt64 = 0
  fileprivate var handler: InMemoryEventBus.Handler?
  private weak var bus: InMemoryEventBus?

  fileprivate init(pattern: String, bus: InMemoryEventBus, handler: @escaping InMemoryEventBus.Handler) {
    self.pattern = pattern
    self.bus = bus
    self.handler = handler
  }

  /// Ends the subscription: the handler is not called again, not even for an event under way. Once is enough.
  public func cancel() {
    guard handler != nil else { return }
    handler = nil
    bus?.remove(self)
  }
}
