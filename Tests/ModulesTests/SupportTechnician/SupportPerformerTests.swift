import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@MainActor @Suite struct SupportPerformerTests {
  private nonisolated static let device = SupportDevice(
    .computer, inventoryID: "12", name: "MAC-12", serial: "C12", managementID: "m-12")
  private nonisolated static let input = SupportActionInput(pin: "012345", message: "lost")

  private func perform(_ action: SupportAction, _ api: ScriptedAPI) async throws -> SupportPerformer.Outcome {
    let procedure = try #require(SupportProcedure(action, on: Self.device, Self.input))
    return try await SupportPerformer(jamf: JamfClient(api: api)).perform(procedure)
  }

  private nonisolated static func response(_ status: Int, _ body: String = "") -> APIResponse {
    APIResponse(status: status, body: Array(body.utf8))
  }

  @Test("an order gives the command that Jamf made of it") func order() async throws {
    let api = ScriptedAPI(status: 201, #"[{"id":"u-1","href":"/v2/mdm/commands/u-1"}]"#)
    #expect(try await perform(.restartDevice, api) == .accepted(uuid: "u-1", nil))
    guard case .accepted("u-1", let secret) = try await perform(.sendDeviceLock, api) else {
      Issue.record("not accepted")
      return
    }
    #expect(secret?.value == "012345")
  }

  @Test(
    "the inventory is asked of the Classic API where the Pro API does nothing", arguments: [400, 403, 404])
  func fallback(status: Int) async throws {
    let xml = "<computer_command><command><command_uuid>u-2</command_uuid></command></computer_command>"
    let api = ScriptedAPI { request throws(ServiceError) in
      request.path.hasPrefix("/api/") ? Self.response(status) : Self.response(201, xml)
    }
    #expect(try await perform(.refreshInventory, api) == .accepted(uuid: "u-2", nil))
    #expect(
      api.requests.last?.headers.contains(HTTPField("Content-Type", "application/xml")) == true)
  }

  private nonisolated static let failures: [(Int, String, SupportFailure)] = [
    (403, "", .refused(.forbidden("/api/v2/mdm/commands"))), (500, "", .uncertain(.serverError(500))),
    (503, "", .uncertain(.serverError(503))),
    (200, "<html>", .uncertain(.unreadable("a page of HTML or XML came instead of JSON."))),
    (429, "", .refused(.rateLimited(retryAfterSeconds: nil))), (401, "", .refused(.credentialsRejected)),
  ]

  @Test("an order that may have been taken is not said to have failed", arguments: failures)
  func failures(status: Int, body: String, failure: SupportFailure) async {
    let api = ScriptedAPI(status: status, body)
    await #expect(throws: failure) { _ = try await perform(.restartDevice, api) }
    #expect(api.requests.count == 1)
  }

  @Test("after an order that may have been taken no other way is tried") func noSecond() async {
    let api = ScriptedAPI(status: 500, "")
    await #expect(throws: SupportFailure.uncertain(.serverError(500))) {
      _ = try await perform(.refreshInventory, api)
    }
    #expect(api.requests.count == 1)
  }

  @Test("a push that reached nobody is a failure") func push() async {
    await #expect(throws: SupportFailure.notReached) {
      _ = try await perform(.blankPush, ScriptedAPI(#"{"errorUuids":["m-12"]}"#))
    }
  }

  @Test("a secret that is not there is said to be none") func noSecret() async {
    let missing = ScriptedAPI(status: 404, "")
    await #expect(throws: SupportFailure.noSecret("FileVault recovery key")) {
      _ = try await perform(.viewFileVaultPersonalRecoveryKey, missing)
    }
    #expect(missing.requests.count == 3)
    await #expect(throws: SupportFailure.noSecret("Device lock PIN")) {
      _ = try await perform(.viewDeviceLockPIN, ScriptedAPI(#"{"status":"NONE"}"#))
    }
  }

  private nonisolated static let local: ScriptedAPI.Answer = { request throws(ServiceError) in
    if request.path.hasSuffix("/accounts") {
      return response(
        200, #"{"results":[{"username":"admin","guid":"g-1"},{"username":"jssmanage","guid":"g-2"}]}"#)
    }
    if request.path.hasSuffix("/g-1/password") { return response(404) }
    if request.method == "PUT" { return response(200, "{}") }
    return response(200, #"{"password":"of \#(request.path.split(separator: "/")[5])"}"#)
  }

  @Test("a local password is that of the account, or of the first") func localPassword() async throws {
    let api = ScriptedAPI(Self.local)
    guard case .secret(let first) = try await perform(.viewLAPSAccountPassword, api),
      case .secret(let named) = try await perform(.viewJamfManagementAccountPassword, api)
    else {
      Issue.record("no secret")
      return
    }
    #expect(first.value == "of admin")
    #expect(named.value == "of jssmanage")
    #expect(
      api.requests.map(\.path).suffix(1) == [
        "/api/v2/local-admin-password/m-12/account/jssmanage/g-2/password"
      ])
  }

  @Test("a rotation sets a new password for every account, as Jamf wants it") func rotation() async throws {
    let api = ScriptedAPI(Self.local)
    #expect(try await perform(.rotateLAPSPassword, api) == .accepted(uuid: nil, nil))
    let request = try #require(api.requests.last)
    #expect(request.method == "PUT")
    let list = try JSONParser.parse(request.body).root["lapsUserPasswordList"]?.elements ?? []
    #expect(list.compactMap { $0["username"]?.stringValue } == ["admin", "jssmanage"])
    #expect(Set(list.compactMap { $0["password"]?.stringValue }).count == 2)
  }

  @Test("a new password is set for the one account that was named, and for none that Jamf doesn't manage")
  func onePassword() async throws {
    let secret = SupportSecret(title: "New password of admin", value: "x")
    let api = ScriptedAPI(Self.local)
    let performer = SupportPerformer(jamf: JamfClient(api: api))
    let outcome = try await performer.perform(
      .setLocalPassword(managementID: "m-12", account: "admin", secret))
    #expect(outcome == .accepted(uuid: nil, secret))
    let request = try #require(api.requests.last)
    #expect(request.method == "PUT" && request.path == "/api/v2/local-admin-password/m-12/set-password")
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"lapsUserPasswordList":[{"username":"admin","password":"x"}]}"#)
    await #expect(throws: SupportFailure.otherLocalAccounts(["admin", "jssmanage"])) {
      _ = try await performer.perform(.setLocalPassword(managementID: "m-12", account: "root", secret))
    }
    #expect(api.requests.count { $0.method == "PUT" } == 1)
  }

  @Test("an account whose name could lead elsewhere is none", arguments: ["../x", "..", "a b", ""])
  func names(name: String) async {
    let api = ScriptedAPI(#"{"results":[{"username":"\#(name)"}]}"#)
    await #expect(throws: SupportFailure.noLocalAccount) {
      _ = try await perform(.viewLAPSAccountPassword, api)
    }
    #expect(api.requests.count == 1)
  }

  @Test("who lacks a privilege is told which", arguments: SupportAction.allCases)
  func privileges(action: SupportAction) throws {
    for kind in action.kinds {
      let advice = SupportFailure.refused(.forbidden("/x")).advice(.action(action), on: kind)
      for privilege in SupportEndpoints.privileges(of: action, on: kind) {
        #expect(advice.contains("“\(privilege)”"))
      }
      #expect(!SupportEndpoints.privileges(of: action, on: kind).isEmpty)
    }
  }
}
