import ForsettiCore
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

@Suite("A shutdown goes backwards and is bounded in total", .timeLimit(.minutes(1)))
@ReactorActor
struct ManagerShutdownTests {
  private let ids = ["com.example.a", "com.example.b", "com.example.c"]

  private func stops(_ world: ScriptedWorld) -> [String] {
    world.trace.filter { $0.hasPrefix("stop ") }.map { String($0.dropFirst(5)) }
  }

  private func running(_ world: ScriptedWorld, _ manifests: [ModuleManifest]) async throws -> ModuleManager {
    let manager = world.manager(manifests)
    for manifest in manifests { try await manager.activateModule(moduleID: manifest.moduleID) }
    return manager
  }

  @Test("a module is waited for, but stubborn ones don't add up: past the patience the rest is asked at once")
  func patience() async throws {
    let world = ScriptedWorld()
    for id in ids { world.stopGates[id] = Gate() }
    let manager = try await running(world, ids.map { manifest($0) })
    async let ends = manager.shutDown()
    await world.stopGates[ids[2]]?.someoneWaits()
    await settle()
    #expect(stops(world) == [ids[2]])
    world.clock.advance(by: ModuleManager.shutdownPatience)
    await world.stopGates[ids[0]]?.someoneWaits()
    #expect(stops(world) == ids.reversed())
    for gate in world.stopGates.values { gate.open() }
    #expect(await ends.map(\.moduleID) == ids.reversed())
    #expect(world.clock.pending == 0)
  }

  @Test("the patience is shared: a slow end takes from it, and what is left is waited for")
  func shared() async throws {
    let world = ScriptedWorld()
    for id in ids { world.stopGates[id] = Gate() }
    let manager = try await running(world, ids.map { manifest($0) })
    async let ends = manager.shutDown()
    await world.stopGates[ids[2]]?.someoneWaits()
    world.clock.advance(by: .milliseconds(1_500))
    world.stopGates[ids[2]]?.open()
    await world.stopGates[ids[1]]?.someoneWaits()
    world.clock.advance(by: .milliseconds(400))
    await settle()
    #expect(stops(world) == [ids[2], ids[1]])
    world.clock.advance(by: .milliseconds(100))
    await world.stopGates[ids[0]]?.someoneWaits()
    for gate in world.stopGates.values { gate.open() }
    #expect(await ends.count == 3)
  }

  @Test("a provider is asked only when all that require it have ended, patience or not")
  func provider() async throws {
    let (provider, consumer, lone) = ("com.example.a", "com.example.b", "com.example.c")
    let world = ScriptedWorld(
      policy: Policy(
        roles: [.api: .module(provider)],
        rules: [PolicyRule(try ModulePattern("com.example.*"), grant: [.api])]))
    for id in ids { world.stopGates[id] = Gate() }
    let manager = try await running(
      world,
      [
        manifest(provider, capabilities: [.api], role: .api), manifest(consumer, requires: [.api]),
        manifest(lone),
      ])
    async let ends = manager.shutDown()
    await world.stopGates[lone]?.someoneWaits()
    world.clock.advance(by: .seconds(60))
    await world.stopGates[consumer]?.someoneWaits()
    await settle()
    #expect(stops(world) == [lone, consumer])
    world.stopGates[consumer]?.open()
    await world.stopGates[provider]?.someoneWaits()
    for gate in world.stopGates.values { gate.open() }
    #expect(await ends.map(\.moduleID) == [lone, consumer, provider])
  }

  @Test("modules that hang in their start are asked side by side: their deadlines don't add up")
  func starting() async throws {
    let world = ScriptedWorld()
    for id in ids { (world.startGates[id], world.stopGates[id]) = (Gate(), Gate()) }
    let manager = world.manager(ids.map { manifest($0) })
    let starts = ids.map { id in
      Task { @ReactorActor in try await manager.activateModule(moduleID: id) }
    }
    for id in ids { await world.startGates[id]?.someoneWaits() }
    async let ends = manager.shutDown()
    for id in ids { await world.stopGates[id]?.someoneWaits() }
    for gate in world.stopGates.values { gate.open() }
    #expect(await ends.isEmpty)
    for start in starts { await #expect(throws: ModuleManagerError.self) { try await start.value } }
  }
}
