import Testing

@testable import ForsettiModules

@Suite("Taking turns") struct FairQueueTests {
  @Test("callers take turns, however many wait for one of them") func turns() {
    var queue = FairQueue<Int>()
    for ticket in 1...4 { queue.append(ticket, of: "a") }
    queue.append(5, of: "b")
    queue.append(6, of: "c")
    queue.append(7, of: "b")
    #expect(queue.count(of: "a") == 4)
    var order: [Int] = []
    while let next = queue.popFirst() { order.append(next) }
    #expect(order == [1, 5, 6, 2, 7, 3, 4])
    #expect(queue.count(of: "a") == 0)
  }

  @Test("whoever leaves is passed over, and a caller with nobody left loses its turn")
  func leaving() {
    var queue = FairQueue<Int>()
    for (ticket, caller) in [(1, "a"), (2, "b"), (3, "a"), (4, "c")] {
      queue.append(ticket, of: caller)
    }
    let removed = [queue.remove(2, of: "b"), queue.remove(2, of: "b"), queue.remove(1, of: "c")]
    #expect(removed == [true, false, false])
    var order = [queue.popFirst(), queue.popFirst()]
    queue.append(5, of: "b")
    order += [queue.popFirst(), queue.popFirst(), queue.popFirst()]
    #expect(order == [1, 4, 3, 5, nil])
  }
}

@MainActor @Suite("So many at once") struct RequestGateTests {
  /// Work that ends when it is told to.
  @MainActor private final class Work {
    private(set) var running: [String] = []
    private var ends: [String: CheckedContinuation<Void, Never>] = [:]
    private var finished: Set<String> = []
    private(set) var peak = 0
    private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func run(_ name: String) async {
      running.append(name)
      peak = max(peak, ends.count + 1)
      for waiter in waiters where waiter.count <= running.count { waiter.continuation.resume() }
      waiters.removeAll { $0.count <= running.count }
      // On the way into the closure other work may run, and finish it.
      await withCheckedContinuation { if finished.contains(name) { $0.resume() } else { ends[name] = $0 } }
    }

    func finish(_ name: String) {
      finished.insert(name)
      ends.removeValue(forKey: name)?.resume()
    }

    /// Returns once so many have begun.
    func begun(_ count: Int) async {
      await withCheckedContinuation { running.count >= count ? $0.resume() : waiters.append((count, $0)) }
    }
  }

  private func start(
    _ name: String, of caller: String, _ gate: RequestGate, _ work: Work
  ) -> Task<JamfFailure?, Never> {
    Task.immediate {
      do throws(JamfFailure) {
        try await gate.pass(for: caller) { () async throws(JamfFailure) in await work.run(name) }
        return nil
      } catch { return error }
    }
  }

  @Test("five run, the sixth waits, and a module that asks little comes before one that asks much")
  func five() async {
    let (gate, work) = (RequestGate(capacity: 5, waitingLimit: 64), Work())
    var tasks = (1...7).map { start("a\($0)", of: "a", gate, work) }
    tasks.append(start("b1", of: "b", gate, work))
    #expect(work.running == ["a1", "a2", "a3", "a4", "a5"])
    work.finish("a3")
    await work.begun(6)
    work.finish("a1")
    await work.begun(7)
    #expect(work.running.suffix(2) == ["a6", "b1"])
    for name in ["a2", "a4", "a5", "a6", "b1"] { work.finish(name) }
    await work.begun(8)
    work.finish("a7")
    for task in tasks { #expect(await task.value == nil) }
    #expect(work.peak == 5)
  }

  @Test("a wait that is cancelled ends, and its place is nobody's loss") func cancelled() async {
    let (gate, work) = (RequestGate(capacity: 1, waitingLimit: 64), Work())
    let first = start("a1", of: "a", gate, work)
    let second = start("a2", of: "a", gate, work)
    let third = start("a3", of: "a", gate, work)
    second.cancel()
    #expect(await second.value == .cancelled)
    work.finish("a1")
    await work.begun(2)
    #expect(work.running == ["a1", "a3"])
    work.finish("a3")
    #expect(await first.value == nil)
    #expect(await third.value == nil)
    let fourth = start("a4", of: "a", gate, work)
    await work.begun(3)
    work.finish("a4")
    #expect(await fourth.value == nil)
  }

  @Test("a body that throws gives its place back") func throwing() async {
    let (gate, work) = (RequestGate(capacity: 1, waitingLimit: 64), Work())
    await #expect(throws: JamfFailure.tooLarge) {
      try await gate.pass(for: "a") { () async throws(JamfFailure) in throw .tooLarge }
    }
    let task = start("a1", of: "a", gate, work)
    await work.begun(1)
    work.finish("a1")
    #expect(await task.value == nil)
  }

  @Test("one module can't fill the queue") func limit() async {
    let (gate, work) = (RequestGate(capacity: 1, waitingLimit: 2), Work())
    let tasks = (1...3).map { start("a\($0)", of: "a", gate, work) }
    let refused = await start("a4", of: "a", gate, work).value
    guard case .unavailable = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
    let other = start("b1", of: "b", gate, work)
    for (number, name) in ["a1", "a2", "b1", "a3"].enumerated() {
      await work.begun(number + 1)
      work.finish(name)
    }
    for task in tasks + [other] { #expect(await task.value == nil) }
  }
}
