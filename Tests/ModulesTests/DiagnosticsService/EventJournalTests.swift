import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@MainActor @Suite struct EventJournalTests {
  private let storage = MemoryStorage()
  private final class Said { var failures: [ServiceError] = [] }

  private func report(_ message: Int64) -> DiagnosticReport {
    DiagnosticReport(source: "a", category: "c", severity: .info, message: "\(message)", time: message)
  }

  /// A module that has just been started.
  private func start(_ said: Said = Said()) async throws -> (EventJournal, EventLog) {
    let journal = EventJournal(storage) { said.failures.append($0) }
    let log = try await journal.load()
    return (journal, log)
  }

  private func fill(_ journal: EventJournal, _ log: inout EventLog, _ count: Int) async {
    for _ in 0..<count { await journal.append(log.add(report(log.next))) }
  }

  @Test("what was kept is there after a restart, and numbers go on") func restart() async throws {
    for round in 0..<3 {
      var (journal, log) = try await start()
      #expect(log.events.count == round * 70)
      await fill(journal, &log, 70)
    }
    let (_, log) = try await start()
    #expect(log.events.map(\.report.message) == (1...210).map { "\($0)" })
    #expect(log.next == 211)
    #expect(storage.values.keys.count { $0.contains("events.") } == 3)
  }

  @Test("older events than memory holds are read from the storage, newest first") func older() async throws {
    var (journal, log) = try await start()
    await fill(journal, &log, EventLog.limit + 250)
    let (again, resumed) = try await start()
    #expect(resumed.events.count == EventLog.limit)
    var numbers: [Int64] = []
    try await again.older(than: resumed.events[0].number) {
      numbers.append($0.number)
      return numbers.count < 251
    }
    #expect(numbers == (1...250).reversed())
    numbers = []
    try await again.older(than: 200) {
      numbers.append($0.number)
      return numbers.count < 3
    }
    #expect(numbers == [199, 198, 197])
  }

  @Test("the oldest segments are removed, and no more than so many are kept") func pruned() async throws {
    for number in 1...Int64(EventJournal.segmentLimit + 5) {
      var segment = EventSegment()
      segment.add(LoggedEvent(number: number, report: report(number)))
      try await storage.set(
        segment.text, forKey: EventSegment.key(first: number), in: "forsetti-diagnostics-service")
    }
    var (journal, log) = try await start()
    // The last segment goes on; with these it is full.
    await fill(journal, &log, EventSegment.eventLimit - 1)
    #expect(storage.values.keys.count { $0.contains("events.") } == EventJournal.segmentLimit)
    var last: Int64 = 0
    try await journal.older(than: log.next) {
      last = $0.number
      return true
    }
    #expect(last == 6)
  }

  @Test("events that come together are written together") func burst() async throws {
    let (journal, empty) = try await start()
    var log = empty
    let events = (1...50).map { log.add(report($0)) }
    // At once, so that they come in the order of their numbers, as they do from the log.
    let appends = events.map { event in Task.immediate { @MainActor in await journal.append(event) } }
    for append in appends { await append.value }
    #expect(try await start().1.events.map(\.number) == Array(1...50))
    #expect(storage.writes < 25)
  }

  @Test("events that come out of their order are each written once") func disorder() async throws {
    let (journal, empty) = try await start()
    var log = empty
    let events = (1...6).map { log.add(report($0)) }
    let appends = [2, 5, 4, 0, 3, 1].map { place in
      Task.immediate { @MainActor in await journal.append(events[place]) }
    }
    for append in appends { await append.value }
    #expect(try await start().1.events.map(\.number).sorted() == Array(1...6))
  }

  @Test("what was cleared does not come back, and what comes after it stays") func cleared() async throws {
    var (journal, log) = try await start()
    await fill(journal, &log, 130)
    try await journal.clear(upTo: log.next - 1)
    log.clear(upTo: log.next - 1)
    #expect(storage.values.keys.filter { $0.contains("events.") } == [])
    #expect(try await start().1.events == [])
    await fill(journal, &log, 2)
    let (_, resumed) = try await start()
    #expect(resumed.events.map(\.number) == [131, 132])
    #expect(resumed.next == 133)
  }

  @Test("an event that comes while all before it is cleared stays") func whileClearing() async throws {
    var (journal, log) = try await start()
    await fill(journal, &log, 3)
    let (old, new) = (log.add(report(4)), log.next - 1)
    // Each begins at once, in this order.
    let writing = Task.immediate { @MainActor in await journal.append(old) }
    let clearing = Task.immediate { @MainActor in try await journal.clear(upTo: new) }
    let late = log.add(report(5))
    let again = Task.immediate { @MainActor in await journal.append(late) }
    await writing.value
    try await clearing.value
    await again.value
    await fill(journal, &log, 1)
    #expect(try await start().1.events.map(\.number) == [5, 6])
  }

  @Test("a clearing that was cut off after its first step is one all the same") func cutOff() async throws {
    var (journal, log) = try await start()
    await fill(journal, &log, 130)
    try await storage.set("120", forKey: "cleared", in: "forsetti-diagnostics-service")
    let (again, resumed) = try await start()
    #expect(resumed.events.map(\.number) == Array(121...130))
    var older: [Int64] = []
    try await again.older(than: 121) {
      older.append($0.number)
      return true
    }
    #expect(older == [])
  }

  @Test("while the storage fails events wait, and go in when it is back; it is told of once") func failing()
    async throws
  {
    let said = Said()
    var (journal, log) = try await start(said)
    await fill(journal, &log, 1)
    storage.fail(with: .quotaExceeded("bytes"))
    await fill(journal, &log, 3)
    #expect(journal.failures == 3)
    #expect(said.failures == [.quotaExceeded("bytes")])
    await #expect(throws: ServiceError.quotaExceeded("bytes")) { try await journal.clear(upTo: 2) }
    storage.fail(with: nil)
    await fill(journal, &log, 1)
    #expect(try await start().1.events.map(\.number) == Array(1...5))
  }

  @Test("a last segment that can't be read costs its events, and no others") func unreadable() async throws {
    var (journal, log) = try await start()
    await fill(journal, &log, 150)
    try await storage.set("broken", forKey: EventSegment.key(first: 101), in: "forsetti-diagnostics-service")
    var (again, resumed) = try await start()
    #expect(resumed.events.count == 100)
    #expect(resumed.next == 102)
    await fill(again, &resumed, 1)
    #expect(try await start().1.events.map(\.number) == Array(1...100) + [102])
  }
}
