import ForsettiCore
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

@Suite(
  "A restart takes along whom its strategy says, and nobody's budget but its own", .timeLimit(.minutes(1)))
@ReactorActor
struct ManagerStrategyTests {
  private let provider = "com.p.api"
  private let first = "com.c.first"
  private let second = "com.c.second"
  private let lone = "com.x.lone"

  private func running(_ strategy: RestartPolicy.Strategy, restarts: Int = 5) async throws -> (
    ScriptedWorld, ModuleManager
  ) {
    let world = ScriptedWorld(
      policy: Policy(
        activationOrder: [provider, first, second, lone], roles: [.api: .module(provider)],
        restartDefaults: RestartPolicy(strategy: strategy, backoffFirstMilliseconds: 100, restarts: restarts),
        rules: [PolicyRule(try ModulePattern("com.*"), grant: [.api])]))
    let manager = world.manager([
      manifest(provider, capabilities: [.api], role: .api), manifest(first, requires: [.api]),
      manifest(second, requires: [.api]), manifest(lone),
    ])
    for id in [provider, first, second, lone] { try await manager.activateModule(moduleID: id) }
    world.trace = []
    return (world, manager)
  }

  /// Lets the backoff of the module that ended pass.
  private func passBackoff(_ world: ScriptedWorld) async {
    await world.clock.waitForPending(1)
    world.clock.advance(by: .seconds(30))
  }

  @Test("dependents are stopped backwards, the provider is started, then they are, in order")
  func dependents() async throws {
    let (world, manager) = try await running(.dependents)
    world.instances[provider]?.crash()
    await passBackoff(world)
    await world.waitForStarts(of: second, 1)
    await manager.waitForState(.active, of: second)
    #expect(
      world.trace == [
        "stop \(second)", "stop \(first)", "launch \(provider)", "start \(provider)", "launch \(first)",
        "start \(first)", "launch \(second)", "start \(second)",
      ])
    #expect(world.store.restartHistory(moduleID: first) == RestartHistory())
    #expect(world.store.restartHistory(moduleID: provider).ends.count == 1)
  }

  @Test("with all, everyone is stopped backwards and started in the policy's order")
  func all() async throws {
    let (world, manager) = try await running(.all)
    world.instances[first]?.crash()
    await passBackoff(world)
    await world.waitForStarts(of: lone, 1)
    await manager.waitForState(.active, of: lone)
    #expect(world.trace.prefix(3) == ["stop \(lone)", "stop \(second)", "stop \(provider)"])
    #expect(
      world.trace.filter { $0.hasPrefix("start") } == [provider, first, second, lone].map { "start \($0)" })
    #expect(world.store.restartHistory(moduleID: lone) == RestartHistory())
  }

  @Test("while the provider does not come back, its dependents wait, and say for whom")
  func waits() async throws {
    let (world, manager) = try await running(.dependents)
    world.startErrors[provider] = .startFailed(moduleID: provider, reason: "no")
    world.instances[provider]?.crash()
    await passBackoff(world)
    await world.clock.waitForPending(1)
    #expect(manager.state(of: first) == .restarting)
    #expect(
      manager.status().modules.first { $0.moduleID == first }?.failure
        == .waitingForModule(moduleID: first, other: provider))
    #expect(manager.activeModuleIDs == [lone])
    world.startErrors[provider] = nil
    world.clock.advance(by: .seconds(30))
    await manager.waitForState(.active, of: second)
    #expect(Set(manager.activeModuleIDs) == [provider, first, second, lone])
  }

  @Test("a provider that ends in quarantine leaves nobody waiting: its dependents run without it")
  func quarantined() async throws {
    let (world, manager) = try await running(.dependents, restarts: 1)
    world.startErrors[provider] = .startFailed(moduleID: provider, reason: "no")
    world.instances[provider]?.crash()
    await passBackoff(world)
    await manager.waitForState(.quarantined, of: provider)
    await manager.waitForState(.active, of: second)
    #expect(Set(manager.activeModuleIDs) == [first, second, lone])
  }

  @Test("a person who stops the provider while others wait for it lets them run")
  func deactivated() async throws {
    let (world, manager) = try await running(.dependents)
    world.startErrors[provider] = .startFailed(moduleID: provider, reason: "no")
    world.instances[provider]?.crash()
    await passBackoff(world)
    await world.clock.waitForPending(1)
    try await manager.deactivateModule(moduleID: provider)
    await manager.waitForState(.active, of: second)
    #expect(manager.state(of: provider) == .discovered)
  }

  @Test("a person who starts the provider in vain, and for good, lets those run that wait for it")
  func activatedInVain() async throws {
    let (world, manager) = try await running(.dependents)
    world.startErrors[provider] = .startFailed(moduleID: provider, reason: "no")
    world.instances[provider]?.crash()
    await passBackoff(world)
    await world.clock.waitForPending(1)
    let failure = ModuleManagerError.moduleLocked(moduleID: provider, productID: "x")
    world.startErrors[provider] = failure
    await #expect(throws: failure) { try await manager.activateModule(moduleID: provider) }
    await manager.waitForState(.active, of: second)
    #expect(Set(manager.activeModuleIDs) == [first, second, lone])
    #expect(manager.status(of: provider)?.failure == failure)
  }

  @Test("a person who stops the provider while others are being stopped for it lets them run")
  func deactivatedMeanwhile() async throws {
    let (world, manager) = try await running(.dependents)
    let gate = Gate()
    world.stopGates[second] = gate
    world.instances[provider]?.crash()
    await passBackoff(world)
    await gate.someoneWaits()
    try await manager.deactivateModule(moduleID: provider)
    gate.open()
    await manager.waitForState(.active, of: second)
    #expect(Set(manager.activeModuleIDs) == [first, second, lone])
  }

  @Test("one that a reload takes away leaves nobody waiting")
  func removed() async throws {
    let (world, manager) = try await running(.all)
    world.startErrors[first] = .startFailed(moduleID: first, reason: "no")
    world.instances[first]?.crash()
    await passBackoff(world)
    await world.clock.waitForPending(1)
    #expect(manager.state(of: lone) == .restarting)
    let others = manager.catalog.manifests.filter { $0.manifest.moduleID != first }
    _ = try await manager.reload(
      to: Deployment(policy: manager.policy, catalog: ForsettiModuleCatalog(others)))
    world.clock.advance(by: .seconds(30))
    await manager.waitForState(.active, of: lone)
    #expect(Set(manager.activeModuleIDs) == [provider, second, lone])
  }

  @Test("a shutdown while others wait starts nobody")
  func shutDown() async throws {
    let (world, manager) = try await running(.dependents)
    world.startErrors[provider] = .startFailed(moduleID: provider, reason: "no")
    world.instances[provider]?.crash()
    await passBackoff(world)
    await world.clock.waitForPending(1)
    _ = await manager.shutDown()
    #expect(manager.activeModuleIDs.isEmpty)
    #expect(world.clock.pending == 0)
  }
}
