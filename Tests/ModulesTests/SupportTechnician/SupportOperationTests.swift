import ForsettiModuleKit
import Synchronization
import Testing

@testable import ForsettiModules

@Suite struct SupportOperationTests {
  private typealias State = SupportOperation.State
  private typealias Event = SupportOperation.Event

  private static func operation(_ state: SupportOperation.State = .sending, waits: Int = 0)
    -> SupportOperation
  {
    SupportOperation(
      id: "000000000000001-abc", order: .action(.restartDevice), device: SupportDeviceID(.computer, "12"),
      deviceName: "MAC-12", hasTicket: true, begun: 1, state: state, waits: waits)
  }

  private static let steps: [(SupportOperation.State, SupportOperation.Event, SupportOperation.State)] = [
    (.sending, .accepted(uuid: "u"), .following(uuid: "u")), (.sending, .accepted(uuid: nil), .accepted),
    (.sending, .answered, .done), (.sending, .refused("no"), .failed("no")),
    (.sending, .uncertain("cut"), .uncertain("cut")),
    (.sending, .interrupted, .uncertain("The module ended while the order was being sent.")),
    (.sending, .reported(.completed, reason: nil), .sending), (.sending, .waited, .sending),
    (.following(uuid: "u"), .reported(.completed, reason: nil), .done),
    (.following(uuid: "u"), .reported(.failed, reason: "locked"), .failed("locked")),
    (
      .following(uuid: "u"), .reported(.failed, reason: nil),
      .failed("The device said that it could not do it.")
    ),
    (.following(uuid: "u"), .reported(.pending, reason: nil), .following(uuid: "u")),
    (.following(uuid: "u"), .reported(.notNow, reason: nil), .following(uuid: "u")),
    (.following(uuid: "u"), .reported(.other, reason: nil), .following(uuid: "u")),
    (.following(uuid: "u"), .waited, .following(uuid: "u")),
    (.following(uuid: "u"), .interrupted, .following(uuid: "u")),
    (.following(uuid: "u"), .accepted(uuid: "v"), .following(uuid: "u")),
    (.done, .reported(.failed, reason: nil), .done), (.timedOut, .waited, .timedOut),
    (.uncertain("cut"), .accepted(uuid: "u"), .uncertain("cut")), (.accepted, .interrupted, .accepted),
  ]

  @Test("an order goes from state to state, and what does not fit changes nothing", arguments: steps)
  func moves(from: SupportOperation.State, event: SupportOperation.Event, to: SupportOperation.State) {
    var operation = Self.operation(from)
    operation.take(event)
    #expect(operation.state == to)
  }

  @Test("a device that never answers is waited for so long, and no longer") func patience() {
    var operation = Self.operation(.following(uuid: "u"))
    for _ in 1..<SupportOperation.waitLimit { operation.take(.waited) }
    #expect(operation.isPending)
    operation.take(.waited)
    #expect(operation.state == .timedOut)
    #expect(!operation.isPending)
  }

  private static let states: [SupportOperation.State] = [
    .sending, .following(uuid: "u-1"), .accepted, .done, .failed("it is \"locked\""), .timedOut,
    .uncertain("cut"),
  ]

  @Test("what is kept is read back as it was", arguments: states) func kept(state: SupportOperation.State)
    throws
  {
    let operation = Self.operation(state, waits: 7)
    #expect(try SupportOperation(id: operation.id, text: operation.text) == operation)
  }

  private static let spoiled = [
    ("\"state\":\"done\"", "\"state\":\"perhaps\""), ("computer/12", "printer/12"),
    ("\"waits\":7", "\"waits\":99"),
    ("restartDevice", "dance"), ("\"begun\":1", "\"begun\":-1"), ("\"hasTicket\":true", "\"hasTicket\":1"),
    ("{", "["),
  ]

  @Test("what was spoiled is refused", arguments: spoiled) func spoiledText(from: String, to: String) {
    let text = Self.operation(.done, waits: 7).text
    #expect(text.contains(from))
    guard let range = text.firstRange(of: from) else { return }
    #expect(throws: JSONFault.self) {
      try SupportOperation(id: "x", text: text.replacingCharacters(in: range, with: to))
    }
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }
}

@MainActor @Suite struct OperationJournalTests {
  private func operation(_ number: Int, _ state: SupportOperation.State = .sending) -> SupportOperation {
    SupportOperation(
      id: "\(1_000 + number)", order: .action(.blankPush), device: SupportDeviceID(.computer, "\(number)"),
      deviceName: "MAC-\(number)", hasTicket: false, begun: Int64(number), state: state)
  }

  @Test("an order is kept before it is sent, and what a crash left unsaid is said") func crash() async throws
  {
    let store = MemoryStore()
    let journal = OperationJournal(storage: store)
    try await journal.begin(operation(1))
    try await journal.begin(operation(2))
    try await journal.take(.accepted(uuid: "u-2"), of: "1002")
    #expect(journal.pendingCount == 2)

    let after = OperationJournal(storage: store)
    #expect(try await after.load() == [])
    #expect(after.operations.map(\.id) == ["1002", "1001"])
    #expect(after.operations[0].followed == "u-2")
    #expect(after.operations[1].word == "uncertain")
    #expect(after.pendingCount == 1)
    let third = OperationJournal(storage: store)
    _ = try await third.load()
    #expect(third.operations == after.operations)
  }

  @Test("an order that can't be kept is none") func full() async {
    let store = MemoryStore()
    store.isFull.withLock { $0 = true }
    let journal = OperationJournal(storage: store)
    await #expect(throws: ServiceError.self) { try await journal.begin(operation(1)) }
    #expect(journal.operations.isEmpty)
  }

  @Test("the oldest orders are forgotten, those under way never") func bounds() async throws {
    let store = MemoryStore()
    let journal = OperationJournal(storage: store)
    for number in 1...(OperationJournal.limit + 5) {
      try await journal.begin(operation(number))
      if number != 1 { try await journal.take(.answered, of: "\(1_000 + number)") }
    }
    #expect(journal.operations.count == OperationJournal.limit + 5)
    try await journal.take(.answered, of: "1001")
    try await journal.begin(operation(200))
    #expect(journal.operations.count == OperationJournal.limit)
    #expect(store.count == OperationJournal.limit)
  }

  @Test("what can't be read in the journal is named, and the rest is there") func spoiled() async throws {
    let store = MemoryStore()
    let journal = OperationJournal(storage: store)
    try await journal.begin(operation(1))
    try await store.set("{", forKey: "operation/9", in: "forsetti-support-technician")
    let after = OperationJournal(storage: store)
    #expect(try await after.load() == ["operation/9"])
    #expect(after.operations.count == 1)
  }
}

/// Storage in memory, which can be full.
final class MemoryStore: StorageService {
  let isFull = Mutex(false)
  private let values = Mutex<[String: String]>([:])

  var count: Int { values.withLock { $0.count } }

  nonisolated(nonsending) func set(_ value: String, forKey key: String, in store: String?)
    async throws(ServiceError)
  {
    guard !isFull.withLock({ $0 }) else { throw .quotaExceeded("storage") }
    values.withLock { $0[key] = value }
  }

  nonisolated(nonsending) func value(forKey key: String, in store: String?) async throws(ServiceError)
    -> String?
  {
    values.withLock { $0[key] }
  }

  nonisolated(nonsending) func removeValue(forKey key: String, in store: String?) async throws(ServiceError) {
    values.withLock { _ = $0.removeValue(forKey: key) }
  }

  nonisolated(nonsending) func keys(prefix: String, after cursor: String?, in store: String?)
    async throws(ServiceError) -> [String]
  {
    values.withLock { $0.keys.filter { $0.hasPrefix(prefix) }.sorted() }
  }
}
