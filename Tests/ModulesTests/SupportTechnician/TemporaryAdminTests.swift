import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct TemporaryAdminTests {
  private static let form = [
    "enabled": "true", "ticket-required": "false", "cleanup": "true", "timeout-minutes": "25", "group-5": "1",
    "group-15": "2", "group-30": " 3 ", "group-60": "4", "group-demote": "5",
  ]

  @Test("rights are off until they are set up, and a duration without a group is not offered") func offered()
    throws
  {
    #expect(TemporaryAdminConfig().offered == [])
    let config = try TemporaryAdminConfig(form: Self.form)
    #expect(config.offered == [5, 15, 30, 60])
    #expect(config.isComplete)
    var form = Self.form
    form["group-30"] = ""
    let less = try TemporaryAdminConfig(form: form)
    #expect(less.offered == [5, 15, 60])
    #expect(!less.isComplete)
    #expect(TemporaryAdminConfig(text: less.text) == less)
    #expect(TemporaryAdminConfig(text: "{") == nil)
  }

  private static let badFormsCases: [(String, String, TemporaryAdminRefusal)] = [
    ("group-5", "x", .badGroup("x")), ("group-5", "2", .sameGroup), ("group-demote", "4", .sameGroup),
    ("timeout-minutes", "4", .badTimeout), ("timeout-minutes", "1000000000000000000000", .badTimeout),
    ("timeout-minutes", "", .badTimeout),
  ]

  @Test("a setting that would do something else is refused", arguments: badFormsCases)
  func badForm(key: String, value: String, refusal: TemporaryAdminRefusal) {
    var form = Self.form
    form[key] = value
    #expect(throws: refusal) { try TemporaryAdminConfig(form: form) }
  }

  private static let mac = SupportDevice(
    .computer, inventoryID: "12", name: "MAC-12", serial: "C12", managementID: "m")
  private static let phone = SupportDevice(
    .mobileDevice, inventoryID: "12", name: "P", serial: "F12", managementID: "m")

  private static let requestsCases: [(SupportDevice, Bool, [String: String], Bool, TemporaryAdminRefusal?)] =
    [
      (mac, true, ["minutes": "15", "reason": "printer"], false, nil),
      (mac, true, ["minutes": "15", "reason": "printer", "ticket": "T-1"], true, nil),
      (mac, true, ["minutes": "15", "reason": "printer"], true, .noTicket),
      (mac, true, ["minutes": "15", "reason": " "], false, .noReason),
      (mac, true, ["minutes": "10", "reason": "printer"], false, .noSuchDuration),
      (mac, true, ["reason": "printer"], false, .noSuchDuration),
      (mac, false, ["minutes": "15", "reason": "printer"], false, .notManagedMac),
      (phone, true, ["minutes": "15", "reason": "printer"], false, .notManagedMac),
    ]

  @Test("a request is judged before anything is written", arguments: requestsCases)
  func request(
    device: SupportDevice, isManaged: Bool, payload: [String: String], needsTicket: Bool,
    refusal: TemporaryAdminRefusal?
  ) throws {
    var config = try TemporaryAdminConfig(form: Self.form)
    config.requiresTicket = needsTicket
    func judge() throws -> TemporaryAdminRequest {
      try TemporaryAdminRequest(payload, isManaged: isManaged, device: device, config)
    }
    if let refusal {
      #expect(throws: refusal) { try judge() }
    } else {
      #expect(try judge().group == "2")
    }
    config.isEnabled = false
    #expect(throws: TemporaryAdminRefusal.notConfigured) { try judge() }
  }

  private static let statusesCases: [(String?, TemporaryAdminReport.Status)] = [
    (nil, .none), ("", .none), ("not reported", .none), ("not_requested", .none), ("elevated", .elevated),
    ("Expired_Pending_Demotion", .elevated), ("already_admin", .alreadyAdmin), ("DEMOTED", .demoted),
    ("failed", .failed("failed")), ("what?", .failed("what?")),
  ]

  @Test("what a Mac says is read, and what nobody knows is a failure", arguments: statusesCases)
  func status(text: String?, expected: TemporaryAdminReport.Status) {
    #expect(TemporaryAdminReport.status(text) == expected)
  }

  private static func report(_ status: String, _ changed: String) throws -> TemporaryAdminReport {
    TemporaryAdminReport(
      try supportTree(
        """
        {"extensionAttributes":[{"name":"Temporary Admin Status","values":["\(status)"]},
        {"name":"Temporary Admin Last Change","values":["\(changed)"]},
        {"name":"Temporary Admin Expires At","values":["soon"]}]}
        """))
  }

  /// 2026-11-01T08:00:00Z.
  private static let time: Int64 = 1_793_520_000_000

  private static func run(_ minutes: Int? = 15, _ state: TemporaryAdminRun.State = .waiting)
    -> TemporaryAdminRun
  {
    TemporaryAdminRun(
      id: "run", device: SupportDeviceID(.computer, "12"), deviceName: "MAC-12", minutes: minutes, group: "2",
      requested: time, deadline: time + 1_500_000, cleansUpAfterTimeout: true, state: state)
  }

  private static let reportsCases: [(Int?, String, String, TemporaryAdminRun.State)] = [
    (15, "elevated", "2026-11-01T08:01:00Z", .elevated(until: nil)),
    // The Mac's clock may be two minutes behind, no more.
    (15, "elevated", "2026-11-01T07:58:00Z", .elevated(until: nil)),
    (15, "elevated", "2026-11-01T07:57:59Z", .waiting), (15, "elevated", "yesterday", .waiting),
    (15, "already_admin", "2026-11-01T08:01:00Z", .alreadyAdmin),
    (15, "demoted", "2026-11-01T08:01:00Z", .demoted),
    (15, "failed", "2026-11-01T08:01:00Z", .failed("The Mac says: failed")),
    (15, "not_requested", "2026-11-01T08:01:00Z", .waiting),
    (nil, "elevated", "2026-11-01T08:01:00Z", .waiting), (nil, "demoted", "2026-11-01T08:01:00Z", .demoted),
  ]

  @Test(
    "only a report that answers the request ends it, and then the Mac leaves the group",
    arguments: reportsCases)
  func reported(minutes: Int?, status: String, changed: String, state: TemporaryAdminRun.State) throws {
    var run = Self.run(minutes)
    run.take(.reported(try Self.report(status, changed)))
    #expect(run.state == state)
    #expect(run.leaving == (state == .waiting ? [] : ["2"]))
    #expect(try TemporaryAdminRun(text: run.text) == run)
  }

  @Test("a Mac that never reports is taken out of the group in the end, and a failure to do so is said")
  func timeout() {
    var run = Self.run()
    run.take(.waited(Self.time + 1_499_999))
    #expect(run.isActive)
    run.take(.waited(Self.time + 1_500_000))
    #expect(run.state == .timedOut)
    #expect(run.leaving == ["2"])
    run.take(.leavingFailed("Jamf Pro failed."))
    #expect(run.title == "Cleanup Needed")
    #expect(run.isOpen)
    run.take(.left("3", Self.time))
    #expect(run.isOpen)
    run.take(.left("2", Self.time))
    #expect(run.title == "Timed Out")
    #expect(!run.isOpen)
    var refused = Self.run(15, .requesting)
    refused.take(.refused("no right"))
    #expect(refused.state == .failed("no right"))
    #expect(refused.leaving.isEmpty)
  }

  @Test("a request without an answer may come late: till then no absence from the group is the last word")
  func late() throws {
    let lost = Self.time + TemporaryAdminRun.lateness
    var run = Self.run(15, .requesting)
    run.take(.asked(Self.time))
    run.take(.waited(Self.time + 1_500_000))
    run.take(.left("2", lost - 1))
    #expect(run.leaving == ["2"])
    #expect(run.isOpen && run.advice.contains("was lost"))
    #expect(try TemporaryAdminRun(text: run.text) == run)
    run.take(.leavingFailed("Jamf Pro failed."))
    run.take(.left("2", lost - 1))
    #expect(run.cleanupFault == nil)
    run.take(.left("2", lost))
    #expect(!run.isOpen)
  }

  private static let answers: [(TemporaryAdminRun.Event, TemporaryAdminRun.State)] = [
    (.written, .waiting), (.refused("no right"), .failed("no right")),
  ]

  @Test("an answer tells of its own request, and nothing of one that was lost before", arguments: answers)
  func answered(answer: TemporaryAdminRun.Event, state: TemporaryAdminRun.State) throws {
    var run = Self.run(15, .requesting)
    run.take(.asked(Self.time))
    var lost = run
    run.take(answer)
    #expect(run.state == state)
    #expect(run.late.isEmpty && run.leaving.isEmpty)

    let late = Self.time + TemporaryAdminRun.lateness
    lost.take(.asked(Self.time + 1))
    #expect(lost.late == ["2": late + 1])
    #expect(try TemporaryAdminRun(text: lost.text) == lost)
    lost.take(answer)
    #expect(lost.state == state)
    #expect(lost.late == ["2": late])
    #expect(lost.leaving == (state == .waiting ? [] : ["2"]), "the lost one may still put it in")
    lost.take(.reported(try Self.report("demoted", "2026-11-01T08:01:00Z")))
    lost.take(.left("2", late - 1))
    #expect(lost.leaving == ["2"])
    lost.take(.left("2", late))
    #expect(!lost.isOpen && lost.late.isEmpty)
  }

  private static let wordsCases: [(TemporaryAdminRun.State, Int?, String)] = [
    (.requesting, 15, "Requesting"), (.waiting, 15, "Waiting for Check-In"),
    (.waiting, nil, "Demotion Requested"), (.elevated(until: nil), 15, "Administrator"),
    (.alreadyAdmin, 15, "Administrator already"), (.demoted, nil, "Demoted"), (.timedOut, 15, "Timed Out"),
    (.failed("The Mac says: denied"), 15, "Failed"),
  ]

  @Test("every state has its words, and a failure those of the Mac", arguments: wordsCases)
  func words(state: TemporaryAdminRun.State, minutes: Int?, title: String) {
    let run = Self.run(minutes, state)
    #expect(run.title == title)
    #expect(!run.advice.isEmpty)
    if case .failed(let why) = state { #expect(run.advice.contains(why)) }
  }

  @Test("what an earlier version kept is read: one group to leave, and no ID of its own") func earlier()
    throws
  {
    let text = """
      {"device":"computer/12","name":"MAC-12","minutes":15,"group":"2","requested":1,"deadline":2,
      "cleansUpAfterTimeout":true,"state":"timed-out","needsCleanup":true}
      """
    let run = try TemporaryAdminRun(text: text)
    #expect(run.leaving == ["2"])
    #expect(run.id == "computer/12")
    #expect(try TemporaryAdminRun(text: run.text) == run)
  }
}

@MainActor @Suite struct TemporaryAdminBookTests {
  private let storage = MemoryStorage()
  private let device = SupportDeviceID(.computer, "12")

  private func run(_ id: String, on device: SupportDeviceID? = nil, leaving: [String] = [])
    -> TemporaryAdminRun
  {
    TemporaryAdminRun(
      id: id, device: device ?? self.device, deviceName: "MAC-12", minutes: 15, group: "2", requested: 1,
      deadline: 2,
      cleansUpAfterTimeout: true, leaving: leaving)
  }

  @Test("what is heard late of a request is not taken for the one that has its place") func late()
    async throws
  {
    let book = TemporaryAdminBook(storage: storage)
    try await book.begin(run("old"))
    try await book.begin(run("new", leaving: ["2"]))
    try await book.take(.waited(9), of: "old")
    try await book.take(.left("2", 9), of: "old")
    #expect(book.runs == [run("new", leaving: ["2"])])
    try await book.take(.left("2", 9), of: "new")
    #expect(book.run("new")?.leaving == [])
  }

  /// Holds up the changes of one kind until its gate is open.
  private struct Gated: StorageService {
    let storage: MemoryStorage
    let gate: AsyncStream<Void>
    let holdsUp: @Sendable (_ key: String, _ value: String?) -> Bool

    nonisolated(nonsending) func set(_ value: String, forKey key: String, in store: String?)
      async throws(ServiceError)
    {
      if holdsUp(key, value) { for await _ in gate {} }
      try await storage.set(value, forKey: key, in: store)
    }
    nonisolated(nonsending) func removeValue(forKey key: String, in store: String?) async throws(ServiceError)
    {
      if holdsUp(key, nil) { for await _ in gate {} }
      try await storage.removeValue(forKey: key, in: store)
    }
    nonisolated(nonsending) func value(forKey key: String, in store: String?) async throws(ServiceError)
      -> String?
    { try await storage.value(forKey: key, in: store) }
    nonisolated(nonsending) func keys(prefix: String, after cursor: String?, in store: String?)
      async throws(ServiceError) -> [String]
    { try await storage.keys(prefix: prefix, after: cursor, in: store) }
  }

  @Test("an older request is not written over the one that took its place") func inTurn() async throws {
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let book = TemporaryAdminBook(
      storage: Gated(storage: storage, gate: gate) { _, value in
        value?.contains(#""state":"waiting""#) == true
      })
    try await book.begin(run("old"))
    let late = Task.immediate { @MainActor in try await book.take(.written, of: "old") }
    let next = Task.immediate { @MainActor in try await book.begin(run("new")) }
    opener.finish()
    try await late.value
    try await next.value
    let after = TemporaryAdminBook(storage: storage)
    #expect(try await after.load() == [])
    #expect(after.runs == [run("new")])
  }

  @Test("the oldest request is not forgotten with the one that takes its place") func forgotten() async throws
  {
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let book = TemporaryAdminBook(
      storage: Gated(storage: storage, gate: gate) { _, value in value == nil })
    try await book.begin(run("old"))
    try await book.take(.refused("no"), of: "old")
    for number in 100..<(99 + TemporaryAdminBook.limit) {
      try await book.begin(run("\(number)", on: SupportDeviceID(.computer, "\(number)")))
    }
    let last = Task.immediate { @MainActor in
      try await book.begin(run("last", on: SupportDeviceID(.computer, "99")))
    }
    let next = Task.immediate { @MainActor in try await book.begin(run("new")) }
    opener.finish()
    try await last.value
    try await next.value
    let after = TemporaryAdminBook(storage: storage)
    #expect(try await after.load() == [])
    #expect(after.run("new") != nil)
    #expect(book.run("new") != nil)
  }

  @Test(
    "what can't be read is set aside before anything is written over it",
    arguments: ["temporary-admin/computer/12", "temporary-admin-config"])
  func damaged(key: String) async throws {
    let store = "forsetti-support-technician"
    for text in ["{", "[7]"] {
      try await storage.set(text, forKey: key, in: store)
      let book = TemporaryAdminBook(storage: storage)
      #expect(try await book.load() == [key])
      try await book.begin(run("new"))
      try await book.configure(TemporaryAdminConfig())
    }
    let aside = storage.values.filter {
      $0.key.hasPrefix("\(store)/damaged/") && $0.key.hasSuffix("/\(key)")
    }.values.sorted()
    #expect(aside == ["[7]", "{"])
    #expect(try await TemporaryAdminBook(storage: storage).load() == [])
  }

  @Test("of what was set aside the oldest goes where there is much") func manyDamaged() async throws {
    let store = "forsetti-support-technician"
    for number in 0..<TemporaryAdminBook.damagedLimit + 3 {
      try await storage.set("{\(number)", forKey: "temporary-admin-config", in: store)
      #expect(try await TemporaryAdminBook(storage: storage).load().count == 1)
    }
    let aside = storage.values.filter { $0.key.hasPrefix("\(store)/damaged/") }
    #expect(aside.count == TemporaryAdminBook.damagedLimit)
    #expect(aside.values.contains("{\(TemporaryAdminBook.damagedLimit + 2)"))
  }

  @Test("what can't be set aside keeps its place, and no other Mac from its requests") func stuck()
    async throws
  {
    let store = "forsetti-support-technician"
    let keys = ["temporary-admin-config", "temporary-admin/computer/12"]
    for key in keys { try await storage.set("{", forKey: key, in: store) }
    let book = TemporaryAdminBook(storage: storage)
    storage.fail(with: .quotaExceeded("bytes"))
    #expect(try await book.load() == keys)
    await #expect(throws: ServiceError.self) { try await book.begin(run("new")) }
    await #expect(throws: ServiceError.self) { try await book.configure(TemporaryAdminConfig()) }
    for key in keys { #expect(storage.values["\(store)/\(key)"] == "{") }
    storage.fail(with: nil)
    try await book.begin(run("other", on: SupportDeviceID(.computer, "13")))
    #expect(storage.values["\(store)/temporary-admin/computer/12"] == "{")
    try await book.begin(run("new"))
    try await book.configure(TemporaryAdminConfig())
    #expect(storage.values.filter { $0.key.hasPrefix("\(store)/damaged/") }.values.sorted() == ["{", "{"])
  }
}
