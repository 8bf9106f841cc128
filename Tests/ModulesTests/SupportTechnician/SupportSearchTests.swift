import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@MainActor @Suite struct SupportSearchTests {
  private func search(_ api: ScriptedAPI) -> SupportSearch { SupportSearch(jamf: JamfClient(api: api)) }

  private nonisolated static func response(_ status: Int, _ body: String = "{}") -> APIResponse {
    APIResponse(status: status, body: Array(body.utf8))
  }

  private nonisolated static let mac =
    #"{"id":"7","general":{"name":"MAC-7","managementId":"m-7"},"hardware":{"serialNumber":"C7"}}"#

  @Test("a search asks for the text anywhere in four fields, and no literal can leave its quotes")
  func filter() async throws {
    let api = ScriptedAPI(#"{"totalCount":1,"results":[\#(Self.mac)]}"#)
    let (found, hasMore) = try await search(api).devices(.computer, "o'neil")
    #expect(found.map(\.name) == ["MAC-7"])
    #expect(!hasMore)
    #expect(api.requests.map(\.path) == ["/api/v3/computers-inventory"])
    #expect(
      api.requests.first?.parameter("filter")
        == #"(general.name=='*o\'neil*',hardware.serialNumber=='*o\'neil*',userAndLocation.username=='*o\'neil*',"#
        + #"userAndLocation.email=='*o\'neil*')"#)
  }

  @Test("older servers are asked in older ways, one after the other") func versions() async throws {
    let api = ScriptedAPI { request throws(ServiceError) in
      switch request.path {
      case "/api/v3/computers-inventory": Self.response(404)
      case "/api/v2/computers-inventory" where request.parameter("filter")?.contains("*") ?? false:
        Self.response(400)
      default: Self.response(200, #"{"totalCount":250,"results":[\#(Self.mac)]}"#)
      }
    }
    let (found, hasMore) = try await search(api).devices(.computer, "MAC-7")
    #expect(found.count == 1)
    #expect(hasMore)
    #expect(
      api.requests.map(\.path) == [
        "/api/v3/computers-inventory", "/api/v3/computers-inventory", "/api/v2/computers-inventory",
        "/api/v2/computers-inventory",
      ])
  }

  private nonisolated static let finalCases: [(Int, JamfFailure)] = [
    (403, .forbidden("/api/v2/mobile-devices/detail")), (503, .serverError(503)),
    (429, .rateLimited(retryAfterSeconds: nil)),
  ]

  @Test("what another way would not mend is said at once", arguments: finalCases)
  func final(status: Int, failure: JamfFailure) async {
    let api = ScriptedAPI(status: status, "{}")
    await #expect(throws: failure) { _ = try await search(api).devices(.mobileDevice, "x") }
    #expect(api.requests.count == 1)
  }

  @Test("both sides come together in one order, each device once") func merge() {
    func device(_ kind: SupportDeviceKind, _ id: String, _ name: String) -> SupportDevice {
      SupportDevice(kind, inventoryID: id, name: name, serial: "S\(id)", managementID: nil)
    }
    var result = SupportSearchResult()
    result.add(
      .mobileDevice, [device(.mobileDevice, "1", "A"), device(.mobileDevice, "1", "A")], hasMore: true)
    result.failures[.computer] = .serverError(500)
    result.add(.computer, [device(.computer, "2", "B"), device(.computer, "1", "A")], hasMore: false)
    #expect(result.devices.map(\.id?.text) == ["computer/1", "computer/2", "mobile_device/1"])
    #expect(result.cutKinds == [.mobileDevice])
  }

  @Test("a history that the Pro API keeps to itself is asked of the Classic API") func history() async throws
  {
    let api = ScriptedAPI { request throws(ServiceError) in
      request.path.hasPrefix("/api/")
        ? Self.response(403)
        : Self.response(200, #"{"computer_history":{"commands":{"pending":[{"name":"RestartDevice"}]}}}"#)
    }
    let device = try #require(SupportDevice(.computer, try supportTree(Self.mac)))
    let history = try await search(api).history(of: device)
    #expect(history.records.map(\.type) == ["RestartDevice"])
    #expect(api.requests.map(\.path) == ["/api/v2/mdm/commands", "/JSSResource/computerhistory/id/7"])
    #expect(api.requests.first?.parameter("filter") == "clientManagementId=='m-7'")
  }

  private nonisolated static let record = """
    {"id":"7","general":{"name":"MAC-7","managementId":"m-7","reportDate":"2026-11-01T08:00:00.000Z",
     "lastReportedIp":"192.0.2.7","remoteManagement":{"managed":true}},
     "hardware":{"serialNumber":"C7","model":"MacBook Air"},"userAndLocation":{"username":"ann"},
     "diskEncryption":{"fileVault2Enabled":false},"operatingSystem":{"version":"26.1"},
     "applications":[{"name":"Safari.app"},{"name":"Mail.app"},{"version":"1"}],
     "groupMemberships":[{"groupName":"All Managed Clients"}],
     "extensionAttributes":[{"name":"Rack","values":["7","8"]},{"name":"Empty","values":[]}]}
    """

  @Test("a page says what is known, and what to look at first") func detail() throws {
    let now: Int64 = 1_796_000_000_000
    let detail = try #require(SupportDetail(.computer, try supportTree(Self.record), now: now))
    #expect(detail.fact("Managed") == "yes")
    #expect(detail.fact("IP address") == "192.0.2.7")
    #expect(detail.fact("Rack") == "7, 8")
    #expect(detail.fact("Groups") == "All Managed Clients")
    #expect(detail.applications == ["Mail.app", "Safari.app"])
    #expect(detail.hints.filter(\.isWarning).map(\.text) == ["Inventory is 28 days old", "FileVault is off"])
    #expect(
      detail.shared.fields.map(\.label) == [
        "Serial Number", "Assigned User", "Inventory ID", "Management ID", "Model", "OS", "IP Address",
      ])
    #expect(SupportDetail(.computer, .null, now: now) == nil)
  }
}
