import ForsettiCore
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
