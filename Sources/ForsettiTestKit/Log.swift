public import ForsettiRuntime

/// Recorded events: a test adds from callbacks and awaits them, instead of sleeping. A wait ends with the test's own time,
/// and is an issue then that says what came last.
@ReactorActor public final class Log<Item: Sendable> {
  /// All that was added, in order.
  public private(set) var items: [Item] = []
  private var waiters: [Int: (isMet: ([Item]) -> Bool, resume: CheckedContinuation<Bool, Never>)] = [:]
  private var last = 0

  /// Makes an empty log.
  public nonisolated init() {}

  /// Adds an event and wakes those whose wish it fulfils.
  public func add(_ item: Item) {
    items.append(item)
    let met = waiters.filter { $0.value.isMet(items) }
    for (number, waiter) in met {
      waiters[number] = nil
      waiter.resume.resume(returning: true)
    }
  }

  /// Returns when at least `count` events are there.
  public func wait(count: Int, fileID: String = #fileID, line: Int = #line) async {
    await wait(fileID: fileID, line: line) { $0.count >= count }
  }

  /// Returns when `isMet` holds of the events so far.
  public func wait(
    fileID: String = #fileID, line: Int = #line, until isMet: @escaping ([Item]) -> Bool
  ) async {
    if isMet(items) { return }
    last += 1
    let number = last
    let hasCome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Whoever is cancelled before this line finds nobody to wake.
        if Task.isCancelled { return continuation.resume(returning: false) }
        waiters[number] = (isMet, continuation)
      }
    } onCancel: {
      Task(executorPreference: Reactor.shared) { await self.giveUp(number) }
    }
    guard !hasCome else { return }
    WaitingPlace(fileID, line).waitedInVain(
      for: "an event", seen: items.suffix(20).map { "\($0)" }.joined(separator: "\n"))
  }

  private func giveUp(_ number: Int) { waiters.removeValue(forKey: number)?.resume.resume(returning: false) }
}
