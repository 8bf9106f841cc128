import ForsettiBlocking
import ForsettiCore
import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime

@Suite("What a table shows of modules")
@ReactorActor struct ManagerTallyTests {
  private static func ids(_ count: Int) -> [String] { (0..<count).map { "com.example.m\($0)" } }

  private static func active(_ ids: [String], in world: ScriptedWorld) async throws -> ModuleManager {
    let manager = world.manager(ids.map { manifest($0) })
    for id in ids { try await manager.activateModule(moduleID: id) }
    return manager
  }

  @Test("of more modules than one look takes, the memory of all is known after two, and stays known")
  func memory() async throws {
    let world = ScriptedWorld()
    world.gauge = ProcessGauge(
      pid: getpid(), stat: try Descriptor.open("/proc/self/stat", O_RDONLY),
      memory: try Descriptor.open("/proc/self/smaps_rollup", O_RDONLY))
    let ids = Self.ids(100)
    let manager = try await Self.active(ids, in: world)
    func known() -> Int { ids.count { (manager.tally(of: $0).memoryBytes ?? 0) > 0 } }
    #expect(known() == 0)
    await manager.lookAtProcesses()
    #expect(known() == ProcessLooks.processesAtOnce)
    // However many ask.
    await manager.lookAtProcesses()
    #expect(known() == ProcessLooks.processesAtOnce)
    world.clock.advance(by: .milliseconds(500))
    await manager.lookAtProcesses()
    #expect(known() == 100)
    #expect(manager.tally(of: ids[0]).state == .active)
  }

  @Test("what changes where modules stand is counted, and nothing else is")
  func changes() async throws {
    let world = ScriptedWorld()
    let ids = Self.ids(2)
    let manager = try await Self.active(ids, in: world)
    var last = manager.changes
    func hasChanged() -> Bool {
      defer { last = manager.changes }
      return manager.changes != last
    }
    await manager.lookAtProcesses()
    _ = (manager.status(), manager.moduleIDs, manager.tally(of: ids[0]))
    #expect(!hasChanged())
    try await manager.deactivateModule(moduleID: ids[0])
    #expect(hasChanged() && manager.tally(of: ids[0]).state == .discovered)
    world.instances[ids[1]]?.crash()
    await manager.waitForState(.restarting, of: ids[1])
    #expect(hasChanged() && manager.tally(of: ids[1]).state == .restarting)
    try await manager.resetModule(moduleID: ids[1])
    #expect(hasChanged() && manager.tally(of: ids[1]).state == .active)
    manager.noteFailure(ids[0], .shuttingDown(moduleID: ids[0]))
    #expect(hasChanged())
    // One that nobody knows is none that runs.
    #expect(manager.tally(of: "com.example.none").state == .failed)
  }
}
