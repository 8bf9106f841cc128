internal import Synchronization

/// Events of a pattern, and the handler that wants them.
final class Subscription: Sendable {
  /// How the handler gets its events.
  enum Handler: Sendable {
    /// Called where the event is read: it has nothing to wait for, so nothing waits for it.
    case atOnce(ForsettiContext.ImmediateEventHandler)
    /// May wait, so the events behind it wait too.
    case queued(HandlerQueue)
  }

  private let pattern: [UInt8]
  private let isPrefix: Bool
  private let handler: Handler
  private let isEnded = Atomic(false)

  /// `pattern`: an exact type, `prefix.*`, or `*`. Types compare without ASCII case, as they do in a policy.
  init(pattern: String, _ handler: Handler) {
    let folded = pattern.utf8.map(Self.folded)
    self.isPrefix = folded.last == UInt8(ascii: "*")
    self.pattern = isPrefix ? folded.dropLast() : folded
    self.handler = handler
  }

  func matches(_ type: String) -> Bool {
    var type = type
    return type.withUTF8 { type in
      guard isPrefix ? type.count > pattern.count : type.count == pattern.count else { return false }
      return pattern.indices.allSatisfy { pattern[$0] == Self.folded(type[$0]) }
    }
  }

  private static func folded(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

  /// Hands over an event; how many were dropped for it.
  @MainActor func deliver(_ event: consuming ForsettiEvent) -> Int {
    switch handler {
    case .atOnce(let handle):
      if !isEnded.load(ordering: .relaxed) { handle(event) }
      return 0
    case .queued(let queue): return queue.add(event)
    }
  }

  /// Ends it: no event is handled any more.
  func end() {
    isEnded.store(true, ordering: .relaxed)
    if case .queued(let queue) = handler { queue.end() }
  }
}
