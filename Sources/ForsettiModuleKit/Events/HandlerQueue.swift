/// The events that wait for a handler which may itself wait: it sees them one after the other, in the order they came.
final class HandlerQueue: Sendable {
  /// Events and bytes of payload that wait for one handler; then the oldest are dropped.
  static let maximumEvents = 4096
  static let maximumBytes = 4 << 20

  private struct State {
    var waiting = Ring<ForsettiEvent>()
    var bytes = 0
    var isEnded = false
    var consumer: UnsafeContinuation<Void, Never>?

    /// Puts an event last; how many gave way to it.
    mutating func add(_ event: consuming ForsettiEvent) -> Int {
      bytes &+= event.storage.byteCount
      waiting.append(event)
      var dropped = 0
      while waiting.count > maximumEvents || bytes > maximumBytes && waiting.count > 1 {
        _ = takeFirst()
        dropped &+= 1
      }
      return dropped
    }

    /// Takes the event that came first.
    mutating func takeFirst() -> ForsettiEvent? {
      let first = waiting.popFirst()
      if let count = first?.storage.byteCount { bytes &-= count }
      return first
    }
  }

  private let state = Guarded(State())

  init(_ handler: @escaping ForsettiContext.EventHandler) {
    // One task for the life of the subscription, not one for each event.
    Task { @MainActor in
      repeat {
        while let event = self.takeFirst() { await handler(event) }
      } while await self.hasMore()
    }
  }

  /// Queues an event; how many were dropped for it.
  func add(_ event: consuming ForsettiEvent) -> Int {
    // Moved all the way: each copy would count its references once more.
    let (consumer, dropped) = state.withLock(moving: event) { state, event in
      guard !state.isEnded else { return (nil as UnsafeContinuation<Void, Never>?, 0) }
      return (state.consumer.take(), state.add(event))
    }
    consumer?.resume()
    return dropped
  }

  /// Ends it: what waits is not handled any more.
  func end() {
    let consumer = state.withLock { state in
      state.isEnded = true
      state.waiting = Ring()
      state.bytes = 0
      return state.consumer.take()
    }
    consumer?.resume()
  }

  /// The event that came first; `nil` where none waits, or none is handled any more.
  private func takeFirst() -> ForsettiEvent? { state.withLock { $0.isEnded ? nil : $0.takeFirst() } }

  /// Suspends until an event waits; false once the subscription has ended.
  private nonisolated(nonsending) func hasMore() async -> Bool {
    await withUnsafeContinuation { continuation in
      let isReady = state.withLock { state in
        if state.isEnded || !state.waiting.isEmpty { return true }
        state.consumer = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
    return state.withLock { !$0.isEnded }
  }
}
