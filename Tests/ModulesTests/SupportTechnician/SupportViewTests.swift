import ForsettiIPC
import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct SupportViewTests {
  private static func operation(_ state: SupportOperation.State) -> SupportOperation {
    SupportOperation(
      id: "1", order: .action(.restartDevice), device: SupportDeviceID(.computer, "12"), deviceName: "MAC-12",
      hasTicket: false, begun: 1, state: state)
  }

  private static func page(chosen: SupportAction? = nil) throws -> SupportState.Page {
    let record = try supportTree(
      #"{"id":"12","general":{"name":"MAC-12","managementId":"m"},"hardware":{"serialNumber":"C12"}}"#)
    var page = SupportState.Page(id: SupportDeviceID(.computer, "12"))
    page.detail = .ready(try #require(SupportDetail(.computer, record, now: 0)))
    let row = #"{"uuid":"u","commandType":"SETTINGS","commandState":"PENDING"}"#
    let rows = Array(repeating: row, count: 100).joined(separator: ",")
    page.history = .ready(CommandHistory(try supportTree("[\(rows)]")))
    page.chosen = chosen
    return page
  }

  /// Throws where the host would refuse it.
  private func check(_ node: ViewNode) throws {
    var writer = CBORWriter()
    try node.encode(into: &writer)
  }

  private func text(_ state: SupportState, _ operations: [SupportOperation] = []) -> String {
    "\(SupportView(state: state, operations: operations, now: 1).node)"
  }

  @Test("a desk that is full is still one view") func full() throws {
    var state = SupportState()
    state.page = try Self.page(chosen: .eraseDevice)
    for number in 0..<SecretVault.limit {
      _ = state.vault.keep(SupportSecret(title: "PIN", value: "x"), token: "\(number)")
    }
    state.notice = .error("a", "b")
    let operations = Array(repeating: Self.operation(.following(uuid: "u")), count: 100)
    let node = SupportView(state: state, operations: operations, now: 1).node
    try check(node)
    state.page = nil
    var result = SupportSearchResult()
    for kind in SupportDeviceKind.allCases {
      result.add(
        kind,
        (0..<SupportSearchCalls.limit).map {
          SupportDevice(kind, inventoryID: "\($0)", name: "n", serial: "s", managementID: nil)
        }, hasMore: true)
      result.failures[kind] = .serverError(500)
    }
    state.result = result
    try check(SupportView(state: state, operations: operations, now: 1).node)
  }

  private static let orders: [(SupportAction, SupportOperation.State, Int64, Bool)] = [
    (.sendDeviceLock, .timedOut, 0, false), (.eraseDevice, .timedOut, 0, false),
    (.sendDeviceLock, .timedOut, SupportOperation.standing, true), (.restartDevice, .timedOut, 0, true),
    (.sendDeviceLock, .done, 0, true), (.sendDeviceLock, .following(uuid: "u"), 0, false),
  ]

  @Test(
    "an order that would be refused, for one with a code of its own stands, has no button", arguments: orders)
  func standing(action: SupportAction, state: SupportOperation.State, age: Int64, isOffered: Bool) throws {
    var desk = SupportState()
    desk.page = try Self.page()
    let given = SupportOperation(
      id: "1", order: .action(action), device: SupportDeviceID(.computer, "12"), deviceName: "MAC-12",
      hasTicket: false, begun: 1, state: state)
    let node = SupportView(state: desk, operations: [given], now: 1 + age).node
    #expect("\(node)".contains("\"action\": \"\(action.rawValue)\"") == isOffered)
  }

  @Test("a secret that waits is named, and not shown until somebody asks") func secret() {
    var state = SupportState()
    let handle = state.vault.keep(SupportSecret(title: "Lock PIN", value: "482913"), token: "t")
    #expect(text(state).contains("Lock PIN"))
    #expect(!text(state).contains("482913"))
    state.shown = state.vault.take(handle)
    #expect(text(state).contains("482913"))
  }

  @Test("an action that is under way has no button, and the word is asked for by the page that it is for")
  func buttons() throws {
    var state = SupportState()
    state.page = try Self.page()
    #expect(text(state).contains(#""action": "restartDevice""#))
    #expect(!text(state, [Self.operation(.sending)]).contains(#""action": "restartDevice""#))
    #expect(!text(state).contains("phrase-eraseDevice"))
    state.page = try Self.page(chosen: .eraseDevice)
    #expect(text(state).contains("phrase-eraseDevice-mac-12"))
    #expect(text(state).contains("Everything on it is erased"))
  }

  @Test("one side that failed takes nothing from the other") func sides() {
    var state = SupportState()
    var result = SupportSearchResult()
    result.failures[.mobileDevice] = .unreadable("a page of HTML")
    result.add(
      .computer, [SupportDevice(.computer, inventoryID: "1", name: "MAC-1", serial: "C1", managementID: nil)],
      hasMore: false)
    state.result = result
    #expect(text(state).contains("MAC-1"))
    #expect(text(state).contains("a page of HTML"))
    #expect(text(state).contains("Try again"))
  }
}
