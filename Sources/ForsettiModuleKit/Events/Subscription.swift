/// One handler, and the events that wait for it: it sees them one after the other, in the order they came.
final class Subscription: Sendable {
  typealias Handler = @MainActor @Sendable (ForsettiEvent) async -> Void

  /// Events and bytes of payload that wait for one handler; then the oldest are dropped.
  static let maximumEvents = 4096
  static let maximumBytes = 4 << 20

  private struct State {
    var waiting: [(event: ForsettiEvent, bytes: Int)] = []
    /// Events before this index are handled.
    var next = 0
    var bytes = 0
    var isEnded = false
    var consumer: UnsafeContinuation<Void, Never>?
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
      while let event = await self.nextEvent() { await handler(event) }
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
  func deliver(_ event: ForsettiEvent, bytes: Int) -> Int {
    let (consumer, dropped) = state.withLock { state in
      if state.isEnded { return (nil as UnsafeContinuation<Void, Never>?, 0) }
      state.waiting.append((event, bytes))
      state.bytes &+= bytes
      var dropped = 0
      while state.waiting.count &- state.next > Self.maximumEvents
        || state.bytes > Self.maximumBytes && state.waiting.count &- state.next > 1
      {
        _ = Self.takeFirst(&state)
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
      state.waiting = []
      state.next = 0
      state.bytes = 0
      return state.consumer.take()
    }
    consumer?.resume()
  }

  private nonisolated(nonsending) func nextEvent() async -> ForsettiEvent? {
    while true {
      let (event, isEnded) = state.withLock { ($0.isEnded ? nil : Self.takeFirst(&$0), $0.isEnded) }
      if event != nil || isEnded { return event }
      await withUnsafeContinuation { continuation in
        let isReady = state.withLock { state in
          if state.isEnded || state.next < state.waiting.count { return true }
          state.consumer = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }

  private static func takeFirst(_ state: inout State) -> ForsettiEvent? {
    guard state.next < state.waiting.count else { return nil }
    let (event, bytes) = state.waiting[state.next]
    state.next &+= 1
    state.bytes &-= bytes
    if state.next == state.waiting.count {
      state.waiting.removeAll(keepingCapacity: state.next <= 64)
      state.next = 0
    } else if state.next >= 64, state.next &* 2 >= state.waiting.count {
      state.waiting.removeSubrange(..<state.next)
      state.next = 0
    }
    return event
  }
}
