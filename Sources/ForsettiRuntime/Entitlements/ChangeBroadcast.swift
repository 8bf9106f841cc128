import Synchronization

/// Tells any number of subscribers that something changed, each through a stream of its own.
final class ChangeBroadcast: Sendable {
  private struct State {
    var continuations: [UInt64: AsyncStream<Void>.Continuation] = [:]
    var next: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Streams that somebody still reads.
  var subscribers: Int { state.withLock { $0.continuations.count } }

  /// A new stream; it ends with its task, or with this.
  func stream() -> AsyncStream<Void> {
    // Unbounded, as an element lost might be the one that locks a module. Sources are slow: people and files.
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .unbounded)
    let key = state.withLock { state in
      state.next += 1
      state.continuations[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.continuations.removeValue(forKey: key) }
    }
    return stream
  }

  /// Adds an element to every stream.
  func send() {
    // Outside the lock: a stream that has ended calls its termination handler, which takes the lock.
    for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield() }
  }

  deinit {
    for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.finish() }
  }
}
