/// One handler, and the events that wait for it: it sees them one after the other, in the order they came.
final class Subscription: Sendable {
  typealias Handler = @MainActor @Sendable (ForsettiEvent) async -> Void

  /// Events and bytes of payload that wait for one handler; then the oldest are dropped.
  static let maximumEvents = 4096
  static let maximumBytes = 4 << 20

  private struct Waiting {
    var event: ForsettiEvent
    var bytes: Int
  }

  private struct State {
    var waiting = Ring<Waiting>()
    var bytes = 0
    var isEnded = false
    var consumer: UnsafeContinuation<Void, Never>?

    /// Takes the event that came first.
    mutating func takeFirst() -> ForsettiEvent? {
      guard let first = waiting.popFirst() else { return nil }
      bytes &-= first.bytes
      return first.event
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
  func deliver(_ event: consuming ForsettiEvent, bytes: Int) -> Int {
    let waiting = Waiting(event: event, bytes: bytes)
    let (consumer, dropped) = state.withLock { state in
      if state.isEnded { return (nil as UnsafeContinuation<Void, Never>?, 0) }
      state.waiting.append(waiting)
      state.bytes &+= bytes
      var dropped = 0
      while state.waiting.count > Self.maximumEvents
        || state.bytes > Self.maximumBytes && state.waiting.count > 1
      {
        _ = state.takeFirst()
        dropped &+= 1
      }
      return (state.consumer.take(), dropped)
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
