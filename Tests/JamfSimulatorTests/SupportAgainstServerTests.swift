import ForsettiCore
import ForsettiHTTP
import Synchronization
import Testing

@testable import ForsettiModules
@testable import JamfSimulator

/// What Support Technician asks, answered by the made-up server rather than by a test's own words.
@MainActor @Suite struct SupportAgainstServerTests {
  private let server = ServedAPI()

  private var jamf: JamfClient { JamfClient(api: server) }

  private func device(_ kind: SupportDeviceKind, _ number: Int) async throws -> SupportDevice {
    let id = SupportDeviceID(kind, "\(number)")
    let record = try await SupportSearch(jamf: jamf).record(id)
    return try #require(SupportDetail(kind, record, now: 0)).device
  }

  private func perform(_ action: SupportAction, _ device: SupportDevice) async throws
    -> SupportPerformer.Outcome
  {
    let input = SupportActionInput(pin: "012345", message: "Lost")
    let procedure = try #require(SupportProcedure(action, on: device, input))
    return try await SupportPerformer(jamf: jamf).perform(procedure)
  }

  @Test("devices of both kinds are found by their serial numbers", arguments: SupportDeviceKind.allCases)
  func search(kind: SupportDeviceKind) async throws {
    let known = try await device(kind, 3)
    let (found, hasMore) = try await SupportSearch(jamf: jamf).devices(kind, known.serial)
    #expect(found.map(\.id) == [known.id])
    #expect(found.first?.managementID == known.managementID)
    #expect(!hasMore)
  }

  @Test(
    "every action that can be done is taken, and what is ordered is followed to its end",
    arguments: SupportAction.allCases)
  func actions(action: SupportAction) async throws {
    for kind in action.kinds {
      let device = try await device(kind, 1)
      let outcome: SupportPerformer.Outcome
      do { outcome = try await perform(action, device) } catch SupportFailure.noSecret { continue }
      guard case .accepted(let uuid?, _) = outcome else { continue }
      let follower = SupportFollower(jamf: jamf)
      #expect(try await follower.states(of: [uuid])[uuid]?.bucket == .pending)
      server.wait(milliseconds: 5_000)
      #expect(try await follower.states(of: [uuid])[uuid]?.bucket == .completed)
      let history = try await SupportSearch(jamf: jamf).history(of: device)
      #expect(history.records.contains { $0.uuid == uuid })
    }
  }

  @Test("the code of a lock is the one that was made, and a rotated password is another") func secrets()
    async throws
  {
    let mac = try await device(.computer, 1)
    guard case .secret(let before) = try await perform(.viewLAPSAccountPassword, mac) else { return }
    _ = try await perform(.rotateLAPSPassword, mac)
    guard case .secret(let after) = try await perform(.viewJamfManagementAccountPassword, mac) else { return }
    #expect(before != after)
    let secret = SupportSecret(title: "New", value: "chosen-here")
    let managementID = try #require(mac.managementID)
    _ = try await SupportPerformer(jamf: jamf).perform(
      .setLocalPassword(managementID: managementID, account: "jssmanage", secret))
    guard case .secret(let set) = try await perform(.viewJamfManagementAccountPassword, mac) else { return }
    #expect(set.value == secret.value)
    _ = try await perform(.sendDeviceLock, mac)
    server.wait(milliseconds: 5_000)
    let pin = try await perform(.viewDeviceLockPIN, mac)
    #expect(pin == .secret(SupportSecret(title: "Device lock PIN", value: "012345")))
  }

  @Test("a Mac that comes into a group reports it, and leaves the group") func administrator() async throws {
    let editor = StaticGroupEditor(jamf: jamf)
    try await editor.add("1", to: "2")
    server.wait(milliseconds: 5_000)
    let sections = SupportDetailCalls.record(
      of: SupportDeviceID(.computer, "1"), sections: ["EXTENSION_ATTRIBUTES"])
    let report = TemporaryAdminReport(try await SupportSearch(jamf: jamf).first(of: sections))
    #expect(report.status == .elevated)
    #expect(report.answers(requestAt: ServedAPI.start))
    #expect(report.expires != nil)
    try await editor.remove("1", from: "2")
    #expect(try StaticGroup(try await jamf.get(StaticGroup.path("2"))).members.isEmpty)
  }

  @Test("a note is a file with the record of its Mac, which holds what was written") func note() async throws
  {
    let mac = try await device(.computer, 1)
    let id = try #require(mac.id)
    let attempts = try SupportNote(["note": "New battery – ok"]).attempts(id, mac, at: ServedAPI.start)
    #expect(try await SupportPerformer(jamf: jamf).perform(.send(attempts)) == .accepted(uuid: nil, nil))
    let detail = try #require(
      SupportDetail(.computer, try await SupportSearch(jamf: jamf).record(id), now: 0))
    #expect(detail.fact("Attachments")?.hasPrefix("support-note-") == true)
    let file = try await server.request(APIRequest(path: "/api/v3/computers-inventory/1/attachments/1"))
    #expect(String(decoding: file.body, as: UTF8.self).hasSuffix("\(mac.serial)\n\nNew battery – ok\n"))
  }

  @Test("the wrapper of an application is taken, run, and deleted") func application() async throws {
    let mac = try await device(.computer, 1)
    let order = ApplicationOrder(.install, "Pens & Paper")
    let name = ApplicationArtefacts.name(order, mac.serial, token: "t")
    let script = try #require(
      try await jamf.send(
        "POST", ApplicationArtefacts.scriptsPath, json: ApplicationArtefacts.script(.install, name: name)
      )
      .supportText("id"))
    let policy = try #require(
      ApplicationArtefacts.policyID(
        try await jamf.send(
          "POST", ApplicationArtefacts.newPolicyPath,
          xml: ApplicationArtefacts.policy(order, name: name, script: script, computer: "1"))))
    _ = try await perform(.blankPush, mac)
    server.wait(milliseconds: 5_000)
    let record = try await SupportSearch(jamf: jamf).record(SupportDeviceID(.computer, "1"))
    let names = (record["applications"]?.elements ?? []).compactMap { $0.supportText("name") }
    #expect(order.isMet(by: names))
    _ = try await jamf.send("DELETE", ApplicationArtefacts.policyPath(policy), xml: "")
    _ = try await jamf.send("DELETE", "\(ApplicationArtefacts.scriptsPath)/\(script)")
  }
}

/// The made-up server as a provider of the api role, with a clock that a test moves on.
private final class ServedAPI: APIService {
  /// Milliseconds since 1970.
  static let start: Int64 = 1_796_000_000_000

  private let state: Mutex<(server: JamfServer, token: String, now: Int64)>

  init() {
    let client = APIClient()
    state = Mutex((client.server, client.token ?? "", Self.start))
  }

  func wait(milliseconds: Int64) { state.withLock { $0.now += milliseconds } }

  nonisolated(nonsending) func request(_ request: APIRequest) async throws(ServiceError) -> APIResponse {
    var headers: HTTPHeaders = [:]
    for field in request.headers { headers[field.name] = field.value }
    let query = HTTPQuery(request.query)
    let answer = state.withLock { state in
      headers["Authorization"] = "Bearer \(state.token)"
      return state.server.answer(
        ServerRequest(
          method: request.method, path: request.path, query: query, headers: headers, body: request.body),
        at: state.now)
    }
    var body: [UInt8] = []
    if case .bytes(let bytes) = answer.response.body { body = bytes }
    return APIResponse(status: answer.response.status.rawValue, body: body)
  }
}
