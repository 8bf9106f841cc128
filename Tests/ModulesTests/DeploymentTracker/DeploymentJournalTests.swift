import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("The journal of the deployment tracker") struct DeploymentJournalTests {
  private static let entry = DeploymentChange(
    time: 1, action: .moveRefused, subject: "S", detail: String(repeating: "x", count: 4_000))

  @Test("begins a new page when one is full, and ends where a reset is due")
  func pages() throws {
    var journal = DeploymentJournal()
    var pages: [String: String] = [:]
    var count = 0
    #expect(throws: DeploymentRefusal.journalFull) {
      while true {
        let (next, entry) = try journal.adding(Self.entry)
        journal = next
        pages[entry.key] = entry.text
        count += 1
      }
    }
    #expect(pages.count == DeploymentJournal.pageLimit && count > 500)
    #expect(pages.values.allSatisfy { $0.utf8.count < 2 * DeploymentJournal.pageBytes })

    var again = DeploymentJournal()
    var changes: [DeploymentChange] = []
    for page in 1...pages.count {
      changes += try again.read(page: page, try #require(pages[again.key(of: page)]))
    }
    #expect(changes == Array(repeating: Self.entry, count: count))
    #expect(again == journal)
  }

  @Test(
    "counts its generations",
    arguments: [("1", 1), ("12", 12), ("0", nil), ("-1", nil), ("x", nil), ("99999999999999999999", nil)]
      as [(String, Int?)])
  func generations(head: String, generation: Int?) {
    #expect(DeploymentJournal.generation(of: head) == generation)
    #expect(DeploymentJournal.generation(ofKey: "page/\(head)/7") == generation)
    #expect(DeploymentJournal(generation: 2).owns("page/2/1"))
    #expect(!DeploymentJournal(generation: 2).owns("page/21/1"))
  }
}

@MainActor @Suite("The store of the deployment tracker") struct DeploymentStoreTests {
  private let storage = MemoryStorage()

  private func store() async throws -> DeploymentStore {
    let store = DeploymentStore(storage: storage, store: "s")
    try await store.load()
    return store
  }

  private func edit(_ value: String, _ store: DeploymentStore) async throws {
    _ = try await store.change { state throws(DeploymentRefusal) in
      try DeploymentRules.edit("DEMO-MAC-0001", .department, to: value, in: state, at: 1)
    }
  }

  @Test("keeps what it acknowledged, whenever its process ends")
  func kept() async throws {
    let first = try await store()
    #expect(first.state == DeploymentSeed.state())
    for number in 1...200 {
      try await edit("D\(number)", first)
      guard number.isMultiple(of: 20) else { continue }
      #expect(try await store().state == first.state)
    }
    let last = try await store()
    try await edit("after", last)
    #expect(try await store().state == last.state)
    #expect(storage.values.keys.filter { $0.hasPrefix("s/page/1/") }.count > 1)
  }

  @Test("keeps one change after the other, judging each by what the one before it left")
  func turns() async throws {
    let store = try await store()
    let tasks = (1...50).map { number in
      Task {
        try await store.change { state in
          DeploymentChange(time: 1, action: .edited, subject: "\(state.audit.count)", detail: "\(number)")
        }
      }
    }
    for task in tasks { _ = try await task.value }
    let added = store.state.audit.suffix(50)
    #expect(added.map(\.subject) == (0..<50).map { "\(DeploymentSeed.auditCount + $0)" })
    #expect(try await self.store().state == store.state)
  }

  @Test("changes nothing where it can't keep it, and goes on when it can")
  func failure() async throws {
    let store = try await store()
    storage.fail(with: .quotaExceeded("bytes"))
    await #expect(throws: DeploymentStore.Failure.self) { try await edit("lost", store) }
    #expect(store.state == DeploymentSeed.state())
    storage.fail(with: nil)
    try await edit("kept", store)
    #expect(try store.state.device("DEMO-MAC-0001").text(.department) == "kept")
    #expect(try await self.store().state == store.state)
  }

  @Test("goes back to the seed by one write, and sweeps the rest when it can")
  func reset() async throws {
    let first = try await store()
    try await edit("old", first)
    try await first.reset()
    #expect(first.state == DeploymentSeed.state())
    #expect(storage.values == ["s/head": "2"])
    try await edit("new", first)
    // What a kill between the two writes leaves.
    try await storage.set("[]", forKey: "page/1/1", in: "s")
    let next = try await store()
    #expect(next.state == first.state)
    #expect(Set(storage.values.keys) == ["s/head", "s/page/2/1"])
  }

  @Test("writes over nothing that it can't read, until somebody resets it", arguments: ["page", "head"])
  func unreadable(place: String) async throws {
    let first = try await store()
    try await edit("old", first)
    try await storage.set("nonsense", forKey: place == "page" ? "page/1/1" : "head", in: "s")
    let before = storage.values
    let next = try await store()
    #expect(next.fault != nil)
    await #expect(throws: DeploymentStore.Failure.self) { try await edit("new", next) }
    #expect(storage.values == before)
    try await next.reset()
    try await edit("new", next)
    let last = try await store()
    #expect(last.fault == nil)
    #expect(last.state == next.state)
    #expect(last.state.audit.count == DeploymentSeed.auditCount + 1)
  }
}
