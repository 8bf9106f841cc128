import ForsettiModuleKit
import Synchronization
import Testing

@testable import ForsettiModules

@MainActor @Suite("PreStages beside what a search finds") struct PrestageSearchTests {
  private func search(_ world: DeskWorld, _ payload: [String: String]) async throws -> SearchResults {
    await world.desk.handle(.search, payload)
    await world.desk.searching?.value
    return try #require(world.desk.state.results)
  }

  private func query(_ world: DeskWorld, _ criterion: RSQLCriterion) async throws -> SearchResults {
    let query = RSQLQuery(groups: [RSQLGroup(criteria: [criterion])])
    world.desk.runQuery(query, title: "q", fields: world.desk.fields)
    await world.desk.searching?.value
    return try #require(world.desk.state.results)
  }

  private func prestages(_ records: some Sequence<InventoryRecord>) -> [String?] {
    records.map { $0["prestageEnrollmentProfile"] }
  }

  @Test("devices that a PreStage has and the inventory hasn't are rows at the end")
  func assigned() async throws {
    let world = DeskWorld(FakeInventory.api(2, prestages: [["C1", "n1"], ["N2"]]))
    let results = try await search(world, ["text": ""])
    #expect(results.state == .complete)
    #expect(
      prestages(results.records) == [
        "Enrolled - Standard Mac (ID: 12)", "Enrolled - Standard Mac (ID: 12)",
        "Not Enrolled - PreStage 1 (ID: 1)", "Not Enrolled - PreStage 2 (ID: 2)",
      ])
    #expect(results.records.map(\.id.text).suffix(2) == ["prestage-scope-N1-1", "prestage-scope-N2-2"])
    #expect(results.assigned == 2)
    let calls = world.api.requests.count
    await world.desk.handle(.open, ["id": "prestage-scope-N1-1"])
    #expect(world.desk.state.detail?.isLoading == false)
    #expect(world.api.requests.count == calls)
  }

  @Test("a row whose record says nothing of a PreStage is told by the scopes")
  func filled() async throws {
    let scopes = FakeInventory.api(1, prestages: [["C7"]])
    let api = ScriptedAPI { request throws(ServiceError) in
      guard request.path.hasSuffix("inventory") else { return try scopes.answer(request) }
      return FakeInventory.answer(
        200, #"{"totalCount": 1, "results": [{"id": "7", "hardware": {"serialNumber": "c7"}}]}"#)
    }
    let results = try await search(DeskWorld(api), ["text": ""])
    #expect(prestages(results.records) == ["Enrolled - PreStage 1 (ID: 1)"])
  }

  @Test("the rows are there before the PreStages are read, and nothing is asked where nobody wants them")
  func order() async throws {
    let world = DeskWorld(FakeInventory.api(60, prestages: [["N1"]]))
    _ = try await search(world, ["text": ""])
    #expect(
      world.api.requests.map { $0.path.split(separator: "/").last } == [
        "computers-inventory", "computers-inventory", "computer-prestages", "scope", "computers-inventory",
      ])
    #expect(world.api.requests[2].parameter("page-size") == "100")
    #expect(world.api.requests[4].parameter("filter") == "hardware.serialNumber=in=('N1')")

    let without = DeskWorld(FakeInventory.api(60, prestages: [["N1"]]))
    await without.desk.handle(
      .saveProfile, ["name": "Models", "field.hardware.model": "true", "field.general.name": "true"])
    _ = try await search(without, ["text": "", "profile": "Models"])
    #expect(without.api.requests.allSatisfy { $0.path.hasSuffix("computers-inventory") })
  }

  @Test("of devices that are not enrolled, those are found whose serial numbers have the text")
  func text() async throws {
    let world = DeskWorld(FakeInventory.api(1, prestages: [["XA1", "XB2", "YA3"]]))
    let results = try await search(world, ["text": "xa"])
    #expect(results.records.map(\.id.text) == ["1", "prestage-scope-XA1-1"])
  }

  @Test("a query decides on devices that are not enrolled too, and never takes an enrolled one for such")
  func query() async throws {
    let world = DeskWorld(FakeInventory.api(3, prestages: [["C2", "N1"]]))
    let unenrolled = RSQLCriterion(
      field: "prestageEnrollmentProfile", comparison: .startsWith, value: .string("not enrolled"))
    let results = try await query(world, unenrolled)
    #expect(results.records.map(\.id.text) == ["prestage-scope-N1-1"])
    #expect(world.api.requests.first?.path == "/api/v3/computer-prestages")

    // C2 is in the inventory, and merely doesn't meet the query.
    let other = RSQLCriterion(field: "security.sipStatus", comparison: .notEquals, value: .string("enabled"))
    #expect(try await self.query(world, other).records.map(\.id.text) == ["prestage-scope-N1-1"])
  }

  @Test(
    "PreStages that can't be read sink no search, and the view says so",
    arguments: [(403, "prestages"), (500, "prestages"), (404, "scope")])
  func failure(status: Int, path: String) async throws {
    let world = DeskWorld(
      FakeInventory.api(2, prestages: [["N1"]]) {
        $0.path.hasSuffix(path) ? FakeInventory.refusal(status) : nil
      })
    let results = try await search(world, ["text": ""])
    #expect(results.state == .complete)
    #expect(results.records.count == 2)
    #expect(results.note?.contains("could not be read") == true)
    #expect(world.diagnostics.reports.withLock { $0.count } == 1)
  }

  @Test("of more devices than are kept, those that are kept are told of all the same")
  func full() async throws {
    let world = DeskWorld(FakeInventory.api(SearchResults.limit + 1, prestages: [["C7", "N1"]]))
    let results = try await search(world, ["text": ""])
    #expect(results.state == .full)
    #expect(results.records.contains { $0[SearchSubject.computers.prestageKey] != nil })
    #expect(results.assigned == 0, "of a list that is cut nobody knows who is missing")
  }

  @Test("each search reads the PreStages anew: the server may be another one by then")
  func anew() async throws {
    let world = DeskWorld(FakeInventory.api(1, prestages: [["N1"]]))
    for _ in 1...2 { _ = try await search(world, ["text": ""]) }
    #expect(world.api.requests.filter { $0.path.hasSuffix("/scope") }.count == 2)
  }

  @Test("one scope that can't be read takes no other with it")
  func someFailure() async throws {
    let world = DeskWorld(
      FakeInventory.api(1, prestages: [["N1"], ["N2"]]) {
        $0.path.hasSuffix("/1/scope") ? FakeInventory.refusal(500) : nil
      })
    let results = try await search(world, ["text": ""])
    #expect(results.records.map(\.id.text) == ["1", "prestage-scope-N2-2"])
    let failure = JamfFailure.serverError(500)
    #expect(results.note == "what is in 1 PreStages could not be read (\(failure.what) \(failure.advice))")
  }

  @Test("more PreStages than are looked through are not asked for again, and the view says so")
  func manyPrestages() async throws {
    let world = DeskWorld(
      FakeInventory.api(1, prestages: Array(repeating: [], count: PrestageReference.limit + 1)))
    let results = try await search(world, ["text": ""])
    #expect(results.state == .complete)
    for words in [JamfLimit.prestages.what, JamfLimit.prestages.wayOut] {
      #expect(results.note?.contains(words) == true)
    }
    #expect(world.api.requests.allSatisfy { !$0.path.contains("/v2/computer-prestages") })
  }

  @Test("devices that can't be told from enrolled ones are not shown as such")
  func untold() async throws {
    let world = DeskWorld(
      FakeInventory.api(1, prestages: [["N1"]]) {
        $0.parameter("filter")?.contains("=in=") == true ? FakeInventory.refusal(500) : nil
      })
    let results = try await search(world, ["text": ""])
    #expect(results.state == .complete)
    #expect(results.assigned == 0)
    #expect(results.note?.contains("could not be told") == true)
  }

  @Test("cancel while the PreStages are read keeps the rows")
  func cancel() async throws {
    let world = DeskWorld(FakeInventory.api(2, prestages: [["N1"]]))
    world.onChange { if $0.state.results?.step != nil { $0.stop() } }
    let results = try await search(world, ["text": ""])
    #expect(results.state == .cancelled)
    #expect(results.records.count == 2)
  }

  @Test("older versions are asked where the newest is refused", arguments: [400, 403, 404, 405])
  func versions(status: Int) async throws {
    let api = FakeInventory.api(0, prestages: [["N1"]]) {
      $0.path.contains("/v1/") ? nil : FakeInventory.refusal(status)
    }
    let map = try await PrestageReader(client: JamfClient(api: api), calls: .computers).read()
    #expect(map["N1"]?.id == "1")
    #expect(
      api.requests.map(\.path) == [
        "/api/v3/computer-prestages", "/api/v2/computer-prestages", "/api/v1/computer-prestages",
        "/api/v2/computer-prestages/1/scope", "/api/v1/computer-prestages/1/scope",
      ])
  }

  /// Counts the requests that wait at once.
  private final class SlowAPI: APIService {
    let counts = Mutex((now: 0, most: 0))
    let fake = FakeInventory.api(0, prestages: (0..<20).map { ["N\($0)"] })

    nonisolated(nonsending) func request(_ request: APIRequest) async throws(ServiceError) -> APIResponse {
      counts.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      for _ in 0..<20 { await Task.yield() }
      counts.withLock { $0.now -= 1 }
      return try fake.answer(request)
    }
  }

  @Test("five scopes are read at once, and no more")
  func atOnce() async throws {
    let api = SlowAPI()
    let map = try await PrestageReader(client: JamfClient(api: api), calls: .mobileDevices).read()
    #expect(map.serials.count == 20)
    #expect(api.counts.withLock { $0.most } == 5)
  }
}
