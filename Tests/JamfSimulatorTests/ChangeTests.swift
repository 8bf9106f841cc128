import ForsettiCore
import ForsettiHTTP
import Testing

@testable import JamfSimulator

@Suite struct PrestageCallTests {
  private var client = APIClient()
  private let path = "/api/v2/mobile-device-prestages"

  private func change(_ serials: [String], _ lock: Int64) -> JSONValue {
    .object([("serialNumbers", .strings(serials)), ("versionLock", .integer(lock))])
  }

  private func serials(_ scope: JSONValue) -> [String] {
    scope["assignments"]?.elements?.compactMap { $0["serialNumber"]?.stringValue } ?? []
  }

  @Test("PreStages are listed with their locks, and each has its scope") mutating func lists() {
    #expect(client.get(path).total == 6)
    #expect(
      client.get("/api/v3/computer-prestages").results.compactMap { $0["displayName"]?.stringValue }
        == Prestage.computerNames)
    #expect(client.get(path + "/3").json["displayName"]?.stringValue == "Shared Device PreStage")
    #expect(client.get(path + "/7").status == 404)
    #expect(client.get(path + "/7/scope").status == 404)
    #expect(!serials(client.get(path + "/1/scope").json).isEmpty)
  }

  @Test("a move is a removal and an addition, each with the lock it has seen") mutating func move() throws {
    let serial = try #require(serials(client.get(path + "/1/scope").json).first)
    let removed = client.post(path + "/1/scope/delete-multiple", change([serial], 0))
    #expect(removed.status == 200)
    #expect(removed.json["versionLock"]?.integerValue == 1)
    #expect(!serials(removed.json).contains(serial))
    let added = client.send("POST", path + "/2/scope", body: JSONWriter.bytes(change([serial], 0)))
    #expect(serials(added.json).contains(serial))
    #expect(serials(client.get("/api/v1/mobile-device-prestages/2/scope").json).contains(serial))
    let back = client.send(
      "DELETE", "/api/v1/mobile-device-prestages/2/scope", body: JSONWriter.bytes(change([serial], 1)))
    #expect(back.status == 200)
  }

  @Test("a change is refused with its reason, and makes none") mutating func refused() throws {
    let before = JSONWriter.text(client.get(path + "/1/scope").json)
    let mine = try #require(serials(client.get(path + "/1/scope").json).first)
    let other = try #require(serials(client.get(path + "/2/scope").json).first)
    let cases: [(JSONValue, Int, String)] = [
      (change([mine], 5), 409, "OPTIMISTIC_LOCK_FAILED"), (change([other], 0), 400, "ALREADY_SCOPED"),
      (change(["NOBODY"], 0), 400, "DEVICE_DOES_NOT_EXIST_ON_TOKEN"),
      (.object([("versionLock", .integer(0))]), 400, "JSON_PARSE_ERROR"),
      (.object([("serialNumbers", .strings([]))]), 400, "JSON_PARSE_ERROR"), (.null, 400, "JSON_PARSE_ERROR"),
    ]
    for (body, status, code) in cases {
      let answer = client.post(path + "/1/scope", body)
      #expect(answer.status == status)
      #expect(answer.code == code)
    }
    #expect(
      client.post(path + "/1/scope/delete-multiple", change([other], 0)).code
        == "DEVICE_DOES_NOT_EXIST_ON_TOKEN")
    #expect(client.send("POST", path + "/1/scope", body: [0xFF]).code == "JSON_PARSE_ERROR")
    #expect(JSONWriter.text(client.get(path + "/1/scope").json) == before)
  }
}

@Suite struct CommandTests {
  private var client = APIClient()

  private mutating func managementID(_ path: String) throws -> String {
    let record = client.get(path).json
    return try #require((record["managementId"] ?? record.at("general", "managementId"))?.stringValue)
  }

  private mutating func send(_ type: String, to id: String, _ more: [(String, JSONValue)] = [])
    -> APIClient.Answer
  {
    client.post(
      "/api/v2/mdm/commands",
      .object([
        ("clientData", .array([.object([("managementId", .string(id))])])),
        ("commandData", .object([("commandType", .string(type))] + more)),
      ]))
  }

  private mutating func states(of id: String) -> [String] {
    client.get(
      "/api/v2/mdm/commands", [("filter", "clientManagementId=='\(id)'"), ("sort", "dateSent:desc")]
    ).results
      .compactMap { $0["commandState"]?.stringValue }
  }

  /// A device's way is its number's.
  private static let fates: [(Int, [(Int64, String)])] = [
    (1, [(0, "PENDING"), (3_999, "PENDING"), (4_000, "ACKNOWLEDGED")]),
    (7, [(0, "PENDING"), (4_000, "NOT_NOW"), (19_999, "NOT_NOW"), (20_000, "ACKNOWLEDGED")]),
    (13, [(0, "PENDING"), (4_000, "ERROR"), (100_000, "ERROR")]),
  ]

  @Test("an order moves from pending to its end as time goes by", arguments: fates)
  mutating func moves(device: Int, steps: [(Int64, String)]) throws {
    let id = try managementID("/api/v3/computers-inventory/\(device)")
    let sent = send("RESTART_DEVICE", to: id)
    #expect(sent.status == 201)
    let uuid = try #require(sent.json.elements?.first?["id"]?.stringValue)
    #expect(sent.json.elements?.first?["href"]?.stringValue == "/v2/mdm/commands/\(uuid)")
    let start = client.time
    for (after, state) in steps {
      client.time = start + after
      #expect(states(of: id) == [state])
    }
  }

  @Test("what a device was told shows in its record when it has done it, and not before")
  mutating func effects() throws {
    let id = try managementID("/api/v2/mobile-devices/1")
    #expect(send("ENABLE_LOST_MODE", to: id).status == 201)
    func isLost() -> Bool? {
      client.get("/api/v2/mobile-devices/1/detail").json.at("ios", "lostModeEnabled")?.boolValue
    }
    #expect(isLost() == false)
    client.time += 4_000
    #expect(isLost() == true)
    #expect(
      client.get("/api/v2/mobile-devices/1/detail").json["lastInventoryUpdateTimestamp"]?.stringValue
        == timestampText(client.time))
    let mac = try managementID("/api/v3/computers-inventory/13")
    #expect(send("ENABLE_REMOTE_DESKTOP", to: mac).status == 201)
    client.time += 60_000
    let contact = client.get("/api/v3/computers-inventory/13").json.at("general", "lastContactTime")?
      .stringValue
    #expect(CivilTime(iso8601: contact ?? "").map { $0.milliseconds <= Organisation.inventoryTime } == true)
  }

  @Test("the code of a lock can be read once the computer is locked") mutating func lock() throws {
    let id = try managementID("/api/v3/computers-inventory/2")
    let path = "/api/v3/computers-inventory/2/view-device-lock-pin"
    #expect(send("DEVICE_LOCK", to: id, [("pin", .string("482913"))]).status == 201)
    #expect(client.get(path).status == 404)
    client.time += 4_000
    #expect(client.get(path).json["pin"]?.stringValue == "482913")
  }

  @Test("an order is refused where it does not suit the device, is none, or nobody is told")
  mutating func refused() throws {
    let mac = try managementID("/api/v3/computers-inventory/1")
    #expect(send("CLEAR_PASSCODE", to: mac).field == "commandType")
    #expect(send("DANCE", to: mac).code == "JSON_PARSE_ERROR")
    #expect(send("RESTART_DEVICE", to: "nobody").status == 404)
    #expect(states(of: mac).isEmpty)
    #expect(client.get("/api/v2/mdm/commands").field == "filter")
    client.token = client.logIn("forsetti-reader")["access_token"]?.stringValue
    #expect(send("RESTART_DEVICE", to: mac).status == 403)
  }

  @Test("a push tells whom it did not reach, and other calls give orders too") mutating func others() throws {
    let id = try managementID("/api/v3/computers-inventory/1")
    let push = client.post(
      "/api/v2/mdm/blank-push", .object([("clientManagementIds", .strings([id, "nobody"]))]))
    #expect(push.json["errorUuids"]?.elements?.compactMap(\.stringValue) == ["nobody"])
    #expect(client.send("POST", "/api/v1/ddm/\(id)/sync").status == 204)
    #expect(client.send("POST", "/api/v1/computer-inventory/1/erase").json["deviceId"]?.stringValue == "1")
    #expect(client.send("POST", "/api/v1/jamf-management-framework/redeploy/1").status == 202)
    #expect(states(of: id).count == 3)
  }
}

@Suite struct SecretTests {
  @Test("keys and passwords are made up, stay the same, and are not there where nothing is set")
  func secrets() throws {
    var client = APIClient()
    var outcomes: [String: Set<Int>] = [:]
    for number in 1...60 {
      for secret in ["filevault", "view-recovery-lock-password"] {
        let path = "/api/v3/computers-inventory/\(number)/\(secret)"
        let answer = client.get(path)
        outcomes[secret, default: []].insert(answer.status)
        #expect(JSONWriter.text(answer.json) == JSONWriter.text(client.get(path).json))
      }
    }
    #expect(outcomes == ["filevault": [200, 404], "view-recovery-lock-password": [200, 404]])
  }

  @Test("a local password is the one that was set last") func localPassword() throws {
    var client = APIClient()
    let id = try #require(
      client.get("/api/v3/computers-inventory/4").json.at("general", "managementId")?.stringValue)
    let base = "/api/v2/local-admin-password/\(id)"
    let account = try #require(client.get(base + "/accounts").results.first)
    let guid = try #require(account["guid"]?.stringValue)
    func password() -> String? {
      client.get(base + "/account/jssmanage/password").json["password"]?.stringValue
    }
    let first = password()
    #expect(first?.utf8.count == 20)
    #expect(client.get(base + "/account/jssmanage/\(guid)/password").json["password"]?.stringValue == first)
    let entry = JSONValue.object([("username", .string("jssmanage")), ("password", .string("another"))])
    let body = JSONValue.object([("lapsUserPasswordList", .array([entry]))])
    #expect(client.send("PUT", base + "/set-password", body: JSONWriter.bytes(body)).status == 200)
    #expect(password() == "another")
    #expect(client.send("PUT", base + "/set-password").status == 400)
    #expect(client.get(base + "/account/somebody/password").status == 404)
    #expect(client.get("/api/v2/local-admin-password/nobody/accounts").status == 404)
  }
}

@Suite struct ClassicTests {
  private var client = APIClient()
  private let commands = "/JSSResource/mobiledevicecommands/command"

  private func document(_ command: String, _ id: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?><mobile_device_command><general><command>\(command)</command></general>
      <mobile_devices><mobile_device><id>\(id)</id></mobile_device></mobile_devices></mobile_device_command>
      """.utf8)
  }

  private func text(_ answer: APIClient.Answer) -> String {
    guard case .bytes(let bytes) = answer.served.response.body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("an order by the inventory's ID is given, and is in the history") mutating func orders() throws {
    let answer = client.send("POST", "/JSSResource/computercommands/command/SettingsDisableBluetooth/id/1,2")
    #expect(answer.status == 201)
    let id = try #require(
      client.get("/api/v3/computers-inventory/1").json.at("general", "managementId")?.stringValue)
    let row = try #require(
      client.get("/api/v2/mdm/commands", [("filter", "clientManagementId=='\(id)'")]).results.first)
    #expect(text(answer).contains("<command_uuid>\(row["uuid"]?.stringValue ?? "?")</command_uuid>"))
    func history() -> JSONValue? {
      client.get("/JSSResource/computerhistory/id/1").json.at("computer_history", "commands")
    }
    #expect(history()?["pending"]?.elements?.count == 1)
    client.time += 4_000
    #expect(
      history()?["completed"]?.elements?.first?["name"]?.stringValue == "SettingsDisableBluetooth")
  }

  @Test("a mobile device is told by a document") mutating func document() throws {
    let headers: HTTPHeaders = ["Content-Type": "application/xml"]
    let answer = client.send("POST", commands, headers: headers, body: document("SettingsEnableWifi", "13"))
    #expect(answer.status == 201)
    #expect(text(answer).contains("<mobile_device_id>13</mobile_device_id>"))
    client.time += 4_000
    let failed = client.get("/JSSResource/mobiledevicehistory/id/13").json
      .at("mobile_device_history", "management_commands", "failed")
    #expect(failed?.elements?.first?["name"]?.stringValue == "SettingsEnableWifi")
  }

  @Test("an order that is none is refused, and nobody is told") mutating func refused() throws {
    let xml: HTTPHeaders = ["Content-Type": "text/xml"]
    let path = "/JSSResource/computercommands/command/"
    #expect(client.send("POST", path + "ClearPasscode/id/1").status == 400)
    #expect(client.send("POST", path + "UpdateInventory/id/1,x").status == 400)
    #expect(client.send("POST", path + "UpdateInventory/id/1,9999").status == 404)
    #expect(client.send("POST", commands, body: document("UpdateInventory", "1")).status == 415)
    #expect(client.send("POST", commands, headers: xml, body: document("Dance", "1")).status == 400)
    #expect(client.send("POST", commands, headers: xml, body: document("UpdateInventory", "x")).status == 400)
    #expect(client.send("POST", commands, headers: xml, body: Array("<a>".utf8)).status == 400)
    #expect(
      client.get("/JSSResource/computerhistory/id/1").json.at("computer_history", "commands", "pending")?
        .elements?.isEmpty == true)
    client.token = client.logIn("forsetti-reader")["access_token"]?.stringValue
    #expect(client.send("POST", path + "UpdateInventory/id/1").status == 403)
  }
}

@Suite struct UpdatePlanTests {
  private var client = APIClient()
  private let path = "/api/v1/managed-software-updates/plans"

  private func plan(_ type: String, _ id: String, _ more: [(String, JSONValue)]) -> JSONValue {
    .object([
      ("devices", .array([.object([("objectType", .string(type)), ("deviceId", .string(id))])])),
      (
        "config",
        .object(
          [
            ("updateAction", .string("DOWNLOAD_INSTALL_ALLOW_DEFERRAL")),
            ("versionType", .string("LATEST_ANY")),
          ] + more)
      ),
    ])
  }

  @Test("a plan is made for a device, and comes to its end") mutating func plans() throws {
    let deferrals = [("maxDeferrals", JSONValue.integer(3))]
    let made = client.post(path, plan("COMPUTER", "1", deferrals))
    #expect(made.status == 201)
    let id = try #require(made.json["plans"]?.elements?.first?["planId"]?.stringValue)
    func state() -> String? { client.get("\(path)/\(id)").json.at("status", "state")?.stringValue }
    #expect(state() == "Init")
    client.time += 4_000
    #expect(state() == "StartingPlan")
    client.time += 60_000
    #expect(state() == "PlanCompleted")
    #expect(client.post(path, plan("MOBILE_DEVICE", "13", deferrals)).status == 201)
    client.time += 4_000
    #expect(client.get(path).results.last?.at("status", "state")?.stringValue == "PlanFailed")
    #expect(client.get(path + "/nobody").status == 404)
  }

  @Test("a plan is refused without its number of deferrals, or for nobody") mutating func refused() {
    let deferrals = [("maxDeferrals", JSONValue.integer(3))]
    #expect(client.post(path, plan("COMPUTER", "1", [])).field == "maxDeferrals")
    #expect(client.post(path, plan("COMPUTER", "9999", deferrals)).status == 404)
    #expect(client.post(path, plan("PRINTER", "1", deferrals)).status == 400)
    #expect(client.get(path).total == 0)
  }
}

@Suite struct StaticGroupTests {
  private var client = APIClient()
  private let path = "/api/v2/computer-groups/static-groups"

  private mutating func put(_ group: Int, _ members: [Int]) -> APIClient.Answer {
    let body = JSONValue.object([
      ("name", .string("Temporary Admin 15 Minutes")),
      ("assignments", .object([("computerIds", .array(members.map { .integer($0) }))])),
    ])
    return client.send("PUT", "\(path)/\(group)", body: JSONWriter.bytes(body))
  }

  private mutating func status(_ computer: Int) -> String? {
    client.get("/api/v3/computers-inventory/\(computer)", [("section", "EXTENSION_ATTRIBUTES")])
      .json["extensionAttributes"]?.elements?
      .first { $0["name"]?.stringValue == "Temporary Admin Status" }?["values"]?.elements?.first?.stringValue
  }

  @Test("a Mac that comes into a group reports what it did, and its rights end by themselves")
  mutating func elevates() {
    #expect(client.get(path).total == 5)
    #expect(put(2, [1, 13]).status == 202)
    #expect(status(1) == nil)
    client.time += 4_000
    #expect(status(1) == "elevated")
    #expect(status(13) == "failed")
    #expect(client.get("\(path)/2").json.at("assignments", "computerIds")?.elements?.count == 2)
    client.time += 15 * 60_000
    #expect(status(1) == "demoted")
  }

  @Test("rights are taken away at once by the group for it") mutating func demotes() {
    _ = put(4, [1])
    client.time += 4_000
    _ = put(5, [1])
    client.time += 4_000
    #expect(status(1) == "demoted")
    client.time += 60 * 60_000
    // The first token's time is over by now.
    client.token = client.logIn("forsetti-demo")["access_token"]?.stringValue
    #expect(status(1) == "demoted")
  }

  @Test("a group is changed by who may, and by computers that are there") mutating func refused() {
    #expect(put(9, []).status == 404)
    #expect(put(1, [9_999]).status == 400)
    #expect(client.send("PUT", path + "/1", body: Array("{}".utf8)).status == 400)
    client.token = client.logIn("forsetti-reader")["access_token"]?.stringValue
    #expect(put(1, [1]).status == 403)
    #expect(client.get(path + "/1").status == 200)
  }
}
