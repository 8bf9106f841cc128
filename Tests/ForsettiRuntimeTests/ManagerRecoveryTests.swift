import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

@Suite("Modules that end unasked come back, within their budget", .timeLimit(.minutes(1)))
@ReactorActor
struct ManagerRecoveryTests {
  private let id = "com.example.a"
  private let policy = Policy(
    restartDefaults: RestartPolicy(
      backoffFirstMilliseconds: 100, backoffMaximumMilliseconds: 400, restarts: 2,
      withinMilliseconds: 60_000, stableMilliseconds: 60_000))

  private func running(_ world: ScriptedWorld) async throws -> ModuleManager {
    let manager = world.manager([manifest(id), manifest("com.example.b")])
    try await manager.activateModule(moduleID: id)
    try await manager.activateModule(moduleID: "com.example.b")
    return manager
  }

  private func state(_ manager: ModuleManager) -> ModuleStatus.State? { manager.state(of: id) }

  @Test("a crash is followed by a start after its backoff, not before, and the neighbour never notices")
  func comesBack() async throws {
    let world = ScriptedWorld(policy: policy)
    let manager = try await running(world)
    world.instances[id]?.crash()
    await world.clock.waitForPending(1)
    #expect(state(manager) == .restarting)
    world.clock.advance(by: .milliseconds(49))
    #expect(world.clock.pending == 1)
    let before = world.trace
    world.clock.advance(by: .milliseconds(1))
    await world.waitForStarts(of: id, 2)
    await manager.settled(id)
    #expect(state(manager) == .active)
    #expect(world.trace.dropFirst(before.count).allSatisfy { $0.hasSuffix(id) })
  }

  @Test("too many ends within the time are quarantine; an activation by a person lets it out")
  func intensity() async throws {
    let world = ScriptedWorld(policy: policy)
    let manager = try await running(world)
    for attempt in 1...2 {
      world.instances[id]?.crash()
      await world.clock.waitForPending(1)
      world.clock.advance(by: .milliseconds(400))
      await world.waitForStarts(of: id, attempt + 1)
      await manager.settled(id)
    }
    world.instances[id]?.crash()
    await manager.waitForState(.quarantined, of: id)
    #expect(world.clock.pending == 0)
    #expect(manager.activeModuleIDs == ["com.example.b"])
    try await manager.activateModule(moduleID: id)
    #expect(state(manager) == .active)
    // The counter has survived: the next end is quarantine again.
    world.instances[id]?.crash()
    await manager.waitForState(.quarantined, of: id)
  }

  @Test("a violation is quarantine at once")
  func violation() async throws {
    let world = ScriptedWorld(policy: policy)
    let manager = try await running(world)
    world.instances[id]?.end(
      .violation(
        Violation(syscall: "socket", number: 41, arguments: [], path: nil, instructionPointer: 0)))
    await manager.waitForState(.quarantined, of: id)
    #expect(world.clock.pending == 0)
  }

  @Test("a start that fails while it comes back counts as one more end")
  func failingStart() async throws {
    let world = ScriptedWorld(policy: policy)
    let manager = try await running(world)
    world.startErrors[id] = .startFailed(moduleID: id, reason: "no")
    world.instances[id]?.crash()
    for _ in 1...2 {
      await world.clock.waitForPending(1)
      world.clock.advance(by: .milliseconds(400))
    }
    await manager.waitForState(.quarantined, of: id)
    #expect(world.trace.filter { $0 == "start \(id)" }.count == 3)
  }

  @Test("a module that is deactivated, or a runtime that shuts down, while a restart waits is not started")
  func cancelled() async throws {
    let world = ScriptedWorld(policy: policy)
    let manager = try await running(world)
    world.instances[id]?.crash()
    await world.clock.waitForPending(1)
    try await manager.deactivateModule(moduleID: id)
    #expect(world.clock.pending == 0)
    world.instances["com.example.b"]?.crash()
    await world.clock.waitForPending(1)
    _ = await manager.shutDown()
    #expect(world.clock.pending == 0)
    world.clock.advance(by: .seconds(10))
    #expect(manager.activeModuleIDs.isEmpty)
  }

  @Test("a UI module whose restart waits its turn does not throw out the one a person chose meanwhile")
  func chosenMeanwhile() async throws {
    let world = ScriptedWorld(policy: policy)
    let (old, new) = (manifest("com.example.old", .ui), manifest("com.example.new", .ui))
    let manager = world.manager([old, new])
    try await manager.activateModule(moduleID: "com.example.old")
    let gate = Gate()
    world.startGates["com.example.new"] = gate
    let choosing = Task { @ReactorActor in try await manager.activateModule(moduleID: "com.example.new") }
    await gate.someoneWaits()
    world.instances["com.example.old"]?.crash()
    await world.clock.waitForPending(1)
    world.clock.advance(by: .milliseconds(400))
    gate.open()
    try await choosing.value
    await manager.settled("com.example.old")
    #expect(manager.activeModuleIDs == ["com.example.new"])
  }

  @Test("the history outlives the manager: a second supervisor goes on counting")
  func survives() async throws {
    let world = ScriptedWorld(policy: policy)
    try world.store.saveRestartHistory(RestartHistory(ends: [5, 6]), moduleID: id)
    let manager = try await running(world)
    world.instances[id]?.crash()
    await manager.waitForState(.quarantined, of: id)
  }

  @Test("a restart that a person asks for leaves the module desired, and one that fails comes back")
  func restartFails() async throws {
    let world = ScriptedWorld(policy: policy)
    let manager = try await running(world)
    let failure = ModuleManagerError.startFailed(moduleID: id, reason: "no")
    world.startErrors[id] = failure
    await #expect(throws: failure) { try await manager.restartModule(moduleID: id) }
    #expect(world.store.activationNow?.enabledServiceModuleIDs.contains(id) == true)
    world.startErrors[id] = nil
    await world.clock.waitForPending(1)
    #expect(state(manager) == .restarting)
    world.clock.advance(by: .milliseconds(400))
    await manager.waitForState(.active, of: id)
    let count = world.store.commits
    try await manager.restartModule(moduleID: id)
    #expect(state(manager) == .active && world.store.commits == count)
  }

  @Test("a person's activation that fails while a restart waits is followed by another")
  func activationFails() async throws {
    let world = ScriptedWorld(policy: policy)
    let manager = try await running(world)
    world.instances[id]?.crash()
    await world.clock.waitForPending(1)
    let failure = ModuleManagerError.startFailed(moduleID: id, reason: "no")
    world.startErrors[id] = failure
    await #expect(throws: failure) { try await manager.activateModule(moduleID: id) }
    #expect(manager.status(of: id)?.failure == failure)
    world.startErrors[id] = nil
    await world.clock.waitForPending(1)
    world.clock.advance(by: .milliseconds(400))
    await manager.waitForState(.active, of: id)
  }

  @Test("a module that crashed just before the supervisor started anew is not taken for stable")
  func convalescesStill() async throws {
    let world = ScriptedWorld(policy: policy)
    try world.store.saveRestartHistory(RestartHistory(ends: [6]), moduleID: id)
    let manager = world.manager([manifest(id), manifest("com.example.b")])
    for module in [id, "com.example.b"] { try await manager.activateModule(moduleID: module) }
    #expect(world.convalescences == [id: .milliseconds(policy.restartDefaults.stableMilliseconds)])
  }
}

@Suite("Quarantine lasts until a person ends it")
@ReactorActor
struct QuarantineTests {
  private let id = "com.example.a"
  private let quarantine = Quarantine(cause: .violation, since: 5)

  /// A supervisor that starts over state in which the module is desired and quarantined.
  private func restarted(_ world: ScriptedWorld) async throws -> ModuleManager {
    try world.store.saveRestartHistory(RestartHistory(ends: [6], quarantine: quarantine), moduleID: id)
    let manager = world.manager(
      [manifest(id), manifest("com.example.b")],
      desired: ActivationState(enabledServiceModuleIDs: [id, "com.example.b"]))
    try await manager.loadQuarantines()
    return manager
  }

  @Test("a new supervisor leaves it where it was, says so, and starts its neighbour")
  func survives() async throws {
    let world = ScriptedWorld()
    let manager = try await restarted(world)
    #expect(await manager.restore() == [.quarantined(moduleID: id, cause: .violation)])
    #expect(manager.state(of: id) == .quarantined)
    #expect(manager.activeModuleIDs == ["com.example.b"])
    #expect(!world.trace.contains("launch \(id)"))
  }

  @Test("a policy may end it with the supervisor's start; the ends before still count")
  func endsAtStart() async throws {
    let world = ScriptedWorld(
      policy: Policy(restartDefaults: RestartPolicy(quarantineEnds: .supervisorStart)))
    let manager = try await restarted(world)
    #expect(await manager.restore().isEmpty)
    #expect(manager.state(of: id) == .active)
    #expect(world.store.restartHistory(moduleID: id) == RestartHistory(ends: [6]))
  }

  @Test("a reset ends it, forgets the ends and starts a desired module")
  func reset() async throws {
    let world = ScriptedWorld()
    let manager = try await restarted(world)
    _ = await manager.restore()
    try await manager.resetModule(moduleID: id)
    #expect(manager.state(of: id) == .active)
    #expect(world.store.restartHistory(moduleID: id) == RestartHistory())
    await #expect(throws: ModuleManagerError.moduleNotDiscovered(moduleID: "x.y")) {
      try await manager.resetModule(moduleID: "x.y")
    }
  }

  @Test("a reset takes the place of a backoff that waits")
  func resetWhileWaiting() async throws {
    let world = ScriptedWorld()
    let manager = world.manager([manifest(id)])
    try await manager.activateModule(moduleID: id)
    world.instances[id]?.crash()
    await world.clock.waitForPending(1)
    try await manager.resetModule(moduleID: id)
    #expect(manager.state(of: id) == .active)
    #expect(world.clock.pending == 0)
    #expect(world.store.restartHistory(moduleID: id) == RestartHistory())
  }

  @Test("a reset that can't be kept changes nothing, and one whose module is undesired starts nothing")
  func resetWithout() async throws {
    let world = ScriptedWorld()
    let manager = try await restarted(world)
    _ = await manager.restore()
    world.store.fail(.busy(path: "state"))
    await #expect(throws: ModuleManagerError.self) { try await manager.resetModule(moduleID: id) }
    #expect(manager.state(of: id) == .quarantined)
    world.store.fail(nil)
    try await manager.deactivateModule(moduleID: id)
    #expect(manager.state(of: id) == .quarantined)
    try await manager.resetModule(moduleID: id)
    #expect(manager.state(of: id) == .discovered)
  }

  @Test("a person's activation ends it once the module runs, not before")
  func activated() async throws {
    let world = ScriptedWorld()
    let manager = try await restarted(world)
    world.startErrors[id] = .startFailed(moduleID: id, reason: "no")
    await #expect(throws: ModuleManagerError.startFailed(moduleID: id, reason: "no")) {
      try await manager.activateModule(moduleID: id)
    }
    #expect(manager.state(of: id) == .quarantined)
    world.startErrors[id] = nil
    try await manager.activateModule(moduleID: id)
    #expect(world.store.restartHistory(moduleID: id) == RestartHistory(ends: [6]))
  }
}
