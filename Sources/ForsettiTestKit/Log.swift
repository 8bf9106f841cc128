public import ForsettiRuntime

/// Recorded events: a test adds from callbacks and awaits them, instead of sleeping.
@ReactorActor public final class Log<Item: Sendable> {
  /// All that was added, in order.
  public private(set) var items: [Item] = []
  private var waiters: [(isMet: ([Item]) -> Bool, resume: CheckedContinuation<Void, Never>)] = []

  /// Makes an empty log.
  public nonisolated init() {}

  /// Adds an event and wakes those whose wish it fulfils.
  public func add(_ item: Item) {
    items.append(item)
    let met = waiters.filter { $0.isMet(items) }
    waiters.removeAll { $0.isMet(items) }
    for waiter in met { waiter.resume.resume() }
  }

  /// Returns when at least `count` events are there.
  public func wait(count: Int) async { await wait { $0.count >= count } }

  /// Returns when `isMet` holds of the events so far.
  public func wait(until isMet: @escaping ([Item]) -> Bool) async {
    if isMet(items) { return }
    await withCheckedContinuation { waiters.append((isMet, $0)) }
  }
}
