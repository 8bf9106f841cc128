import Testing

@testable import ForsettiRuntime

@Suite("Work is serialised by key")
@ReactorActor
struct KeyedLockTests {
  /// Lets a test hold a piece of work open and see what began meanwhile.
  @ReactorActor final class Stage {
    var begun: [String] = []
    private var gates: [String: Gate] = [:]
    private var watchers: [(count: Int, resume: CheckedContinuation<Void, Never>)] = []

    func play(_ name: String) async {
      begun.append(name)
      watchers.removeAll { watcher in
        guard begun.count >= watcher.count else { return false }
        watcher.resume.resume()
        return true
      }
      await gate(name).wait()
    }

    func end(_ name: String) { gate(name).open() }

    private func gate(_ name: String) -> Gate {
      let gate = gates[name] ?? Gate()
      gates[name] = gate
      return gate
    }

    func waitForBegun(_ count: Int) async {
      // On the way into the closure other work may run, and begin.
      await withCheckedContinuation { begun.count >= count ? $0.resume() : watchers.append((count, $0)) }
    }
  }

  private func start(_ name: String, _ keys: Set<String>, _ lock: KeyedLock, _ stage: Stage) -> Task<
    Void, Never
  > {
    Task { @ReactorActor in await lock.withLock(keys) { () async in await stage.play(name) } }
  }

  @Test("different keys run together, the same key one after the other in the order of asking")
  func order() async {
    let (lock, stage) = (KeyedLock(), Stage())
    let first = start("a1", ["a"], lock, stage)
    await stage.waitForBegun(1)
    let second = start("a2", ["a"], lock, stage)
    let third = start("a3", ["a"], lock, stage)
    let other = start("b", ["b"], lock, stage)
    await stage.waitForBegun(2)
    #expect(stage.begun == ["a1", "b"])
    stage.end("a1")
    await stage.waitForBegun(3)
    stage.end("a2")
    await stage.waitForBegun(4)
    #expect(stage.begun == ["a1", "b", "a2", "a3"])
    stage.end("a3")
    stage.end("b")
    for task in [first, second, third, other] { await task.value }
  }

  @Test("whoever wants two keys is not starved by newcomers for one of them")
  func noStarvation() async {
    let (lock, stage) = (KeyedLock(), Stage())
    let holder = start("a", ["a"], lock, stage)
    await stage.waitForBegun(1)
    let both = start("ab", ["a", "b"], lock, stage)
    // Asked later than "ab" and shares its key: it waits although nobody holds "b".
    let newcomer = start("b", ["b"], lock, stage)
    let stranger = start("c", ["c"], lock, stage)
    await stage.waitForBegun(2)
    #expect(stage.begun == ["a", "c"])
    stage.end("a")
    await stage.waitForBegun(3)
    #expect(stage.begun.last == "ab")
    stage.end("ab")
    await stage.waitForBegun(4)
    #expect(stage.begun.last == "b")
    stage.end("b")
    stage.end("c")
    for task in [holder, both, newcomer, stranger] { await task.value }
  }

  @Test("a piece that throws frees its keys")
  func throwing() async throws {
    struct Failure: Error {}
    let lock = KeyedLock()
    await #expect(throws: Failure.self) {
      try await lock.withLock(["a"]) { () async throws(Failure) in throw Failure() }
    }
    await lock.withLock(["a"]) { () async in }
  }

  @ReactorActor final class Counter {
    private var inside = 0
    private(set) var done = 0

    func pass(_ lock: KeyedLock, _ keys: Set<String>) async {
      await lock.withLock(keys) { () async in
        inside += 1
        #expect(inside == 1)
        await Task.yield()
        inside -= 1
        done += 1
      }
    }
  }

  @Test("no waiter is forgotten, whoever asks from whatever executor, however often")
  func noLostWakeUp() async {
    let (lock, counter) = (KeyedLock(), Counter())
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<2_000 {
        group.addTask { await counter.pass(lock, index % 3 == 0 ? ["a", "b"] : ["a"]) }
      }
    }
    #expect(counter.done == 2_000)
  }
}
