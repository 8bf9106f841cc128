import ForsettiModuleKit
import Synchronization
import Testing

@testable import ForsettiModules

/// The desk with a storage in memory, and with answers of the test's own.
@MainActor @Suite("The desk of Support Technician", .timeLimit(.minutes(1))) struct SupportDeskTests {
  private nonisolated static let record =
    #"{"id":"12","general":{"name":"MAC-12","managementId":"m-12","remoteManagement":{"managed":true}},"hardware":{"serialNumber":"C12"}}"#

  private let storage = MemoryStorage()
  private let wire: ModuleWire

  init() throws { wire = try ModuleWire(SupportTechnicianManifest.manifest) }

  private func desk(_ api: some APIService, storage: (any StorageService)? = nil) -> SupportDesk {
    SupportDesk(context: wire.context, storage: storage ?? self.storage, jamf: JamfClient(api: api))
  }

  /// A server that has one Mac, and answers all but its record and its history as told.
  private func server(_ answer: @escaping ScriptedAPI.Answer) -> ScriptedAPI {
    ScriptedAPI { request throws(ServiceError) in
      switch (request.method, request.path) {
      case ("GET", "/api/v3/computers-inventory/12"): APIResponse(status: 200, body: Array(Self.record.utf8))
      case ("GET", "/api/v2/mdm/commands"): APIResponse(status: 200, body: Array("[]".utf8))
      default: try answer(request)
      }
    }
  }

  private func open(_ desk: SupportDesk) async {
    desk.openPage(["device": "computer/12"])
    await wire.until { desk.state.page?.device != nil }
  }

  private func word(_ action: SupportAction) -> [String: String] {
    ["action": action.rawValue, "device": "computer/12", "phrase-\(action.rawValue)-mac-12": "confirm"]
  }

  private func orders(_ api: ScriptedAPI) -> Int { api.requests.count { $0.method == "POST" } }

  /// A storage that can be written and not read.
  private struct Unreadable: StorageService {
    nonisolated(nonsending) func set(_: String, forKey _: String, in _: String?) async throws(ServiceError) {}
    nonisolated(nonsending) func removeValue(forKey _: String, in _: String?) async throws(ServiceError) {}
    nonisolated(nonsending) func value(forKey _: String, in _: String?) async throws(ServiceError) -> String?
    {
      throw .failed(code: "io", message: "no disk")
    }
    nonisolated(nonsending) func keys(prefix _: String, after _: String?, in _: String?)
      async throws(ServiceError)
      -> [String]
    { throw .failed(code: "io", message: "no disk") }
  }

  @Test("it does not start without its journal: what is under way would be done twice") func journal() async {
    let desk = desk(ScriptedAPI("{}"), storage: Unreadable())
    await #expect(throws: ServiceError.failed(code: "io", message: "no disk")) { try await desk.open() }
  }

  @Test("a button that is pressed twice gives one order, and says so; answered, it can be given again")
  func twice() async throws {
    let api = server { _ throws(ServiceError) in APIResponse(status: 200, body: Array("{}".utf8)) }
    let desk = desk(api)
    await open(desk)
    let push = ["action": "blankPush", "device": "computer/12"]
    desk.perform(push)
    desk.perform(push)
    #expect(desk.state.notice?.text == "Blank Push is under way already.")
    desk.perform(word(.restartDevice))
    await wire.until { desk.claims.isEmpty }
    #expect(orders(api) == 2)
    #expect(desk.journal.operations.count == 2)
    desk.perform(push)
    await wire.until { desk.claims.isEmpty }
    #expect(orders(api) == 3)
    desk.close()
  }

  @Test("with secrets that nobody has read in every place, an order that brings another is refused unsent")
  func full() async throws {
    let api = server { _ throws(ServiceError) in APIResponse(status: 201, body: Array("{}".utf8)) }
    let desk = desk(api)
    await open(desk)
    for _ in 0..<SecretVault.limit {
      desk.perform(word(.sendDeviceLock))
      await wire.until { desk.claims.isEmpty }
    }
    let pins = desk.state.vault.titles.map(\.title)
    #expect(pins == Array(repeating: "Code that unlocks the Mac: MAC-12", count: SecretVault.limit))
    #expect(orders(api) == SecretVault.limit)
    desk.perform(word(.eraseDevice))
    #expect(desk.claims.isEmpty)
    #expect(desk.state.notice?.text.contains(pins[0]) == true)
    #expect(orders(api) == SecretVault.limit)
    #expect(desk.journal.operations.count == SecretVault.limit)
    // What brings no secret goes on, and a place that became free is used.
    desk.perform(word(.restartDevice))
    await wire.until { desk.claims.isEmpty }
    desk.reveal(["handle": try #require(desk.state.vault.titles.first).handle.text])
    desk.perform(word(.eraseDevice))
    await wire.until { desk.claims.isEmpty }
    #expect(orders(api) == SecretVault.limit + 2)
    #expect(desk.state.vault.titles.last?.title == "Code of the erased Mac: MAC-12")
    desk.close()
  }

  private nonisolated static let lateCases: [(SupportAction, Int64, Int)] = [
    (.sendDeviceLock, 0, 0), (.sendDeviceLock, SupportOperation.standing, 1), (.restartDevice, 0, 1),
  ]

  @Test("an order whose code the device will still take is not given with another one", arguments: lateCases)
  func late(action: SupportAction, age: Int64, given: Int) async throws {
    let api = server { _ throws(ServiceError) in APIResponse(status: 201, body: Array("{}".utf8)) }
    let desk = desk(api)
    try await desk.journal.begin(
      SupportOperation(
        id: "1", order: .action(action), device: SupportDeviceID(.computer, "12"), deviceName: "MAC-12",
        hasTicket: false, begun: WallClock.now() - age, state: .timedOut))
    await open(desk)
    desk.perform(word(action))
    await wire.until { desk.claims.isEmpty }
    #expect(orders(api) == given)
    #expect(desk.state.notice?.text.contains("was ordered before") == (given == 0))
    desk.close()
  }

  @Test(
    "a new password of a local administrator wants the word, and waits to be shown also where no answer came",
    arguments: [200, 500])
  func localPassword(status: Int) async throws {
    let accounts = #"{"results":[{"username":"admin"}]}"#
    let api = server { request throws(ServiceError) in
      request.method == "GET"
        ? APIResponse(status: 200, body: Array(accounts.utf8))
        : APIResponse(status: status, body: Array("{}".utf8))
    }
    let desk = desk(api)
    await open(desk)
    var form = ["device": "computer/12", "account": " admin "]
    for (key, value) in [("phrase-password-mac-12", "yes"), ("account", " "), ("device", "computer/13")] {
      desk.setLocalPassword(form.merging([key: value]) { $1 })
      #expect(desk.state.notice?.text.hasPrefix("No password was set") == true)
    }
    form["phrase-password-mac-12"] = "confirm"
    desk.setLocalPassword(form)
    await wire.until { desk.claims.isEmpty }
    let written = api.requests.filter { $0.method == "PUT" }
    #expect(written.count == 1)
    let title = try #require(desk.state.vault.titles.first).title
    #expect(title.hasPrefix("New password of admin, ordered at "))
    #expect(title.hasSuffix("Z: MAC-12"))
    desk.reveal(["handle": try #require(desk.state.vault.titles.first).handle.text])
    let shown = try #require(desk.state.shown).value
    #expect(String(decoding: try #require(written.first).body, as: UTF8.self).contains(shown))
    #expect(!storage.values.values.contains { $0.contains(shown) })
    desk.close()
  }

  @Test(
    "of an order with a secret no word of a refusal is shown or kept, for it may repeat the secret",
    arguments: ["password", "sendDeviceLock", "eraseDevice", "rotateLAPSPassword", "restartDevice"],
    [400, 409])
  func echoed(order: String, status: Int) async {
    let accounts = #"{"results":[{"username":"admin"}]}"#
    let api = server { request throws(ServiceError) in
      guard request.method != "GET" else { return APIResponse(status: 200, body: Array(accounts.utf8)) }
      let error = JSONValue.object([
        ("code", .string("ECHO")), ("description", .string(String(decoding: request.body, as: UTF8.self))),
      ])
      return APIResponse(
        status: status, body: JSONWriter.bytes(.object([("errors", .array([error]))])))
    }
    let desk = desk(api)
    await open(desk)
    if let action = SupportAction(rawValue: order) {
      desk.perform(word(action))
    } else {
      desk.setLocalPassword([
        "device": "computer/12", "account": "admin", "phrase-password-mac-12": "confirm",
      ])
    }
    await wire.until { desk.claims.isEmpty }
    let hasNoSecret = order == "restartDevice"
    #expect(desk.state.notice?.text.contains("ECHO") == hasNoSecret)
    #expect(storage.values.values.contains { $0.contains("ECHO") } == hasNoSecret)
    #expect(desk.journal.operations.map(\.isPending) == [false])
    desk.close()
  }

  @Test("an order that is refused gives its place back") func refused() async throws {
    let api = server { _ throws(ServiceError) in APIResponse(status: 403) }
    let desk = desk(api)
    await open(desk)
    for _ in 0...SecretVault.limit {
      desk.perform(word(.sendDeviceLock))
      await wire.until { desk.claims.isEmpty }
    }
    #expect(orders(api) == SecretVault.limit + 1)
    storage.fail(with: .quotaExceeded("bytes"))
    for _ in 0...SecretVault.limit {
      desk.perform(word(.sendDeviceLock))
      await wire.until { desk.claims.isEmpty }
    }
    #expect(desk.state.notice?.text.contains("the journal can't be written") == true)
    #expect(orders(api) == SecretVault.limit + 1)
    desk.close()
  }

  @Test("a record that says nothing of applications is not one without any") func applications() async throws
  {
    let desk = desk(server { _ throws(ServiceError) in APIResponse(status: 404) })
    await open(desk)
    desk.perform(["action": "discoverApplications", "device": "computer/12"])
    await wire.until { desk.claims.isEmpty }
    #expect(desk.state.notice?.text == "Jamf Pro does not say which applications this Mac has.")
    try await desk.applications.begin(
      ApplicationRun(
        id: "1", order: ApplicationOrder(.uninstall, "Safari"), device: SupportDeviceID(.computer, "12"),
        deviceName: "MAC-12", begun: WallClock.now(), state: .waiting))
    await desk.lookAtApplications(alsoLate: true)
    #expect(desk.applications.runs.map(\.state) == [.waiting])
    desk.close()
  }

  /// Members of the static groups, by ID.
  private final class Groups: Sendable {
    let members: Mutex<[String: String]>
    /// Groups that can't be changed now.
    let closed = Mutex<Set<String>>([])

    init(_ members: [String: String]) { self.members = Mutex(members) }

    func answer(_ request: APIRequest) -> APIResponse {
      let id = String(request.path.split(separator: "/").last ?? "")
      guard request.method == "PUT" else {
        let list = members.withLock { $0[id] ?? "" }
        let text = #"{"id":"\#(id)","name":"G","assignments":{"computerIds":[\#(list)]}}"#
        return APIResponse(status: 200, body: Array(text.utf8))
      }
      guard closed.withLock({ !$0.contains(id) }) else { return APIResponse(status: 503) }
      let body = String(decoding: request.body, as: UTF8.self)
      members.withLock { $0[id] = body.contains("12") ? "12" : "" }
      return APIResponse(status: 202)
    }
  }

  private func configured(_ desk: SupportDesk, cleanup: Bool = true) async {
    await desk.configureAdmin([
      "enabled": "true", "ticket-required": "false", "cleanup": "\(cleanup)", "timeout-minutes": "25",
      "group-5": "1", "group-15": "2", "group-30": "3", "group-60": "4", "group-demote": "5",
    ])
  }

  @Test(
    "a demotion has the groups that the Mac must leave written down before it takes the elevation's place")
  func demotion() async throws {
    let groups = Groups([:])
    let api = server { request throws(ServiceError) in groups.answer(request) }
    let desk = desk(api)
    await open(desk)
    await configured(desk)
    await desk.requestAdmin([
      "device": "computer/12", "minutes": "15", "reason": "printer", "phrase-administrator-mac-12": "confirm",
    ])
    #expect(groups.members.withLock { $0["2"] } == "12")
    let first = try #require(desk.admin.runs.first)
    await desk.requestAdmin([
      "device": "computer/12", "minutes": "5", "reason": "again", "phrase-administrator-mac-12": "confirm",
    ])
    #expect(desk.state.notice?.advice == TemporaryAdminRefusal.underWay.advice)
    #expect(desk.admin.runs == [first])
    groups.closed.withLock { $0 = ["2"] }
    await desk.demoteAdmin(["device": "computer/12"])
    #expect(groups.members.withLock { $0 } == ["2": "12", "5": "12"])
    #expect(desk.state.notice?.text.contains("out of group 2") == true)
    await desk.demoteAdmin(["device": "computer/12"])
    #expect(desk.state.notice?.advice == TemporaryAdminRefusal.demoting.advice)
    desk.close()

    // Its process has ended: what is left to do is known, and done when it can be.
    let after = self.desk(api)
    #expect(try await after.admin.load() == [])
    #expect(after.admin.runs.map(\.leaving) == [["2"]])
    groups.closed.withLock { $0 = [] }
    await after.lookAtAdmin()
    #expect(groups.members.withLock { $0["2"] } == "")
    #expect(after.admin.runs.map(\.leaving) == [[]])
    after.close()
  }

  @Test("a Mac that was left in a group leaves it for the next request") func leftIn() async throws {
    let groups = Groups([:])
    let desk = desk(server { request throws(ServiceError) in groups.answer(request) })
    await open(desk)
    await configured(desk, cleanup: false)
    func request(_ minutes: Int) async {
      await desk.requestAdmin([
        "device": "computer/12", "minutes": "\(minutes)", "reason": "printer",
        "phrase-administrator-mac-12": "confirm",
      ])
    }
    await request(60)
    try await desk.admin.take(.waited(.max), of: try #require(desk.admin.runs.first).id)
    #expect(desk.admin.runs.map(\.isOpen) == [false])
    await request(5)
    #expect(groups.members.withLock { $0 } == ["4": "", "1": "12"])
    #expect(desk.admin.runs.map(\.leaving) == [[]])
    desk.close()
  }

  @Test("an elevation whose place a demotion took announces nothing", arguments: [202, 403, 503])
  func replaced(status: Int) async throws {
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let (lastGate, lastOpener) = AsyncStream.makeStream(of: Void.self)
    let groups = Groups([:])
    let answers = server { request throws(ServiceError) in
      request.method == "PUT" && request.path.hasSuffix("/2")
        ? APIResponse(status: status) : groups.answer(request)
    }
    let desk = desk(Gated(api: answers, gates: ["2": gate, "5": lastGate]))
    await open(desk)
    await configured(desk)
    let elevation = Task.immediate { @MainActor in
      await desk.requestAdmin([
        "device": "computer/12", "minutes": "15", "reason": "printer",
        "phrase-administrator-mac-12": "confirm",
      ])
    }
    await wire.until { desk.admin.runs.map(\.minutes) == [15] && desk.adminWrites.isEmpty }
    let demotion = Task.immediate { @MainActor in await desk.demoteAdmin(["device": "computer/12"]) }
    await wire.until { desk.admin.runs.map(\.minutes) == [nil] && desk.adminWrites.isEmpty }
    opener.finish()
    await elevation.value
    #expect(desk.state.notice == nil)
    lastOpener.finish()
    await demotion.value
    #expect(desk.state.notice != nil)
    desk.close()
  }

  /// Answers for a group only when its gate is open.
  private struct Gated: APIService {
    let api: ScriptedAPI
    let gates: [String: AsyncStream<Void>]

    nonisolated(nonsending) func request(_ request: APIRequest) async throws(ServiceError) -> APIResponse {
      let id = String(request.path.split(separator: "/").last ?? "")
      if request.path.contains("/static-groups/"), let gate = gates[id] { for await _ in gate {} }
      return try await api.request(request)
    }
  }

  @Test("what a request without an answer may still do is the next one's to undo", arguments: [202, 403])
  func lostBefore(status: Int) async throws {
    let groups = Groups([:])
    let desk = desk(
      server { request throws(ServiceError) in
        let answer = groups.answer(request)
        let isTried = request.method == "PUT" && request.path.hasSuffix("/5") && answer.status != 503
        return isTried ? APIResponse(status: status) : answer
      })
    await open(desk)
    await configured(desk)
    groups.closed.withLock { $0 = ["5"] }
    await desk.demoteAdmin(["device": "computer/12"])
    let lost = try #require(desk.admin.runs.first?.late["5"])
    groups.closed.withLock { $0 = [] }
    await desk.demoteAdmin(["device": "computer/12"])
    let run = try #require(desk.admin.runs.first)
    #expect(run.late == ["5": lost])
    #expect(run.leaving == (status == 403 ? ["5"] : []))
    #expect(run.isOpen)
    desk.close()
  }

  @Test("a demotion that was not carried out is ordered again, or made up for", arguments: [true, false])
  func demotionAgain(isOrdered: Bool) async throws {
    let groups = Groups([:])
    let desk = desk(server { request throws(ServiceError) in groups.answer(request) })
    await open(desk)
    await configured(desk)
    groups.closed.withLock { $0 = ["5"] }
    await desk.demoteAdmin(["device": "computer/12"])
    #expect(desk.admin.runs.map(\.state) == [.requesting])
    await desk.lookAtAdmin()
    #expect(desk.admin.runs.map(\.state) == [.requesting])
    groups.closed.withLock { $0 = [] }
    if isOrdered { await desk.demoteAdmin(["device": "computer/12"]) } else { await desk.lookAtAdmin() }
    #expect(groups.members.withLock { $0["5"] } == "12")
    #expect(desk.admin.runs.map(\.state) == [.waiting])
    desk.close()
  }
}
