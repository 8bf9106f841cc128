import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@MainActor @Suite struct InventorySearchTests {
  private func request(_ wanted: SearchRequest.Wanted, _ columns: [String]? = nil) -> SearchRequest {
    SearchRequest(
      wanted: wanted, columns: columns ?? SearchSubject.computers.columns,
      catalogue: SearchSubject.computers.catalogue)
  }

  private func run(
    _ api: ScriptedAPI, _ request: SearchRequest, _ subject: SearchSubject = .computers
  ) async throws(JamfFailure) -> ([InventoryRecord], SearchAttempt) {
    var records: [InventoryRecord] = []
    let attempt = try await InventorySearch(subject: subject, client: JamfClient(api: api)).run(request) {
      records += $0.records
      return true
    }
    return (records, attempt)
  }

  @Test("a text is looked for in identity keys and columns, and only sections of the columns are asked for")
  func text() async throws {
    let api = FakeInventory.api(3)
    let (records, attempt) = try await run(api, request(.text(" c02 ")))
    #expect(records.map(\.id) == [.inventory("1"), .inventory("2"), .inventory("3")])
    #expect(
      records[0].values == [
        "general.name": "Mac 1", "hardware.serialNumber": "C1",
        "prestageEnrollmentProfile": "Enrolled - Standard Mac (ID: 12)",
      ])
    #expect(attempt.note == nil)
    let asked = try #require(api.requests.first)
    #expect(asked.path == "/api/v3/computers-inventory")
    #expect(asked.parameter("sort") == "general.name:asc")
    #expect(
      asked.query.filter { $0.name == "section" }.map(\.value) == [
        "GENERAL", "HARDWARE", "OPERATING_SYSTEM", "USER_AND_LOCATION",
      ])
    #expect(
      asked.parameter("filter")
        == "("
        + (SearchSubject.computers.identityKeys + ["operatingSystem.version"])
        .map { "\($0)=='*c02*'" }.joined(separator: ",") + ")")
  }

  @Test("without a text or a query all are listed, page by page, without a filter")
  func all() async throws {
    let api = FakeInventory.api(450)
    let (records, _) = try await run(api, request(.text("")))
    #expect(records.count == 450)
    #expect(api.requests.compactMap { $0.parameter("page-size") } == ["50", "50", "100", "200", "200"])
    #expect(api.requests.compactMap { $0.parameter("page") } == ["0", "1", "1", "1", "2"])
    #expect(api.requests.allSatisfy { $0.parameter("filter") == nil })
  }

  @Test("plug-ins and fonts are asked for in the first version alone", arguments: [3, 1])
  func oldestSections(version: Int) async throws {
    let api = FakeInventory.api(1) {
      $0.path.contains("/v\(version)/") ? nil : FakeInventory.refusal(404)
    }
    _ = try await run(api, request(.text(""), ["general.name", "plugins[].name", "fonts[].name"]))
    let asked = try #require(api.requests.last)
    #expect(asked.path == "/api/v\(version)/computers-inventory")
    let sections = asked.query.filter { $0.name == "section" }.map(\.value)
    #expect(sections.contains("GENERAL"))
    #expect(sections.contains("PLUGINS") == (version == 1))
    #expect(sections.contains("FONTS") == (version == 1))
  }

  @Test("what Jamf Pro can't decide is decided here, on fields that are no columns too")
  func residual() async throws {
    let api = FakeInventory.api(10)
    let query = RSQLQuery(groups: [
      RSQLGroup(
        criteria: [
          RSQLCriterion(field: "general.name", comparison: .endsWith, value: .string("3")),
          RSQLCriterion(field: "security.sipStatus", comparison: .equals, value: .string("disabled")),
        ], combinator: .or)
    ])
    let (records, _) = try await run(api, request(.query(query)))
    #expect(records.map(\.id) == [.inventory("3")])
    #expect(records[0]["security.sipStatus"] == nil)
    let asked = try #require(api.requests.first)
    #expect(asked.parameter("filter") == nil)
    #expect(asked.query.contains { $0.name == "section" && $0.value == "SECURITY" })
  }

  @Test("a refused filter is asked for in simpler ways, then of older versions")
  func ladder() async throws {
    let api = FakeInventory.api(2) { request in
      request.path.contains("/v1/") ? nil : FakeInventory.refusal(request.path.contains("/v2/") ? 404 : 400)
    }
    let (records, attempt) = try await run(api, request(.text("mac")))
    #expect(records.count == 2)
    #expect(attempt == SearchAttempt(version: 2, text: .anywhere))
    #expect(api.requests.map { $0.path.split(separator: "/")[1] } == ["v3", "v3", "v3", "v2", "v1"])
    #expect(
      api.requests[2].parameter("filter") == "(general.name=='mac',hardware.serialNumber=='mac',udid=='mac')")
  }

  @Test("without the right to the sections it goes on without them, exactly and by identity")
  func forbidden() async throws {
    let api = FakeInventory.api(2) { request in
      request.parameter("section") == nil ? nil : FakeInventory.refusal(403)
    }
    let (records, attempt) = try await run(api, request(.text("mac")))
    #expect(records.count == 2)
    #expect(attempt == SearchAttempt(sections: .none, text: .exact))
    #expect(api.requests.last?.parameter("filter")?.contains("operatingSystem") == false)
  }

  @Test("sections that an older Jamf Pro names otherwise are asked for by those names")
  func olderSections() async throws {
    let api = ScriptedAPI { request throws(ServiceError) in
      let isModern = request.query.contains { $0.name == "section" && $0.value == "USER_AND_LOCATION" }
      let (status, text) =
        isModern
        ? FakeInventory.refusal(400, "section")
        : (
          200,
          #"{"results": [{"mobileDeviceId": 7, "hardware": {"model": "iPad", "serialNumber": "F12345"}}]}"#
        )
      return FakeInventory.answer(status, text)
    }
    let subject = SearchSubject.mobileDevices
    let (records, attempt) = try await run(
      api, SearchRequest(wanted: .text("x"), columns: subject.columns, catalogue: subject.catalogue), subject)
    #expect(attempt.sections == .older)
    #expect(api.requests.last?.query.contains { $0.value == "LOCATION" } == true)
    #expect(records.map { subject.title($0) } == ["iPad (2345)"])
    #expect(api.requests[0].parameter("filter")?.hasPrefix("(serialNumber=='*x*',username=='*x*'") == true)
  }

  @Test("a refusal in the middle is told, and nothing is asked for otherwise")
  func middle() async throws {
    let api = FakeInventory.api(450) { request in
      request.parameter("page") == "1" ? FakeInventory.refusal(404) : nil
    }
    var seen = 0
    let search = InventorySearch(subject: .computers, client: JamfClient(api: api))
    await #expect(throws: JamfFailure.notFound("/api/v3/computers-inventory")) {
      _ = try await search.run(request(.text(""))) {
        seen += $0.records.count
        return true
      }
    }
    #expect(seen == 50)
    #expect(api.requests.count == 2)
  }

  @Test("records of any shape are taken for what they are")
  func shapes() async throws {
    let api = ScriptedAPI(#"[{"id": 7}, {"general": {"name": "Nobody's"}}, {"id": {}}]"#)
    let (records, _) = try await run(api, request(.text("")))
    #expect(records.map(\.id) == [.inventory("7"), .place(1), .place(2)])
    #expect(records.map { SearchSubject.computers.title($0) }.prefix(2) == ["Unknown Computer", "Nobody's"])
  }

  @Test(
    "a list of something else is no list of computers",
    arguments: [#"[{}]"#, #"{"results": [{"unexpected": true}]}"#])
  func strangers(text: String) async throws {
    await #expect(throws: JamfFailure.unreadable("records of a computer were expected.")) {
      _ = try await run(ScriptedAPI(text), request(.text("")))
    }
  }

  @Test("one record is asked for whole, and one that is gone is nothing")
  func detail() async throws {
    let api = FakeInventory.api(3)
    let search = InventorySearch(subject: .computers, client: JamfClient(api: api))
    let record = try #require(try await search.detail(2, SearchSubject.computers.catalogue))
    #expect(record.id == .inventory("2"))
    #expect(record["security.sipStatus"] == "ENABLED")
    #expect(api.requests.last?.parameter("filter") == "id=='2'")
    #expect(try await search.detail(9, SearchSubject.computers.catalogue) == nil)
  }

  @Test("extension attributes come from the newest version that has them")
  func attributes() async throws {
    let api = FakeInventory.api(1) { $0.path.contains("/v2/") ? FakeInventory.refusal(404) : nil }
    let search = InventorySearch(subject: .computers, client: JamfClient(api: api))
    #expect(try await search.extensionAttributes().map(\.name) == ["Owner"])
    let classic = ScriptedAPI { request throws(ServiceError) in
      request.path.hasPrefix("/JSSResource/")
        ? FakeInventory.answer(200, #"{"computer_extension_attributes": [{"id": 5, "name": "Owner"}]}"#)
        : FakeInventory.answer(404, "")
    }
    let old = InventorySearch(subject: .computers, client: JamfClient(api: classic))
    #expect(try await old.extensionAttributes().map(\.id) == ["5"])
    let none = InventorySearch(
      subject: .computers, client: JamfClient(api: ScriptedAPI(status: 403, "{}")))
    await #expect(throws: JamfFailure.self) { try await none.extensionAttributes() }
  }
}
