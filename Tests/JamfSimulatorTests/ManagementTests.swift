import ForsettiCore
import ForsettiHTTP
import Testing

@testable import JamfSimulator

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

@Suite struct PolicyTests {
  private var client = APIClient()

  private mutating func script(_ contents: String) throws -> Int {
    let body = JSONValue.object([
      ("name", .string("once \(contents)")), ("scriptContents", .string(contents)),
    ])
    return try #require(client.post("/api/v1/scripts", body).json["id"]?.stringValue.flatMap { Int($0) })
  }

  private mutating func policy(_ script: Int, _ application: String, type: String = "application/xml")
    -> APIClient.Answer
  {
    client.send(
      "POST", "/JSSResource/policies/id/0", headers: ["Content-Type": type],
      body: Array(
        """
        <policy><general><name>once</name></general><scope><computers><computer><id>1</id></computer></computers>
        </scope><scripts><script><id>\(script)</id><parameter4>\(application)</parameter4></script></scripts></policy>
        """.utf8))
  }

  private mutating func applications() -> [String] {
    client.get("/api/v3/computers-inventory/1", [("section", "APPLICATIONS")]).json["applications"]?.elements?
      .compactMap { $0["name"]?.stringValue } ?? []
  }

  @Test("a computer that is pushed runs its policies once, and its inventory shows what came of it")
  mutating func runs() throws {
    let id = try #require(
      client.get("/api/v3/computers-inventory/1").json.at("general", "managementId")?.stringValue)
    let push = JSONValue.object([("clientManagementIds", .strings([id]))])
    let install = try script("jamf policy -event install-$4")
    #expect(policy(install, "Pens &amp; Paper").status == 201)
    _ = client.post("/api/v2/mdm/blank-push", push)
    #expect(!applications().contains("Pens & Paper.app"))
    client.time += 4_000
    #expect(applications().contains("Pens & Paper.app"))
    let remove = try script("jamf policy -event uninstall-$4")
    _ = policy(remove, "Safari.app")
    _ = client.post("/api/v2/mdm/blank-push", push)
    client.time += 4_000
    #expect(!applications().contains("Safari.app"))
    #expect(applications().contains("Pens & Paper.app"))
  }

  @Test("scripts and policies can be taken back, and what is none is refused") mutating func refused() throws
  {
    let number = try script("jamf policy -event install-$4")
    #expect(client.post("/api/v1/scripts", .object([("name", .string("x"))])).status == 400)
    #expect(policy(999, "x").status == 404)
    #expect(policy(number, "x", type: "application/json").status == 415)
    #expect(policy(number, "x").status == 201)
    let policies = client.get("/JSSResource/policies").json["policies"]?.elements ?? []
    let made = try #require(policies.first?["id"]?.integerValue)
    #expect(client.send("DELETE", "/JSSResource/policies/id/\(made)").status == 200)
    #expect(client.send("DELETE", "/JSSResource/policies/id/\(made)").status == 404)
    #expect(client.send("DELETE", "/api/v1/scripts/\(number)").status == 204)
    #expect(client.get("/api/v1/scripts").total == 0)
  }
}
