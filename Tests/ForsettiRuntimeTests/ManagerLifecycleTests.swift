import ForsettiCore
import ForsettiIPC
import Testing

@testable import ForsettiRuntime

@Suite("Active modules are swapped, stopped, restored and reconciled")
@ReactorActor
struct ManagerLifecycleTests {
  private func toolbar(_ id: String) -> UIContributions {
    UIContributions(toolbarItems: [
      ToolbarItemDescriptor(
        itemID: "item", title: id, action: .publishEvent(eventType: "\(id).x", payload: nil))
    ])
  }

  private func uiModule(_ id: String, in world: ScriptedWorld) -> ModuleManifest {
    let module = manifest(
      id, .ui, capabilities: [.toolbarItems], ui: UIRequirements(toolbarItemIDs: ["item"]))
    world.descriptions[id] = ScriptedWorld.description(of: module, contributions: toolbar(id))
    return module
  }

  @Test("a new UI module is started before the old one stops, and the surface is never empty between")
  func swap() async throws {
    let world = ScriptedWorld(policy: try .granting([.toolbarItems]))
    let manager = world.manager([
      uiModule("com.example.one", in: world), uiModule("com.example.two", in: world),
    ])
    var surfaces = world.surface.surfaces().makeAsyncIterator()
    #expect(await surfaces.next() == .empty)
    try await manager.activateModule(moduleID: "com.example.one")
    #expect(await surfaces.next()?.toolbarItems.map(\.moduleID) == ["com.example.one"])
    try await manager.activateModule(moduleID: "com.example.two")
    #expect(await surfaces.next()?.toolbarItems.map(\.moduleID) == ["com.example.two"])
    #expect(world.trace.suffix(2) == ["start com.example.two", "stop com.example.one"])
    #expect(manager.activeModuleIDs == ["com.example.two"])
    #expect(world.store.activationNow?.selectedUIModuleID == "com.example.two")
    #expect(world.store.activationNow?.enabledUIModuleIDs == ["com.example.two"])
  }

  @Test("if the new UI module fails, the old one stays, shown and desired")
  func failedSwap() async throws {
    let world = ScriptedWorld(policy: try .granting([.toolbarItems]))
    let manager = world.manager([
      uiModule("com.example.one", in: world), uiModule("com.example.two", in: world),
    ])
    try await manager.activateModule(moduleID: "com.example.one")
    world.startErrors["com.example.two"] = .startFailed(moduleID: "com.example.two", reason: "no")
    await #expect(throws: ModuleManagerError.self) {
      try await manager.activateModule(moduleID: "com.example.two")
    }
    #expect(manager.activeModuleIDs == ["com.example.one"])
    #expect(world.surface.surface.toolbarItems.map(\.moduleID) == ["com.example.one"])
    #expect(world.store.activationNow?.selectedUIModuleID == "com.example.one")
  }

  @Test("selecting needs an active UI module")
  func selection() async throws {
    let world = ScriptedWorld(policy: try .granting([.toolbarItems]))
    let manager = world.manager([manifest("com.example.s"), uiModule("com.example.ui", in: world)])
    await #expect(throws: ModuleManagerError.moduleNotActive(moduleID: "com.example.ui")) {
      try await manager.setSelectedUIModule(moduleID: "com.example.ui")
    }
    try await manager.activateModule(moduleID: "com.example.s")
    await #expect(throws: ModuleManagerError.notUIModule(moduleID: "com.example.s")) {
      try await manager.setSelectedUIModule(moduleID: "com.example.s")
    }
    try await manager.activateModule(moduleID: "com.example.ui")
    try await manager.setSelectedUIModule(moduleID: "com.example.ui")
    try await manager.setSelectedUIModule(moduleID: nil)
    #expect(manager.activeModuleIDs == ["com.example.s"])
    #expect(world.store.activationNow?.selectedUIModuleID == nil)
  }

  @Test("deactivating forgets the wish; an inactive module is a success, an unknown one is not")
  func deactivate() async throws {
    let world = ScriptedWorld()
    let manager = world.manager([manifest("com.example.a")])
    try await manager.deactivateModule(moduleID: "com.example.a")
    try await manager.activateModule(moduleID: "com.example.a")
    try await manager.deactivateModule(moduleID: "com.example.a")
    #expect(world.trace.last == "stop com.example.a")
    #expect(world.store.activationNow == ActivationState())
    await #expect(throws: ModuleManagerError.moduleNotDiscovered(moduleID: "com.example.x")) {
      try await manager.deactivateModule(moduleID: "com.example.x")
    }
  }

  @Test(
    "a module that ends unasked leaves no UI and no false state, stays desired, and its neighbour goes on")
  func crash() async throws {
    let world = ScriptedWorld(policy: try .granting([.toolbarItems]))
    let manager = world.manager([manifest("com.example.a"), uiModule("com.example.ui", in: world)])
    try await manager.activateModule(moduleID: "com.example.a")
    try await manager.activateModule(moduleID: "com.example.ui")
    world.instances["com.example.ui"]?.crash()
    #expect(manager.activeModuleIDs == ["com.example.a"])
    #expect(world.surface.surface == .empty)
    #expect(world.store.activationNow?.selectedUIModuleID == "com.example.ui")
    let failed = manager.status().modules.first { $0.state == .failed }
    guard case .ended("com.example.ui", let exit) = failed?.failure else {
      Issue.record("expected an ended module, got \(String(describing: failed))")
      return
    }
    #expect(exit.reason == .crashed(signal: 11))
  }

  @Test(
    "a restore starts what is desired in the policy's order; what fails stays desired and holds up nobody")
  func restore() async {
    let world = ScriptedWorld(policy: Policy(activationOrder: ["com.example.c", "com.example.a"]))
    world.startErrors["com.example.b"] = .startFailed(moduleID: "com.example.b", reason: "no")
    let desired = ActivationState(
      enabledServiceModuleIDs: ["com.example.a", "com.example.b", "com.example.c", "com.example.gone"])
    let manager = world.manager(
      ["com.example.a", "com.example.b", "com.example.c"].map { manifest($0) }, desired: desired)
    let failures = await manager.restore()
    #expect(manager.activeModuleIDs == ["com.example.c", "com.example.a"])
    #expect(failures.count == 2)
    #expect(failures.contains(.moduleNotDiscovered(moduleID: "com.example.gone")))
    #expect(world.store.activationNow == nil || world.store.activationNow == desired)
  }

  @Test("one that is desired and no longer discovered is let go of by its deactivation")
  func gone() async throws {
    let world = ScriptedWorld()
    let gone = "com.example.gone"
    let manager = world.manager(
      [manifest("com.example.a")],
      desired: ActivationState(enabledServiceModuleIDs: ["com.example.a", gone]))
    _ = await manager.restore()
    #expect(manager.moduleIDs.contains(gone))
    try await manager.deactivateModule(moduleID: gone)
    #expect(world.store.activationNow?.enabledServiceModuleIDs == ["com.example.a"])
    #expect(!manager.moduleIDs.contains(gone) && manager.activeModuleIDs == ["com.example.a"])
  }

  @Test("a module that is locked stops and stays desired; unlocked again it starts again")
  func entitlements() async throws {
    let world = ScriptedWorld()
    world.entitlements.replace(Entitlements(productIDs: ["p"]))
    let manager = world.manager([manifest("com.example.a", product: "p"), manifest("com.example.free")])
    try await manager.activateModule(moduleID: "com.example.a")
    try await manager.activateModule(moduleID: "com.example.free")
    world.entitlements.replace(Entitlements())
    await manager.reconcileEntitlements()
    #expect(manager.activeModuleIDs == ["com.example.free"])
    #expect(world.store.activationNow?.enabledServiceModuleIDs == ["com.example.a", "com.example.free"])
    world.entitlements.replace(Entitlements(productIDs: ["p"]))
    await manager.reconcileEntitlements()
    #expect(manager.activeModuleIDs == ["com.example.free", "com.example.a"])
  }

  @Test("one whose start fails when it is unlocked again comes back like any other", .timeLimit(.minutes(1)))
  func unlockedInVain() async throws {
    let world = ScriptedWorld()
    let manager = world.manager([manifest("com.example.a", product: "p")])
    world.entitlements.replace(Entitlements(productIDs: ["p"]))
    try await manager.activateModule(moduleID: "com.example.a")
    world.entitlements.replace(Entitlements())
    await manager.reconcileEntitlements()
    world.startErrors["com.example.a"] = .startFailed(moduleID: "com.example.a", reason: "no")
    world.entitlements.replace(Entitlements(productIDs: ["p"]))
    await manager.reconcileEntitlements()
    world.startErrors = [:]
    await world.clock.waitForPending(1)
    world.clock.advance(by: .seconds(30))
    await manager.waitForState(.active, of: "com.example.a")
  }

  @Test("a crashed module is not started by a change of entitlements")
  func crashedStaysDown() async throws {
    let world = ScriptedWorld()
    let manager = world.manager([manifest("com.example.a")])
    try await manager.activateModule(moduleID: "com.example.a")
    world.instances["com.example.a"]?.crash()
    await manager.reconcileEntitlements()
    #expect(manager.activeModuleIDs.isEmpty)
  }

  @Test("a shutdown goes backwards, keeps the wish, ends what is being started and refuses what comes later")
  func shutDown() async throws {
    let world = ScriptedWorld()
    let manager = world.manager(["com.example.a", "com.example.b", "com.example.slow"].map { manifest($0) })
    try await manager.activateModule(moduleID: "com.example.b")
    try await manager.activateModule(moduleID: "com.example.a")
    let gate = Gate()
    world.startGates["com.example.slow"] = gate
    let starting = Task { @ReactorActor in try await manager.activateModule(moduleID: "com.example.slow") }
    await gate.someoneWaits()
    let desired = world.store.activationNow
    let ends = await manager.shutDown()
    #expect(ends.map(\.moduleID) == ["com.example.a", "com.example.b"])
    #expect(world.store.activationNow == desired)
    await #expect(throws: ModuleManagerError.shuttingDown(moduleID: "com.example.slow")) {
      try await starting.value
    }
    await #expect(throws: ModuleManagerError.shuttingDown(moduleID: "com.example.a")) {
      try await manager.activateModule(moduleID: "com.example.a")
    }
    #expect(manager.activeModuleIDs.isEmpty)
  }

  @Test("two shutdowns at once stop each module once, in order, and both wait for the end")
  func twoShutdowns() async throws {
    let world = ScriptedWorld()
    let ids = ["com.example.a", "com.example.b", "com.example.c"]
    let manager = world.manager(ids.map { manifest($0) })
    for id in ids { try await manager.activateModule(moduleID: id) }
    async let first = manager.shutDown()
    async let second = manager.shutDown()
    let ends = await (first, second)
    #expect(ends.0 == ends.1)
    #expect(ends.0.map(\.moduleID) == ids.reversed())
    #expect(world.trace.filter { $0.hasPrefix("stop") } == ids.reversed().map { "stop \($0)" })
  }

  @Test("a module that ends while its activation is saved takes back what was saved, and the old UI stays")
  func diesWhileSaved() async throws {
    let world = ScriptedWorld(policy: try .granting([.toolbarItems]))
    let manager = world.manager([
      uiModule("com.example.one", in: world), uiModule("com.example.two", in: world),
      manifest("com.example.s"),
    ])
    try await manager.activateModule(moduleID: "com.example.one")
    let before = world.store.activationNow
    for id in ["com.example.two", "com.example.s"] {
      world.store.whenCommitting { Task { @ReactorActor in world.instances[id]?.crash() } }
      await #expect(throws: ModuleManagerError.self) { try await manager.activateModule(moduleID: id) }
      #expect(world.store.activationNow == before)
    }
    #expect(manager.activeModuleIDs == ["com.example.one"])
    #expect(world.surface.surface.toolbarItems.map(\.moduleID) == ["com.example.one"])
  }

  @Test("a product that is withdrawn while its module starts leaves the module stopped")
  func lockedMeanwhile() async throws {
    let world = ScriptedWorld()
    world.entitlements.replace(Entitlements(productIDs: ["p"]))
    let manager = world.manager([manifest("com.example.a", product: "p")])
    let gate = Gate()
    world.startGates["com.example.a"] = gate
    let starting = Task { @ReactorActor in try await manager.activateModule(moduleID: "com.example.a") }
    await gate.someoneWaits()
    world.entitlements.replace(Entitlements())
    gate.open()
    await #expect(throws: ModuleManagerError.moduleLocked(moduleID: "com.example.a", productID: "p")) {
      try await starting.value
    }
    #expect(world.trace.last == "stop com.example.a")
    #expect(world.store.activationNow == nil)
  }

  @Test("a module that hangs in its start does not hold up its neighbours")
  func independence() async throws {
    let world = ScriptedWorld()
    let manager = world.manager(["com.example.a", "com.example.slow"].map { manifest($0) })
    let gate = Gate()
    world.startGates["com.example.slow"] = gate
    let starting = Task { @ReactorActor in try await manager.activateModule(moduleID: "com.example.slow") }
    await gate.someoneWaits()
    try await manager.activateModule(moduleID: "com.example.a")
    #expect(manager.activeModuleIDs == ["com.example.a"])
    gate.open()
    try await starting.value
    #expect(world.store.activationNow?.enabledServiceModuleIDs == ["com.example.a", "com.example.slow"])
  }
}
