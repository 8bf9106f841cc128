import ForsettiIPC
import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct PrestageViewTests {
  private func prestage(_ id: Int) throws -> PrestageReference { try PrestageWorld.prestage("\(id)") }

  private func text(_ state: PrestageState) -> String {
    "\(PrestageView(state: state, type: { "m.\($0)" }).tree)"
  }

  private func plan(_ serials: [String], in scope: [String]) throws -> PrestageState.NumberedPlan {
    let destination = try prestage(9)
    return PrestageState.NumberedPlan(
      number: 4,
      plan: ScopePlan(
        serials: serials, destination: destination,
        scopes: [
          (try prestage(1), PrestageScope(serials: scope, lock: 1)),
          (destination, PrestageScope(serials: ["THERE"], lock: 1)),
        ]), destination: destination)
  }

  @Test("a plan is shown with what is left out, and its own confirmation") func planned() throws {
    var state = PrestageState()
    state.plan = try plan(["A", "B", "NONE", "THERE"], in: ["A", "B"])
    let shown = text(state)
    for part in [
      "the move of 2 devices to PreStage 9", "they are there already", "they are in no PreStage",
      "phrase-plan-4",
      "m.apply", "m.discard",
    ] { #expect(shown.contains(part), "\(part)") }
    state.plan = try plan(["NONE"], in: [])
    #expect(!text(state).contains("m.apply"), "there is nothing to confirm")
  }

  @Test("a half-done job offers its ways out, and none of them while it is under way") func interrupted()
    throws
  {
    var state = PrestageState()
    let job = try #require(try plan(["A"], in: ["A"]).plan.job)
    let record = ScopeRecord(job: job, startedAt: 1_700_000_000_000)
    state.interrupted = .init(record: record, why: "Jamf Pro gave no answer.")
    for part in [
      "m.finish", "m.roll-back", "m.leave", "phrase-leave-1700000000000", "Jamf Pro gave no answer.",
    ] {
      #expect(text(state).contains(part), "\(part)")
    }
    state.work = .init(title: "Going on")
    #expect(!text(state).contains("m.finish"))
    #expect(text(state).contains("m.cancel"))
    state.work?.isCalledOff = true
    #expect(!text(state).contains("m.cancel"))
  }

  private static let ends: [([PrestageWorld.Fate], String)] = [
    ([], "Moved 2 devices to PreStage 9."), ([.refused], "Nothing was changed."),
    ([.normal, .refused], "Rolled back in full: 2 devices put back"),
    ([.normal, .refused, .refused], "Not rolled back: 2 in no PreStage"),
  ]

  @Test("the end of a job says what became of every device", arguments: ends)
  func ended(fates: [PrestageWorld.Fate], words: String) throws {
    var world = PrestageWorld(scopes: ["1": ["A", "B"], "9": []], fates: fates)
    var run = ScopeRun(try #require(try plan(["A", "B"], in: ["A", "B"]).plan.job), at: 1)
    guard case .end(let outcome) = world.drive(&run) else {
      Issue.record("it did not end")
      return
    }
    var state = PrestageState()
    state.outcome = .init(outcome: outcome, wasResumed: true)
    #expect(text(state).contains(words))
    #expect(text(state).contains("from the journal"))
    #expect(text(state).contains("In no PreStage now:") == !outcome.isSettled)
  }

  @Test("the fullest view keeps within what a view may hold") func fullest() throws {
    let serials = (0..<SerialNumbers.limit).map { String(repeating: "S", count: 28) + "\(1_000 + $0)" }
    let name = String(repeating: "\u{202E}", count: 500)
    var state = PrestageState()
    state.prestages = try (0..<PrestageReference.limit).map {
      try #require(PrestageReference(id: "\($0)", name: name))
    }
    let prestage = try #require(state.prestages?.first)
    state.opened = OpenedPrestage(prestage: prestage, scope: PrestageScope(serials: serials, lock: 1))
    for serial in serials { state.opened?.devices[serial] = AssignedDevice(serial: serial) }
    state.found = .init(places: serials.map { .init(serial: $0, prestage: prestage) })
    state.plan = try plan(serials, in: serials)
    let record = ScopeRecord(job: try #require(state.plan?.plan.job), startedAt: 1)
    state.interrupted = .init(record: record, why: name)
    let places = ScopeOutcome.Places(nowhere: serials)
    state.outcome = .init(
      outcome: ScopeOutcome(record: record, isBegun: true, places: places, failures: []), wasResumed: true)
    state.shared = RecordMarkdown.document(try #require(state.opened).shown.map { $0.record(in: prestage) })
    state.notice = .failed(what: name, advice: name)
    var writer = CBORWriter()
    try PrestageView(state: state, type: { "com.forsetti.jamfpro.feature.prestage-director.\($0)" }).tree
      .encode(into: &writer)
    #expect(writer.bytes.count < FrameHeader.maximumPayload)
  }
}

@Suite struct OpenedPrestageTests {
  private func opened(_ count: Int) throws -> OpenedPrestage {
    OpenedPrestage(
      prestage: try PrestageWorld.prestage("1"),
      scope: PrestageScope(serials: (0..<count).map { "S\(1_000 + $0)" }, lock: 1))
  }

  @Test("pages end where the devices do", arguments: [(0, 1), (1, 1), (50, 1), (51, 2), (120, 3)])
  func pages(count: Int, pages: Int) throws {
    var opened = try opened(count)
    #expect(opened.pages == pages)
    opened.turn(to: 99)
    #expect(opened.page == pages - 1)
    #expect(opened.shown.count == count - (pages - 1) * OpenedPrestage.pageSize)
    opened.turn(to: -1)
    #expect(opened.page == 0)
  }

  @Test("a filter finds serial numbers, and names that are known, in any case") func filter() throws {
    var opened = try opened(120)
    opened.turn(to: 2)
    var named = AssignedDevice(serial: "S1007")
    named.name = "Loan iPad"
    opened.devices["S1007"] = named
    opened.setFilter(" s111 ")
    #expect(opened.page == 0)
    #expect(opened.matches == (0..<10).map { "S111\($0)" })
    opened.setFilter("IPAD")
    #expect(opened.matches == ["S1007"])
    opened.setFilter("")
    #expect(opened.matches.count == 120)
    opened.take(PrestageScope(serials: ["A"], lock: 2))
    #expect(opened.shown.map(\.serial) == ["A"])
  }

  private static let records: [(String, String?, String?)] = [
    (
      #"{"general": {"displayName": "Loan", "udid": "U"}, "hardware": {"serialNumber": "f1", "model": "iPad"}}"#,
      "F1", "Loan"
    ),
    (#"{"general": {"displayName": " "}, "hardware": {"serialNumber": "f1"}}"#, "F1", nil),
    (#"{"general": {"displayName": "Loan"}}"#, nil, nil), (#"{"hardware": {"serialNumber": 7}}"#, nil, nil),
    ("[]", nil, nil),
  ]

  @Test("a device is what the inventory says of its serial number", arguments: records)
  func device(text: String, serial: String?, name: String?) throws {
    let device = AssignedDevice(try JSONParser.parse(Array(text.utf8)).root)
    #expect(device?.serial == serial)
    #expect(device?.name == name)
  }

  @Test("a device is shared under its name, or its serial number, with its PreStage") func record() throws {
    let prestage = try PrestageWorld.prestage("3")
    let bare = AssignedDevice(serial: "F1").record(in: prestage)
    #expect(bare.title == "F1")
    #expect(bare.fields.map(\.label) == ["Serial Number", "Assigned Prestage", "Prestage ID"])
    var device = AssignedDevice(serial: "F1")
    (device.name, device.model, device.udid) = ("Loan", "iPad", "U")
    #expect(device.record(in: prestage).title == "Loan")
    #expect(device.record(in: prestage).fields.map(\.value) == ["F1", "iPad", "U", "PreStage 3", "3"])
  }
}
