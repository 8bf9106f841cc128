import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@MainActor @Suite("The desk of the deployment tracker", .timeLimit(.minutes(5)))
struct DeploymentDeskTests {
  private let wire: ModuleWire
  private let desk: DeploymentDesk
  private let storage = MemoryStorage()
  private static let manifest = DeploymentTrackerManifest.manifest

  init() async throws {
    let wire = try ModuleWire(Self.manifest)
    let desk = DeploymentDesk(context: wire.context, storage: storage)
    try await wire.subscribing { try await desk.open() }
    (self.wire, self.desk) = (wire, desk)
  }

  /// Does what a button does, and returns when the view is to be drawn anew.
  private func press(_ verb: DeploymentVerb, _ payload: [String: String] = [:]) async throws {
    let count = wire.outlet.events.count
    try wire.deliver("\(Self.manifest.moduleID).\(verb.rawValue)", payload, from: Self.manifest.moduleID)
    await wire.until { wire.outlet.events.count > count }
  }

  nonisolated private static let refused: [(DeploymentVerb, [String: String], String)] = [
    (.device, ["serial": "NONE"], "There is no device \"NONE\"."),
    (.filter, ["field": "colour", "text": "x"], "There is no column \"colour\"."),
    (.sort, [:], "There is no column \"\"."), (.layout, ["layout": "x"], "There is no layout \"x\"."),
    (.move, ["serial": "DEMO-MAC-0001", "to": "on-hold"], "On hold wants a reason."),
    (.edit, ["serial": "DEMO-MAC-0001", "field": "Status", "value": "x"], "Status is what the workflow"),
    (.archive, ["serial": "DEMO-MAC-0001"], "Nothing was done"),
    (.archive, ["serial": "DEMO-MAC-0001", "phrase-archive-DEMO-MAC-0002": "confirm"], "Nothing was done"),
    (.restore, ["serial": "DEMO-MAC-0001"], "DEMO-MAC-0001 is active already."),
    (.settle, ["exception": "EX-9999", "state": "resolved"], "There is no exception"),
    (.settle, ["exception": "EX-0001", "state": "x"], "There is no status"),
    (.simulate, ["action": "x"], "There is no action \"x\"."),
    (.live, ["action": "shipment"], "Ordering a shipment would reach the carrier"),
    (.exportPreload, ["project": "x"], "There is no project"),
    (.exportPreload, [:], "The policy lets this module write no files."),
    (.exportServiceDesk, [:], "The policy lets this module write no files."),
    (.exportRecords, [:], "The policy lets this module have no hashes"),
    (.saveLayout, ["name": "x"], "A layout needs a column."),
    (.removeLayout, ["layout": "Overview"], "The layout \"Overview\" comes with the demo"),
    (.startScenario, ["scenario": "x"], "There is no scenario"), (.reset, [:], "Nothing was done"),
  ]

  @Test("refuses what can't be, says so, and changes no device", arguments: refused)
  func refusals(verb: DeploymentVerb, payload: [String: String], text: String) async throws {
    let devices = desk.store.state.sortedDevices
    try await press(verb, payload)
    let notice = try #require(desk.screen.notice)
    #expect(notice.tone == .warning)
    #expect(notice.text.hasPrefix(text), "\(notice.text)")
    #expect(!notice.advice.isEmpty)
    #expect(desk.store.state.sortedDevices == devices)
  }

  @Test("passes over what others say in its name")
  func strangers() async throws {
    try wire.deliver(
      "\(Self.manifest.moduleID).reset", ["phrase-reset": "confirm"], from: "com.example.other")
    try await press(.open, ["workspace": "guide"])
    #expect(desk.screen.workspace == .guide)
    #expect(storage.values.isEmpty)
  }

  @Test("shows what is looked for")
  func looking() async throws {
    try await press(.filter, ["field": "Device Type", "text": "mac"])
    try await press(.sort, ["field": "Model", "descending": "true"])
    try await press(.layout, ["layout": "Readiness"])
    try await press(.page, ["page": "1"])
    let grid = desk.screen.grid
    #expect(grid.filters.count == 1 && grid.sort == .model && grid.isDescending)
    #expect(grid.layout.name == "Readiness" && grid.page == 1)
    try await press(.clearFilters)
    #expect(desk.screen.grid.filters.isEmpty)
    try await press(.guide, ["query": " 403 "])
    #expect(desk.screen.guideQuery == "403")
    try await press(.preview, ["format": "List of serial numbers", "text": "NEW-1"])
    #expect(desk.screen.preview?.newCount == 1)
    #expect(storage.writes == 0)
  }

  @Test("archives for a typed word, and restores without one")
  func archiving() async throws {
    let serial = "DEMO-MAC-0001"
    try await press(.archive, ["serial": serial, "phrase-archive-\(serial)": "confirm"])
    #expect(try desk.store.state.device(serial).record == .archived)
    try await press(.restore, ["serial": serial])
    #expect(try desk.store.state.device(serial).record == .active)
  }

  @Test("keeps a layout and shows it, and shows another when it goes")
  func layouts() async throws {
    try await press(.saveLayout, ["name": "Mine", "columns": "serial,status"])
    #expect(desk.screen.grid.layout.name == "Mine")
    try await press(.removeLayout, ["layout": "Mine"])
    #expect(desk.screen.grid.layout.name == "Overview")
  }

  @Test(
    "walks through a scenario, in which a refusal may be what is shown", arguments: DeploymentScenario.all)
  func scenario(scenario: DeploymentScenario) async throws {
    try await press(.startScenario, ["scenario": scenario.id])
    for done in 1...scenario.steps.count {
      try await press(.nextStep)
      #expect(desk.screen.run?.done == done, "\(desk.screen.notice?.text ?? "")")
    }
    #expect(desk.screen.run?.next == nil)
    try await press(.nextStep)
    #expect(desk.screen.run?.done == scenario.steps.count)
  }

  @Test("says that nothing has changed where storage fails")
  func storageFails() async throws {
    storage.fail(with: .deadlineExceeded)
    try await press(.move, ["serial": "DEMO-MAC-0001", "to": "cataloged"])
    #expect(desk.screen.notice?.tone == .error)
    #expect(try desk.store.state.device("DEMO-MAC-0001").status == .received)
    try await press(.reset, ["phrase-reset": "confirm"])
    #expect(desk.screen.notice?.tone == .error)
    storage.fail(with: nil)
    try await press(.move, ["serial": "DEMO-MAC-0001", "to": "cataloged"])
    #expect(desk.screen.notice?.tone == .success)
  }

  @Test("says what is wrong with what was kept until it is reset")
  func unreadable() async throws {
    let storage = MemoryStorage()
    try await storage.set("x", forKey: "head", in: DeploymentDesk.storeName)
    let wire = try ModuleWire(Self.manifest)
    let desk = DeploymentDesk(context: wire.context, storage: storage)
    try await wire.subscribing { try await desk.open() }
    #expect(desk.screen.fault != nil)
    try wire.deliver(
      "\(Self.manifest.moduleID).reset", ["phrase-reset": "confirm"], from: Self.manifest.moduleID)
    await wire.until { !wire.outlet.events.isEmpty }
    #expect(desk.screen.fault == nil)
    #expect(desk.store.fault == nil)
  }
}
