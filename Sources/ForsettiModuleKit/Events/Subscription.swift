/// One handler, and the events that wait for it: it sees them one after the other, in the order they came.
final class Subscription: Sendable {
  typealias Handler = @MainActor @Sendable (ForsettiEvent) async -> Void

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

  private let pattern: [UInt8]
  private let isPrefix: Bool
  private let state = Guarded(State())

  /// `pattern`: an exact type, `prefix.*`, or `*`. Types compare without ASCII case, as they do in a policy.
  init(pattern: String, handler: @escaping Handler) {
    let folded = pattern.utf8.map(Self.folded)
    self.isPrefix = folded.last == UInt8(ascii: "*")
    self.pattern = isPrefix ? folded.dropLast() : folded
    // One task for the life of the subscription, not one for each event.
    Task { @MainActor in
      repeat {
        while let event = self.takeFirst() { await handler(event) }
      } while await self.hasMore()
    }
  }

  func matches(_ type: String) -> Bool {
    var type = type
    return type.withUTF8 { type in
      guard isPrefix ? type.count > pattern.count : type.count == pattern.count else { return false }
      return pattern.indices.allSatisfy { pattern[$0] == Self.folded(type[$0]) }
    }
  }

  private static func folded(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

  /// Queues an event; how many were dropped for it.
  func deliver(_ event: consuming ForsettiEvent) -> Int {
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
