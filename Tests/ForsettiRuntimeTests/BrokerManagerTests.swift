import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

@ReactorActor @Suite("The manager and the broker", .timeLimit(.minutes(1)))
struct BrokerManagerTests {
  private static let item = ToolbarItemDescriptor(
    itemID: "i", title: "Refresh",
    action: .publishEvent(eventType: "com.example.ui.refresh", payload: ["a": "b"]))
  private static let foreign = ToolbarItemDescriptor(
    itemID: "j", title: "?", action: .publishEvent(eventType: "com.example.other.x", payload: nil))

  private func manager(
    _ world: BrokerWorld, _ scripted: ScriptedWorld, _ manifests: [ModuleManifest]
  ) -> ModuleManager {
    ModuleManager(
      catalog: ForsettiModuleCatalog(
        manifests.map { LoadedManifest(manifest: $0, path: "/m.json", sha256: "00") }),
      desired: ActivationState(),
      environment: ModuleManager.Environment(
        policy: world.broker.rules.policy, store: scripted.store, entitlements: scripted.entitlements,
        launcher: scripted, surface: scripted.surface, broker: world.broker, logger: world.logger,
        clock: world.clock, wallClock: { 7 }))
  }

  @Test("tell every module that subscribes what becomes of the others")
  func lifecycle() async throws {
    // Nothing comes back, or the restart would be heard as well.
    let world = BrokerWorld(policy: Policy(restartDefaults: RestartPolicy(kind: .temporary)))
    let scripted = ScriptedWorld()
    let manager = manager(world, scripted, [manifest("com.example.a"), manifest("com.example.b")])
    let listener = try world.module("com.example.listener")
    try await listener.subscribe("forsetti.lifecycle.*")
    try await manager.activateModule(moduleID: "com.example.a")
    try await manager.activateModule(moduleID: "com.example.b")
    try await manager.deactivateModule(moduleID: "com.example.a")
    scripted.instances["com.example.b"]?.crash()
    _ = await listener.frame(.deliver, 4)
    let events = try listener.frames(.deliver).map { frame in
      let head = try EventHead(frame.head.span, of: .deliver)
      return "\(head.type) \(try EventPayload.decode(frame.payload.span)["moduleID"] ?? "")"
    }
    #expect(
      events == [
        "forsetti.lifecycle.activated com.example.a", "forsetti.lifecycle.activated com.example.b",
        "forsetti.lifecycle.deactivated com.example.a", "forsetti.lifecycle.ended com.example.b",
      ])
  }

  @Test("tell whoever listens of a role that has lost its provider, and of its return")
  func providers() async throws {
    let provider = "com.example.provider"
    let granting = Policy(
      roles: [.api: .module(provider)], restartDefaults: RestartPolicy(kind: .temporary),
      rules: [PolicyRule(try ModulePattern(provider), grant: [.api])])
    let world = BrokerWorld(policy: granting)
    let scripted = ScriptedWorld(policy: granting)
    let manager = manager(world, scripted, [manifest(provider, capabilities: [.api], role: .api)])
    let listener = try world.module("com.example.listener")
    try await listener.subscribe("forsetti.lifecycle.*")
    try await manager.activateModule(moduleID: provider)
    scripted.instances[provider]?.crash()
    try await manager.activateModule(moduleID: provider)
    _ = await listener.frame(.deliver, 5)
    let events = try listener.frames(.deliver).map { frame in
      let type = try EventHead(frame.head.span, of: .deliver).type
      return "\(type) \(try EventPayload.decode(frame.payload.span)["role"] ?? "")"
    }
    #expect(
      events == [
        "forsetti.lifecycle.activated ", "forsetti.lifecycle.ended ", "forsetti.lifecycle.provider_lost api",
        "forsetti.lifecycle.activated ", "forsetti.lifecycle.provider_returned api",
      ])
  }

  @Test("turn a toolbar item into an event of its contributor, within the contributor's rights")
  func toolbar() async throws {
    let scripted = ScriptedWorld()
    var ui = manifest("com.example.ui", .ui, capabilities: [.toolbarItems])
    ui.runtimeRequirements.ui?.toolbarItemIDs = ["i", "j"]
    scripted.descriptions["com.example.ui"] = ScriptedWorld.description(
      of: ui, contributions: UIContributions(toolbarItems: [Self.item, Self.foreign]))
    let granting = Policy(rules: [PolicyRule(try ModulePattern("com.example.ui"), grant: [.toolbarItems])])
    let world = BrokerWorld(policy: granting)
    scripted.policy = granting
    let manager = manager(world, scripted, [ui])
    let router = OverlayRouter(baseDestinations: [], slots: [])
    let item = UISurface.ToolbarItem(moduleID: "com.example.ui", item: Self.item)
    #expect(throws: ServiceError.self) { try manager.perform(item, router: router) }
    try await manager.activateModule(moduleID: "com.example.ui")
    // The module's own side of the pipe.
    let module = try world.module("com.example.ui")
    try await module.subscribe("com.example.ui.*")
    #expect(scripted.surface.surface.toolbarItems.first == item)
    try manager.perform(item, router: router)
    let frame = await module.frame(.deliver)
    let head = try EventHead(frame.head.span, of: .deliver)
    #expect(head.type == "com.example.ui.refresh")
    #expect(head.delivery?.source == "com.example.ui")
    let second = UISurface.ToolbarItem(moduleID: "com.example.ui", item: Self.foreign)
    #expect(throws: ServiceError.serviceDenied(.policy, detail: "com.example.other.x")) {
      try manager.perform(second, router: router)
    }
  }

  @Test("render and ask for health through the manager")
  func render() async throws {
    let world = BrokerWorld()
    let manager = manager(world, ScriptedWorld(), [])
    let module = try world.module("com.example.ui")
    async let node = manager.render(viewID: "v", moduleID: "com.example.ui")
    let call = await module.frame(.call)
    #expect(call.timeout == 5_000)
    try module.send { try $0.appendReply(ViewNode.text("x"), callID: call.callID) }
    #expect(try await node == .text("x"))
    await #expect(throws: ServiceError.self) { try await manager.health(moduleID: "com.example.gone") }
  }

  @Test("hand the supervisor's own reports to the host, where that provides diagnostics")
  func reports() async throws {
    let kept = Log<DiagnosticReport>()
    var services = ForsettiServiceContainer()
    services.keepReports { (report) throws(ServiceError) in await kept.add(report) }
    let world = BrokerWorld(services: services)
    world.diagnostics.reportBootFailure("no disk")
    await kept.wait(count: 1)
    let module = try world.module("com.example.a")
    try module.call(SecurityMethods.reportIncident, NamedTexts("door open", [:]), id: 1)
    await kept.wait(count: 2)
    #expect(kept.items.map(\.source) == ["forsetti.runtime", "com.example.a"])
    #expect(world.diagnostics.count == 0)
  }

  @Test("stay in step through a storm of calls and cancels")
  func storm() async throws {
    let gate = Gate()
    var services = ForsettiServiceContainer()
    services.register((any StorageService).self) { _ in GatedStorage(gate: gate) }
    let world = BrokerWorld(services: services, openCalls: 100)
    let module = try world.module("com.example.a")
    let neighbour = try world.module("com.example.b")
    for round in 0..<100 {
      try module.send { queue in
        for id in 1...150 {
          try queue.appendCall(StorageMethods.value, StoreKey(store: nil, key: "k"), callID: UInt64(id))
        }
        for id in 1...150 { try queue.appendCancel(callID: UInt64(id)) }
      }
      try await neighbour.settle(UInt64(round + 1))
      try await module.settle(UInt64(round + 1_000))
    }
    #expect(module.session.incoming.isEmpty)
    // What the first round began has not ended, so that the others begin nothing: no storm piles work up. Each settling
    // is answered by a failure too.
    #expect(module.frames(.failure).count == 50 + 99 * 150 + 100)
    #expect(module.faults.items.isEmpty)
    gate.open()
    while module.session.lateAnswers < 100 { await Task.yield() }
    try module.call(StorageMethods.value, StoreKey(store: nil, key: "k"), id: 9_999)
    _ = try await module.reply(to: StorageMethods.value, 9_999)
  }
}
