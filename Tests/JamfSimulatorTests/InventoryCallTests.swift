import ForsettiCore
import Testing

@testable import JamfSimulator

@Suite struct InventoryCallTests {
  private static let lists = [
    "/api/v1/computers-inventory", "/api/v2/computers-inventory", "/api/v3/computers-inventory",
    "/api/v2/mobile-devices/detail", "/api/v2/mobile-devices",
  ]

  private func identifier(_ record: JSONValue) -> String? {
    (record["id"] ?? record["mobileDeviceId"])?.stringValue
  }

  @Test("pages hold every device once, whatever their size", arguments: lists) func pages(path: String) {
    var client = APIClient()
    let total = path.contains("computers") ? 120 : 60
    for size in [7, 50, 2_000] {
      var seen: [String] = []
      var page = 0
      while true {
        let answer = client.get(path, [("page", "\(page)"), ("page-size", "\(size)")])
        #expect(answer.total == Int64(total))
        if answer.results.isEmpty { break }
        seen += answer.results.compactMap(identifier)
        page += 1
      }
      #expect(seen.count == total)
      #expect(Set(seen).count == total)
      #expect(page == (total + size - 1) / size)
    }
  }

  private static let refused: [(String, String, String)] = [
    ("page", "-1", "page"), ("page", "x", "page"), ("page-size", "0", "page-size"),
    ("page-size", "2001", "page-size"),
    ("sort", "nothing:asc", "sort"), ("section", "GENERALLY", "section"), ("filter", "nothing==1", "filter"),
    ("filter", "((", "filter"),
  ]

  @Test("a parameter that is wrong is answered 400 with its name", arguments: refused)
  func wrong(name: String, value: String, field: String) {
    var client = APIClient()
    for path in ["/api/v3/computers-inventory", "/api/v2/mobile-devices/detail"] {
      let answer = client.get(path, [(name, value)])
      #expect(answer.status == 400)
      #expect(answer.code == "INVALID_FIELD")
      #expect(answer.field == field)
    }
  }

  @Test("a filter narrows the list, and the total with it") func filter() throws {
    var client = APIClient()
    let some = try #require(
      client.get("/api/v3/computers-inventory/17", [("section", "HARDWARE")]).json.at(
        "hardware", "serialNumber")?.stringValue)
    let found = client.get(
      "/api/v3/computers-inventory", [("filter", "hardware.serialNumber==\"\(some.lowercased())\"")])
    #expect(found.total == 1)
    #expect(found.results.compactMap(identifier) == ["17"])
    let managed = client.get(
      "/api/v2/mobile-devices/detail", [("filter", "managed==true"), ("page-size", "2000")])
    let others = client.get("/api/v2/mobile-devices/detail", [("filter", "managed==false")])
    #expect((managed.total ?? 0) + (others.total ?? 0) == 60)
    #expect(managed.results.allSatisfy { $0.at("general", "managed")?.boolValue == true })
    #expect(client.get("/api/v3/computers-inventory", [("filter", " ")]).total == 120)
  }

  @Test("sections come one by one or with commas, and ALL is all of the version") func sections() {
    var client = APIClient()
    let path = "/api/v3/computers-inventory/1"
    func given(_ record: JSONValue) -> [String] {
      record.members?.filter { $0.value.members != nil || $0.value.elements != nil }.map(\.key) ?? []
    }
    #expect(given(client.get(path).json) == ["general"])
    #expect(
      given(client.get(path, [("section", "STORAGE"), ("section", "HARDWARE")]).json) == [
        "storage", "hardware",
      ])
    #expect(given(client.get(path, [("section", "STORAGE,HARDWARE")]).json) == ["storage", "hardware"])
    #expect(given(client.get(path, [("section", "ALL")]).json).count == 21)
    #expect(client.get(path, [("section", "FONTS")]).status == 400)
    #expect(client.get("/api/v1/computers-inventory/1", [("section", "FONTS")]).status == 200)
    #expect(given(client.get("/api/v1/computers-inventory-detail/1").json).count == 23)
    #expect(
      given(client.get("/api/v2/mobile-devices/detail", [("section", "HARDWARE")]).results[0]) == ["hardware"]
    )
  }

  @Test("a device alone is the one of the list") func alone() {
    var client = APIClient()
    let listed = client.get(
      "/api/v2/mobile-devices/detail", [("filter", "mobileDeviceId==9"), ("section", "GENERAL,HARDWARE")]
    ).results[0]
    let detail = client.get("/api/v2/mobile-devices/9/detail").json
    #expect(detail["serialNumber"]?.stringValue == listed.at("hardware", "serialNumber")?.stringValue)
    #expect(detail["name"]?.stringValue == listed.at("general", "displayName")?.stringValue)
    #expect(client.get("/api/v2/mobile-devices/9").json["udid"]?.stringValue == detail["udid"]?.stringValue)
  }

  @Test(
    "what is not there is answered 404, and what is not for a path 405",
    arguments: [
      ("GET", "/api/v3/computers-inventory/121", 404), ("GET", "/api/v3/computers-inventory/0", 404),
      ("GET", "/api/v3/computers-inventory/x", 404), ("GET", "/api/v3/computers-inventory-detail/-1", 404),
      ("GET", "/api/v2/mobile-devices/61/detail", 404), ("GET", "/api/v4/computers-inventory", 404),
      ("GET", "/", 404), ("GET", "/api", 404), ("DELETE", "/api/v3/computers-inventory", 405),
      ("PUT", "/api/v2/mobile-devices/1", 405), ("get", "/api/v1/auth", 405),
    ])
  func absent(method: String, path: String, status: Int) {
    var client = APIClient()
    #expect(client.send(method, path).status == status)
  }

  @Test("each call needs its privileges, and is refused without them before it is looked at")
  func privileges() {
    let calls: [(String, String)] = [
      ("GET", "/api/v1/computers-inventory"), ("GET", "/api/v3/computers-inventory/999"),
      ("GET", "/api/v3/computers-inventory-detail/1"), ("GET", "/api/v2/mobile-devices"),
      ("GET", "/api/v2/mobile-devices/1/detail"), ("GET", "/api/v3/computer-prestages"),
      ("GET", "/api/v2/mobile-device-prestages/1/scope"), ("POST", "/api/v2/mobile-device-prestages/1/scope"),
      ("DELETE", "/api/v1/mobile-device-prestages/1/scope"), ("GET", "/api/v2/mdm/commands"),
      ("POST", "/api/v2/mdm/commands"), ("POST", "/api/v2/mdm/blank-push"), ("POST", "/api/v1/ddm/x/sync"),
      ("POST", "/api/v1/computer-inventory/1/erase"), ("GET", "/api/v3/computers-inventory/1/filevault"),
      ("GET", "/api/v3/computers-inventory/1/view-recovery-lock-password"),
      ("GET", "/api/v3/computers-inventory/1/view-device-lock-pin"),
      ("GET", "/api/v2/local-admin-password/x/accounts"),
      ("PUT", "/api/v2/local-admin-password/x/set-password"),
      ("GET", "/api/v1/buildings"), ("GET", "/api/v1/departments"), ("GET", "/api/v1/api-role-privileges"),
      ("GET", "/api/v2/computer-extension-attributes"), ("GET", "/api/v1/mobile-device-extension-attributes"),
      ("POST", "/api/v1/jamf-management-framework/redeploy/1"),
    ]
    var client = APIClient(as: "forsetti-nobody")
    for (method, path) in calls {
      let answer = client.send(method, path)
      #expect(answer.status == 403, "\(method) \(path)")
      #expect(answer.code == "INVALID_PRIVILEGE")
    }
    #expect(client.get("/api/v1/auth").status == 200)
  }

  @Test("buildings, departments and extension attributes are those that devices name") func organisation() {
    var client = APIClient()
    #expect(
      client.get("/api/v1/buildings").results.compactMap { $0["name"]?.stringValue } == Organisation.buildings
    )
    #expect(client.get("/api/v1/departments", [("page-size", "5"), ("page", "2")]).results.count == 2)
    let attributes = client.get("/api/v2/computer-extension-attributes").results
    #expect(attributes.compactMap { $0["id"]?.stringValue } == (1...9).map(String.init))
    #expect(attributes[1]["popupMenuChoices"]?.elements?.count == 3)
    #expect(client.get("/api/v1/mobile-device-extension-attributes").total == 3)
  }
}
