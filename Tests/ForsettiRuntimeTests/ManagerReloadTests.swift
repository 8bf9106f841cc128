import ForsettiCore
import ForsettiIPC
import Testing

@testable import ForsettiRuntime

/// A reload as the manager carries it out; processes are scripted.
@Suite("A reload replaces what differs, or nothing", .timeLimit(.minutes(1)))
@ReactorActor
struct ManagerReloadTests {
  private let one = "com.example.one"
  private let two = "com.example.two"

  private func deployment(
    _ hashes: [String: String], _ policy: Policy = Policy(onDrift: .accept), _ more: [ModuleManifest] = []
  ) -> Deployment {
    Deployment(
      policy: policy,
      catalog: ForsettiModuleCatalog(
        hashes.map { LoadedManifest(manifest: manifest($0.key), path: "/m.json", sha256: $0.value) }
          + more.map { LoadedManifest(manifest: $0, path: "/m.json", sha256: "00") }))
  }

  /// A manager with both modules active.
  private func manager(_ world: ScriptedWorld) async throws -> ModuleManager {
    let manager = world.manager([manifest(one), manifest(two)])
    for id in [one, two] { try await manager.activateModule(moduleID: id) }
    world.trace = []
    return manager
  }

  /// Which process each module is, as it were.
  private func orders(_ manager: ModuleManager) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: zip(manager.active.ids, manager.active.orders))
  }

  @Test("a changed module's new process starts before the old one stops, and its neighbour is not touched")
  func replaced() async throws {
    let world = ScriptedWorld()
    let manager = try await manager(world)
    let (old, neighbour) = (manager.active[one]?.order, manager.active[two]?.order)
    let outcome = try await manager.reload(to: deployment([one: "01", two: "00"]))
    #expect(outcome.plan.modules.map(\.step) == [.replace])
    #expect(world.trace == ["launch \(one)", "start \(one)", "stop \(one)"])
    #expect(manager.active[one]?.order != old)
    #expect(manager.active[two]?.order == neighbour)
    #expect(world.store.record(moduleID: one)?.sha256 == "01")
    #expect(manager.launching.isEmpty && manager.retiring.isEmpty)
    // What follows is held against what was read.
    #expect(manager.catalog[one]?.sha256 == "01")
  }

  @Test("of several, all change places or none: where one does not start, those before it are stopped again")
  func allOrNone() async throws {
    let world = ScriptedWorld()
    let manager = try await manager(world)
    let before = orders(manager)
    let failure = ModuleManagerError.startFailed(moduleID: two, reason: "no")
    world.startErrors[two] = failure
    await #expect(throws: ReloadFailure.failed(failure)) {
      try await manager.reload(to: deployment([one: "01", two: "01"]))
    }
    #expect(orders(manager) == before && world.keptModules == nil)
    #expect(world.trace.suffix(2) == ["stop \(two)", "stop \(one)"])
    #expect(manager.catalog[one]?.sha256 == "00" && manager.launching.isEmpty)
    #expect(world.store.record(moduleID: one)?.sha256 == "00")
    // Nothing is left of it: the next one goes through.
    world.startErrors = [:]
    _ = try await manager.reload(to: deployment([one: "01", two: "01"]))
    #expect(manager.activeModuleIDs.sorted() == [one, two])
  }

  @Test(
    "a state that can't be saved, a gate that is shut and a bundle that is refused each leave all as it was")
  func refused() async throws {
    let world = ScriptedWorld()
    let manager = try await manager(world)
    let before = orders(manager)
    world.store.fail(.full(path: "/s"))
    await #expect(throws: ReloadFailure.self) {
      try await manager.reload(to: deployment([one: "01", two: "00"]))
    }
    world.store.fail(nil)
    await #expect {
      try await manager.reload(to: deployment([one: "01", two: "01"], Policy()))
    } throws: {
      // Drift that nobody accepted; both are told.
      guard case .refused(let errors)? = $0 as? ReloadFailure else { return false }
      return errors.count == 2
    }
    let refusal = BundleRefusal(name: one, path: "/b", fault: .unknownKey)
    let without = Deployment(
      policy: Policy(),
      catalog: ForsettiModuleCatalog(
        [LoadedManifest(manifest: manifest(two), path: "/m.json", sha256: "00")], refusals: [refusal]))
    await #expect(
      throws: ReloadFailure.refused([.bundleRefused(moduleID: one, reason: refusal.reason)])
    ) { try await manager.reload(to: without) }
    #expect(orders(manager) == before)
    #expect(!world.trace.contains { $0 == "stop \(two)" })
  }

  @Test("a module that is gone stops and stays desired; when it is there again it starts again")
  func goneAndBack() async throws {
    let world = ScriptedWorld()
    let manager = try await manager(world)
    _ = try await manager.reload(to: deployment([two: "00"]))
    #expect(manager.activeModuleIDs == [two] && world.keptModules == [two])
    #expect(manager.isDesired(one))
    let outcome = try await manager.reload(to: deployment([one: "00", two: "00"]))
    #expect(outcome.plan.modules.map(\.step) == [.start])
    #expect(manager.activeModuleIDs == [two, one])
  }

  @Test("one that an earlier supervisor left in quarantine stays there when a reload brings it back")
  func quarantinedBefore() async throws {
    let world = ScriptedWorld()
    let quarantine = Quarantine(cause: .violation, since: 5)
    try world.store.saveRestartHistory(RestartHistory(quarantine: quarantine), moduleID: one)
    let manager = world.manager(
      [manifest(two)], desired: ActivationState(enabledServiceModuleIDs: [one, two]))
    try await manager.loadQuarantines()
    _ = await manager.restore()
    let outcome = try await manager.reload(to: deployment([one: "00", two: "00"]))
    #expect(outcome.failures == [.quarantined(moduleID: one, cause: .violation)])
    #expect(manager.state(of: one) == .quarantined)
    #expect(!world.trace.contains("launch \(one)"))
  }

  @Test("what still does not start after a reload is told of, and takes nothing back")
  func stillFails() async throws {
    let world = ScriptedWorld()
    let manager = try await manager(world)
    _ = try await manager.reload(to: deployment([two: "00"]))
    let failure = ModuleManagerError.unsatisfiedRuntimeRequirement(moduleID: one, reason: "no")
    world.launchErrors[one] = failure
    let outcome = try await manager.reload(to: deployment([one: "00", two: "01"]))
    #expect(outcome.failures == [failure])
    #expect(manager.catalog[two]?.sha256 == "01")
  }

  @Test("restart counters survive")
  func counters() async throws {
    let world = ScriptedWorld()
    let manager = try await manager(world)
    world.instances[one]?.crash()
    await world.clock.waitForPending(1)
    world.clock.advance(by: .seconds(60))
    await manager.waitForState(.active, of: one)
    let history = manager.histories[one]
    _ = try await manager.reload(to: deployment([one: "01", two: "00"]))
    #expect(manager.histories[one] == history)
    #expect(world.store.restartHistory(moduleID: one) == history)
    #expect(history != RestartHistory())
  }

  @Test("a module that ends while the reload prepares comes back as what was read")
  func crashMeanwhile() async throws {
    let world = ScriptedWorld()
    let manager = try await manager(world)
    let gate = Gate()
    world.startGates[one] = gate
    let crashing = world.instances[two]
    async let outcome = manager.reload(to: deployment([one: "01", two: "00"]))
    await gate.someoneWaits()
    crashing?.crash()
    gate.open()
    _ = try await outcome
    await world.clock.waitForPending(1)
    world.clock.advance(by: .seconds(60))
    await manager.waitForState(.active, of: two)
    #expect(manager.activeModuleIDs == [one, two])
  }

  @Test("a shutdown while the reload prepares ends everything")
  func shutdownMeanwhile() async throws {
    let world = ScriptedWorld()
    let manager = try await manager(world)
    let gate = Gate()
    world.startGates[one] = gate
    let next = deployment([one: "01", two: "00"])
    let outcome = Task { try await manager.reload(to: next) }
    await gate.someoneWaits()
    async let ends = manager.shutDown()
    await #expect(throws: ReloadFailure.failed(.shuttingDown(moduleID: one))) { try await outcome.value }
    _ = await ends
    #expect(manager.active.ids.isEmpty && manager.launching.isEmpty)
  }

  @Test("a UI module is replaced in one step: the surface is never empty")
  func surface() async throws {
    let ui = manifest("com.example.ui", .ui)
    let world = ScriptedWorld()
    let manager = world.manager([ui])
    try await manager.activateModule(moduleID: "com.example.ui")
    var surfaces = world.surface.surfaces().makeAsyncIterator()
    _ = await surfaces.next()
    var changed = Deployment(policy: Policy(), catalog: manager.catalog)
    changed = Deployment(
      policy: Policy(mayHostUseThemeMasks: true), catalog: changed.catalog)
    _ = try await manager.reload(to: changed)
    #expect(await surfaces.next() == UISurface(contributions: ["com.example.ui": UIContributions()]))
    #expect(manager.activeUIModuleID == "com.example.ui")
    #expect(world.trace.suffix(2) == ["start com.example.ui", "stop com.example.ui"])
  }

  @Test("what was taken away holds from the step in which all changes, not from when the last one has left")
  func adoption() async throws {
    let world = ScriptedWorld()
    let manager = try await manager(world)
    let gate = Gate()
    world.stopGates[one] = gate
    var adopted: String?
    let next = deployment([one: "01", two: "00"])
    let outcome = Reactor.task {
      _ = try? await manager.reload(to: next) { adopted = manager.catalog[self.one]?.sha256 }
    }
    await gate.someoneWaits()
    #expect(adopted == "01")
    gate.open()
    await outcome.value
  }

  @Test("what it grants, registers, stops and refuses is in the audit log, and that it took effect")
  func audited() async throws {
    let world = ScriptedWorld(policy: Policy(onDrift: .accept))
    let audit = RecordingAudit()
    world.auditLog = audit
    let manager = try await manager(world)
    var seen = audit.events.count
    func news() -> [AuditEvent] {
      defer { seen = audit.events.count }
      return Array(audit.events[seen...])
    }
    _ = try await manager.reload(to: deployment([one: "01", two: "00"]))
    let replaced = news()
    #expect(replaced.map(\.kind) == [.changed, .registered, .granted])
    #expect(replaced[0].moduleID == nil && replaced[0].details["modules"] == one)
    #expect(replaced[2].moduleID == one && replaced[2].details["sha256"] == "01")
    // The other one may not run here any more.
    let foreign = ForsettiModuleCatalog([
      LoadedManifest(manifest: manifest(one), path: "/m.json", sha256: "01"),
      LoadedManifest(manifest: manifest(two, platforms: [.macOS]), path: "/m.json", sha256: "00"),
    ])
    _ = try await manager.reload(to: Deployment(policy: Policy(onDrift: .accept), catalog: foreign))
    #expect(news().map(\.kind) == [.changed, .denied])
    await #expect(throws: ReloadFailure.self) {
      try await manager.reload(to: deployment([one: "02"], Policy()))
    }
    let refused = news()
    #expect(refused.map(\.kind) == [.denied] && refused[0].details["reason"]?.contains(one) == true)
    #expect(refused[0].moduleID == one && refused[0].details["operation"] == "reload")
  }

  @Test("what is wrong with several modules has a line in the audit log for each") func auditedEach()
    async throws
  {
    let world = ScriptedWorld(policy: Policy(onDrift: .accept))
    let audit = RecordingAudit()
    world.auditLog = audit
    let manager = try await manager(world)
    let seen = audit.events.count
    var twin = manifest(two)
    twin.entryPoint = manifest(one).entryPoint
    await #expect(throws: ReloadFailure.self) {
      try await manager.reload(to: deployment([one: "00"], Policy(onDrift: .accept), [twin]))
    }
    #expect(Set(audit.events[seen...].filter { $0.kind == .denied }.map(\.moduleID)) == [one, two])
  }

  @Test("a plan alone checks the same gates and changes nothing")
  func trial() async throws {
    let world = ScriptedWorld()
    let manager = try await manager(world)
    let plan = try await manager.planReload(to: deployment([one: "01", two: "00"]))
    #expect(plan.modules.map(\.step) == [.replace])
    await #expect(throws: ReloadFailure.self) {
      try await manager.planReload(to: deployment([one: "01", two: "00"], Policy()))
    }
    #expect(world.trace.isEmpty && manager.catalog[one]?.sha256 == "00")
  }
}
