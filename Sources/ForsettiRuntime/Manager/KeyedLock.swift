/// Serialises work by key: two pieces that share a key run one after the other, in the order they asked.
/// The manager takes a module's ID, and one more key for the exclusive UI, so that a module that hangs in
/// its start holds up its own operations only.
@ReactorActor
final class KeyedLock {
  private struct Waiter {
    let id: Int
    let keys: Set<String>
    let resume: CheckedContinuation<Void, Never>
  }

  private var held: Set<String> = []
  private var waiters: [Waiter] = []
  private var nextID = 0

  init() {}

  /// Runs `body` while no other piece of work holds any of `keys`.
  func withLock<T, E: Error>(
    _ keys: Set<String>, _ body: @ReactorActor () async throws(E) -> T
  ) async throws(E) -> T {
    await acquire(keys)
    defer { release(keys) }
    return try await body()
  }

  private func acquire(_ keys: Set<String>) async {
    // Decided and queued in one step, inside the closure: the way into it may let other jobs of the reactor run, and
    // a release between a decision and its queueing would wake nobody, ever.
    await withCheckedContinuation { continuation in
      // Behind an earlier waiter for the same key, or newcomers could starve it.
      let mustWait = !held.isDisjoint(with: keys) || waiters.contains { !$0.keys.isDisjoint(with: keys) }
      guard mustWait else {
        held.formUnion(keys)
        return continuation.resume()
      }
      nextID += 1
      waiters.append(Waiter(id: nextID, keys: keys, resume: continuation))
    }
  }

  private func release(_ keys: Set<String>) {
    held.subtract(keys)
    var wanted: Set<String> = []
    var woken: [Waiter] = []
    for waiter in waiters {
      if held.isDisjoint(with: waiter.keys), wanted.isDisjoint(with: waiter.keys) {
        held.formUnion(waiter.keys)
        woken.append(waiter)
      } else {
        wanted.formUnion(waiter.keys)
      }
    }
    guard !woken.isEmpty else { return }
    let ids = Set(woken.map(\.id))
    waiters.removeAll { ids.contains($0.id) }
    for waiter in woken { waiter.resume.resume() }
  }
}
