import ForsettiModuleKit
import Synchronization
import Testing

@testable import ForsettiModules

/// A desk and all that it works with.
@MainActor final class DeskWorld {
  /// Who hears of changes.
  @MainActor private final class Listener {
    weak var desk: SearchDesk?
    var onChange: (SearchDesk) -> Void = { _ in }
    var onTold: (SearchDesk) -> Void = { _ in }
  }

  let storage: FakeSearchStorage
  let export = FakeSearchExport()
  let diagnostics = FakeSearchDiagnostics()
  let api: ScriptedAPI
  let desk: SearchDesk
  private let listener = Listener()

  init(
    _ api: ScriptedAPI, storage: FakeSearchStorage = FakeSearchStorage(), subject: SearchSubject = .computers
  ) {
    self.api = api
    self.storage = storage
    let tools = SearchTools(
      client: JamfClient(api: api), storage: storage,
      export: { [export] (documents, name) throws(ServiceError) in try export.write(documents, name) },
      diagnostics: diagnostics,
      logger: ForsettiModuleLogger(moduleID: "m", destination: SilentLogger()), now: { 1_796_002_119_123 })
    desk = SearchDesk(
      subject, tools,
      changed: { [listener] in if let desk = listener.desk { listener.onChange(desk) } },
      told: { [listener] in if let desk = listener.desk { listener.onTold(desk) } })
    listener.desk = desk
  }

  /// Calls after every change.
  func onChange(_ body: @escaping (SearchDesk) -> Void) { listener.onChange = body }

  /// Calls whenever the search waits until its changes have been told of.
  func onTold(_ body: @escaping (SearchDesk) -> Void) { listener.onTold = body }
}

@MainActor @Suite struct SearchDeskTests {
  private func search(_ world: DeskWorld, _ text: String = "", profile: String? = nil) async {
    var payload = ["text": text]
    payload["profile"] = profile
    await world.desk.handle(.search, payload)
    await world.desk.searching?.value
  }

  @Test("a search shows each page as it comes")
  func pages() async {
    let world = DeskWorld(FakeInventory.api(450))
    var counts: [Int] = []
    world.onChange { counts.append($0.state.results?.records.count ?? 0) }
    await search(world)
    #expect(Set(counts).isSuperset(of: [50, 100, 200, 400, 450]))
    let results = world.desk.state.results
    #expect(results?.state == .complete)
    #expect(results?.total == 450)
    #expect(results?.progress == 1)
    #expect(results?.pageCount == 9)
    #expect(results?.columns == SearchSubject.computers.columns)
    await world.desk.handle(.page, ["page": "8"])
    #expect(world.desk.state.results?.shown.count == 50)
    await world.desk.handle(.page, ["page": "99"])
    #expect(world.desk.state.results?.shown.last?.id == .inventory("450"))
    await world.desk.handle(.page, ["page": "-5"])
    #expect(world.desk.state.results?.shown.first?.id == .inventory("1"))
  }

  @Test("cancel stops the calls and keeps what came")
  func cancel() async {
    let world = DeskWorld(FakeInventory.api(1_000))
    world.onChange { if $0.state.results?.looked == 200 { $0.stop() } }
    await search(world)
    #expect(world.desk.state.results?.state == .cancelled)
    #expect(world.desk.state.results?.records.count == 200)
    #expect(world.api.requests.count == 3)
  }

  @Test("a page is told of, and can be drawn, before the next one is asked for; the first fills a view")
  func firstRows() async {
    let world = DeskWorld(FakeInventory.api(450))
    var told: [[Int]] = []
    world.onTold { [world] desk in
      guard let results = desk.state.results else { return }
      told.append([results.records.count, results.shown.count, world.api.requests.count])
    }
    await search(world)
    #expect(told == [[50, 50, 1], [100, 50, 2], [200, 50, 3], [400, 50, 4], [450, 50, 5]])
    #expect(world.api.requests.first?.parameter("page-size") == "\(SearchResults.pageSize)")
  }

  @Test("a record is read once, however often it is drawn and however many follow it")
  func readOnce() async {
    let reads = Mutex(0)
    var subject = SearchSubject.computers
    subject.catalogue.add([
      InventoryField(RSQLField(key: "counted", type: .string, section: "GENERAL"), label: "Counted") { _ in
        reads.withLock { $0 += 1 }
        return "x"
      }
    ])
    subject.columns.append("counted")
    let world = DeskWorld(FakeInventory.api(450), subject: subject)
    world.onTold { desk in
      _ = SearchView(subject: subject, moduleID: "m", state: desk.state).tree
      _ = SearchView(subject: subject, moduleID: "m", state: desk.state).tree
    }
    await search(world)
    #expect(world.desk.state.results?.records.last?["counted"] == "x")
    #expect(reads.withLock { $0 } == 450)
  }

  @Test("a search that another replaces says nothing any more")
  func replaced() async {
    let world = DeskWorld(FakeInventory.api(450))
    await world.desk.handle(.search, ["text": "old"])
    let old = world.desk.searching
    await search(world, "new")
    await old?.value
    #expect(world.desk.state.results?.title == "\"new\"")
    #expect(world.desk.state.results?.records.count == 450)
    #expect(world.desk.state.results?.state == .complete)
  }

  @Test("no more is kept than has room, and then nothing more is asked for")
  func full() {
    var results = SearchResults(title: "all", columns: [])
    let record = InventoryRecord(id: .inventory("1"), values: [:])
    func page(_ count: Int) -> SearchPage {
      SearchPage(records: Array(repeating: record, count: count), looked: count, total: nil)
    }
    results.take(page(SearchResults.limit))
    #expect(results.state == .running)
    results.take(page(1))
    #expect(results.state == .full)
    #expect(results.records.count == SearchResults.limit)
  }

  @Test("a failure is shown beside what came, and reported without the text")
  func failure() async {
    let world = DeskWorld(
      FakeInventory.api(450) { $0.parameter("page") == "1" ? (500, "secret words") : nil })
    await search(world, "Ann")
    #expect(world.desk.state.results?.state == .failed(.serverError(500)))
    #expect(world.desk.state.results?.records.count == 50)
    let reports = world.diagnostics.reports.withLock { $0 }
    #expect(reports.count == 1)
    #expect(!"\(reports)".contains("Ann"))
  }

  @Test("a simpler way of asking is noted and reported")
  func note() async {
    let world = DeskWorld(
      FakeInventory.api(1) { $0.path.contains("/v3/") ? FakeInventory.refusal(404) : nil })
    await search(world, "Ann")
    #expect(world.desk.state.results?.note != nil)
    #expect(world.diagnostics.reports.withLock { $0.count } == 1)
  }

  @Test("a record shows at once what its row knows, then all that Jamf Pro says")
  func open() async throws {
    let world = DeskWorld(FakeInventory.api(3))
    await search(world)
    await world.desk.handle(.open, ["id": "2"])
    #expect(world.desk.state.detail?.isLoading == true)
    #expect(world.desk.state.detail?.record["general.name"] == "Mac 2")
    await world.desk.reading?.value
    let detail = try #require(world.desk.state.detail)
    #expect(!detail.isLoading)
    #expect(detail.record["security.sipStatus"] == "ENABLED")
    #expect(detail.record["cea_5"] == "Ann | Bob")
    await world.desk.handle(.close, [:])
    #expect(world.desk.state.detail == nil)
    await world.desk.handle(.open, ["id": "nowhere"])
    #expect(world.desk.state.notice?.tone == .warning)
  }

  @Test("a record that can't be read, or is gone, still shows its row")
  func unreadable() async throws {
    let failing = DeskWorld(
      FakeInventory.api(3) { $0.parameter("filter") == nil ? nil : (503, "") })
    await search(failing)
    await failing.desk.handle(.open, ["id": "2"])
    await failing.desk.reading?.value
    #expect(failing.desk.state.detail?.failure == .serverError(503))
    #expect(failing.desk.state.detail?.record["general.name"] == "Mac 2")
    let gone = DeskWorld(
      FakeInventory.api(3) { $0.parameter("filter") == nil ? nil : (200, #"{"results": []}"#) })
    await search(gone)
    await gone.desk.handle(.open, ["id": "2"])
    await gone.desk.reading?.value
    #expect(gone.desk.state.detail?.isGone == true)
  }

  @Test("what is chosen is shared and exported; without a choice all of it is")
  func sharing() async {
    let world = DeskWorld(FakeInventory.api(3))
    await world.desk.handle(.export, [:])
    #expect(world.desk.state.notice?.tone == .warning)
    await search(world)
    for id in ["3", "1", "2", "2", "nowhere"] { await world.desk.handle(.select, ["id": id]) }
    #expect(world.desk.state.selection == [.inventory("3"), .inventory("1")])
    await world.desk.handle(.share, [:])
    #expect(world.desk.state.shared?.hasPrefix("## Mac 1\n") == true)
    #expect(
      world.desk.state.shared?.contains("| PreStage | Enrolled - Standard Mac (ID: 12) |") == true)
    #expect(world.desk.state.shared?.contains("| Hardware serial number | C1 |") == true)
    #expect(world.desk.state.shared?.contains("| Username |") == false, "what a record lacks is left out")
    await world.desk.handle(.unshare, [:])
    #expect(world.desk.state.shared == nil)
    await world.desk.handle(.export, [:])
    await world.desk.handle(.selectNone, [:])
    await world.desk.handle(.export, [:])
    let files = world.export.files
    #expect(files.map(\.name) == ["computers", "computers"])
    #expect(files.map { $0.text.split(separator: "## ").count } == [2, 3])
    #expect(world.desk.state.notice?.text.contains("3 computers") == true)
  }

  @Test("a mobile device is shared under its name, or its model and serial number, without what it lacks")
  func sharingMobileDevices() async {
    let devices = """
      {"mobileDeviceId": "1", "general": {"displayName": "Desk iPad"},
      "hardware": {"serialNumber": "S1", "model": "iPad Air"}, "userAndLocation": {"username": ""}},
      {"mobileDeviceId": "2", "hardware": {"serialNumber": "F12345", "model": "iPad"}}
      """
    let api = ScriptedAPI { request throws(ServiceError) in
      guard request.path.hasSuffix("/mobile-devices/detail") else {
        return FakeInventory.answer(200, #"{"totalCount": 0, "results": []}"#)
      }
      return FakeInventory.answer(200, #"{"totalCount": 2, "results": [\#(devices)]}"#)
    }
    let world = DeskWorld(api, subject: .mobileDevices)
    await search(world)
    await world.desk.handle(.share, [:])
    let shared = world.desk.state.shared ?? ""
    let headings = shared.split(separator: "\n").filter { $0.hasPrefix("## ") }
    #expect(headings == ["## Desk iPad", "## iPad (2345)"])
    for line in ["| Serial number | S1 |", "| Serial number | F12345 |"] {
      #expect(shared.contains(line), "\(shared)")
    }
    #expect(!shared.contains("| Username |"), "what a record lacks is left out")
  }

  @Test("a query is put together step by step, run, kept, changed and deleted")
  func query() async throws {
    let world = DeskWorld(FakeInventory.api(10))
    await world.desk.handle(.show, ["panel": "query"])
    #expect(world.desk.state.catalogue["cea_5"]?.label == "Owner")
    await world.desk.handle(.runQuery, [:])
    #expect(world.desk.state.notice?.tone == .warning)
    await world.desk.handle(.chooseField, ["field": "Owner", "group": "Group 1"])
    await world.desk.handle(.addCriterion, ["comparison": "contains", "value": "ann"])
    await world.desk.handle(.chooseField, ["field": "Computer", "group": "A new group"])
    await world.desk.handle(.addCriterion, ["comparison": "is nothing", "value": "x"])
    #expect(world.desk.state.notice?.tone == .warning)
    await world.desk.handle(.addCriterion, ["comparison": "is", "value": " "])
    #expect(world.desk.state.notice?.text == RSQLDropReason.emptyValue.advice)
    await world.desk.handle(.addCriterion, ["comparison": "starts with", "value": "Mac"])
    #expect(world.desk.state.draft.query.groups.count == 2)
    await world.desk.handle(.runQuery, [:])
    await world.desk.searching?.value
    #expect(world.desk.state.results?.records.count == 10)
    let asked = world.api.requests.last { $0.path.hasSuffix("computers-inventory") }
    #expect(asked?.parameter("filter") == "(general.name=='Mac*')")
    await world.desk.handle(.saveFilter, ["name": " Ours "])
    await world.desk.handle(.clearQuery, [:])
    let filter = try #require(world.desk.state.filters.items.first)
    #expect(filter.name == "Ours")
    await world.desk.handle(.runFilter, ["id": "\(filter.id)"])
    await world.desk.searching?.value
    #expect(world.desk.state.results?.title == "the filter \"Ours\"")
    await world.desk.handle(.editFilter, ["id": "\(filter.id)"])
    #expect(world.desk.state.draft.query == filter.query)
    await world.desk.handle(.toggle, ["group": "0"])
    await world.desk.handle(.toggle, [:])
    #expect(world.desk.state.draft.query.combinator == .or)
    #expect(world.desk.state.draft.query.groups[0].combinator == .or)
    await world.desk.handle(.removeCriterion, ["group": "0", "criterion": "0"])
    #expect(world.desk.state.draft.query.groups.count == 1)
    await world.desk.handle(.deleteFilter, ["id": "\(filter.id)"])
    #expect(world.desk.state.filters.items.isEmpty)
    await world.desk.handle(.runFilter, ["id": "\(filter.id)"])
    #expect(world.desk.state.notice?.tone == .warning)
  }

  @Test("a filter by the organisation's own field works at once after a restart, and never finds too much")
  func ownFields() async throws {
    let world = DeskWorld(FakeInventory.api(3))
    await world.desk.handle(.show, ["panel": "query"])
    await world.desk.handle(.chooseField, ["field": "Owner"])
    await world.desk.handle(.addCriterion, ["comparison": "contains", "value": "nobody"])
    await world.desk.handle(.saveFilter, ["name": "None"])
    let again = DeskWorld(FakeInventory.api(3), storage: world.storage)
    await again.desk.load()
    await again.desk.handle(.runFilter, ["id": "1"])
    await again.desk.searching?.value
    #expect(again.desk.state.results?.state == .complete)
    #expect(again.desk.state.results?.records.isEmpty == true)
    let blind = DeskWorld(
      FakeInventory.api(3) { $0.path.contains("extension") ? FakeInventory.refusal(403) : nil },
      storage: world.storage)
    await blind.desk.load()
    await blind.desk.handle(.runFilter, ["id": "1"])
    await blind.desk.searching?.value
    #expect(blind.desk.state.results?.state == .refused(.unknownField))
    #expect(blind.api.requests.allSatisfy { !$0.path.contains("inventory") })
  }

  @Test("a search that begins while the organisation's fields are read waits for them")
  func meanwhile() async {
    let world = DeskWorld(FakeInventory.api(3))
    let query = RSQLQuery(groups: [
      RSQLGroup(criteria: [RSQLCriterion(field: "cea_5", comparison: .contains, value: .string("ann"))])
    ])
    async let panel: Void = world.desk.handle(.show, ["panel": "saved"])
    world.desk.runQuery(query, title: "q", fields: [])
    await panel
    await world.desk.searching?.value
    #expect(world.desk.state.results?.records.count == 3)
  }

  @Test("a record that is opened twice is shown as it is read last")
  func openTwice() async {
    let world = DeskWorld(FakeInventory.api(3))
    await search(world)
    await world.desk.handle(.open, ["id": "2"])
    let first = world.desk.reading
    await world.desk.handle(.open, ["id": "2"])
    await first?.value
    await world.desk.reading?.value
    #expect(world.desk.state.detail?.failure == nil)
    #expect(world.desk.state.detail?.record["cea_5"] == "Ann | Bob")
    #expect(world.api.requests.filter { $0.path.contains("extension") }.count == 1)
  }

  @Test("profiles give the columns, are there after a restart, and are deleted")
  func profiles() async {
    let world = DeskWorld(FakeInventory.api(1))
    let toggles = ["field.hardware.model": "true", "field.general.name": "true", "field.udid": "false"]
    await world.desk.handle(.saveProfile, toggles)
    #expect(world.desk.state.notice?.text == SaveRefusal.noName.advice)
    await world.desk.handle(.saveProfile, ["name": "Models"])
    #expect(world.desk.state.notice?.tone == .warning)
    await world.desk.handle(.saveProfile, toggles.merging(["name": "Models"]) { $1 })
    let again = DeskWorld(FakeInventory.api(1), storage: world.storage)
    await again.desk.load()
    #expect(again.desk.state.profiles.items.map(\.name) == ["Models"])
    await search(again, "x", profile: "Models")
    #expect(again.desk.state.results?.columns == ["general.name", "hardware.model"])
    await again.desk.handle(.deleteProfile, ["id": "1"])
    #expect(again.desk.fields == SearchSubject.computers.columns)
    #expect(world.storage.values.withLock { $0["forsetti-computer-search/profiles"] } == "[]")
  }

  @Test("what can't be kept is not shown, and what can't be read begins anew")
  func storage() async {
    let world = DeskWorld(FakeInventory.api(1))
    world.storage.isBroken.withLock { $0 = true }
    await world.desk.handle(.saveProfile, ["name": "Models", "field.hardware.model": "true"])
    #expect(world.desk.state.profiles.items.isEmpty)
    #expect(world.desk.state.notice?.tone == .error)
    world.storage.values.withLock { $0["forsetti-computer-search/smart-filters"] = "{" }
    await world.desk.load()
    #expect(world.desk.state.filters.items.isEmpty)
    #expect(world.desk.state.notice?.tone == .error)
  }

  @Test("extension attributes that can't be read are missing, and nothing else")
  func attributes() async {
    let world = DeskWorld(
      FakeInventory.api(2) { $0.path.contains("extension") ? FakeInventory.refusal(403) : nil })
    await world.desk.handle(.show, ["panel": "saved"])
    guard case .failed(.forbidden) = world.desk.state.attributes else {
      Issue.record("\(world.desk.state.attributes)")
      return
    }
    await search(world)
    #expect(world.desk.state.results?.records.count == 2)
  }
}
