import ForsettiBlocking
import ForsettiCore
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

@ReactorActor @Suite("Every end that nobody asked for is reported once, with what follows")
struct ManagerCrashReportTests {
  private let id = "com.example.a"
  private let scratch: Scratch
  private let world: ScriptedWorld
  private let reporter: CrashReporter
  private let store: CrashReportStore

  init() throws {
    scratch = try Scratch()
    world = ScriptedWorld(
      policy: Policy(
        restartDefaults: RestartPolicy(
          backoffFirstMilliseconds: 100, backoffMaximumMilliseconds: 100, restarts: 1)))
    store = CrashReportStore(stateFolder: scratch.path)
    reporter = CrashReporter(
      store, on: BlockingWorker(on: try BlockingExecutor(name: "files")), logger: SilentLogger())
    world.crashReporter = reporter
  }

  private func reports() async throws -> [CrashReport] {
    await reporter.finish()
    return try store.all().map { try $0.report.get() }
  }

  @Test("a crash, with its restart; then one too many, with its quarantine") func crashes() async throws {
    let manager = world.manager([manifest(id, capabilities: [])])
    try await manager.activateModule(moduleID: id)
    world.clock.advance(by: .seconds(3))
    world.instances[id]?.crash()
    await world.clock.waitForPending(1)
    let first = try #require(try await reports().first)
    #expect(first.module.moduleID == id && first.module.origin == "built-in")
    #expect(first.exit.reason == .crashed(signal: 11))
    #expect(first.next == .restart(afterMilliseconds: 50, attempt: 1))
    #expect(first.uptimeMilliseconds == 3_000)
    #expect(first.ends.count == 1)
    #expect(first.evidence.message == "scripted")
    world.clock.advance(by: .milliseconds(50))
    await world.waitForStarts(of: id, 2)
    await manager.settled(id)
    world.instances[id]?.crash()
    await manager.waitForState(.quarantined, of: id)
    let second = try await reports().filter { $0.id != first.id }
    #expect(second.map(\.next) == [.quarantine(.tooManyRestarts(count: 2, withinMilliseconds: 60_000))])
    #expect(second.map(\.ends.count) == [2])
  }

  @Test("a violation, with its way out") func violation() async throws {
    let manager = world.manager([manifest(id)])
    try await manager.activateModule(moduleID: id)
    world.instances[id]?.end(
      .violation(
        Violation(syscall: "fork", number: 57, arguments: [], path: nil, instructionPointer: 1)))
    await manager.waitForState(.quarantined, of: id)
    let report = try #require(try await reports().first)
    #expect(report.next == .quarantine(.violation))
    #expect(report.wayOut?.hasPrefix("no grant and no policy line") == true)
  }

  @Test("a start that a person asked for and that crashed, once") func failedStart() async throws {
    let manager = world.manager([manifest(id)])
    let gate = Gate()
    world.startGates[id] = gate
    let activation = Reactor.task { try? await manager.activateModule(moduleID: id) }
    await gate.someoneWaits()
    world.instances[id]?.crash()
    gate.open()
    _ = await activation.value
    #expect(try await reports().map(\.next) == [.staysDown(.activationFailed)])
  }

  @Test("a restart that crashed in its start, with the next one") func failedRestart() async throws {
    let manager = world.manager([manifest(id)])
    try await manager.activateModule(moduleID: id)
    world.instances[id]?.crash()
    await world.clock.waitForPending(1)
    let gate = Gate()
    world.startGates[id] = gate
    world.clock.advance(by: .milliseconds(100))
    await gate.someoneWaits()
    world.instances[id]?.crash()
    gate.open()
    await manager.waitForState(.quarantined, of: id)
    let found = try await reports().map(\.next)
    #expect(
      Set(found) == [
        .restart(afterMilliseconds: 50, attempt: 1),
        .quarantine(.tooManyRestarts(count: 2, withinMilliseconds: 60_000)),
      ])
  }

  private func deployment(_ sha256: String, _ policy: Policy) -> Deployment {
    let module = manifest(id, capabilities: [.storage])
    return Deployment(
      policy: policy,
      catalog: ForsettiModuleCatalog([LoadedManifest(manifest: module, path: "/m.json", sha256: sha256)]))
  }

  private func granting(_ grants: String) throws -> Policy {
    try PolicyDecoder.decode(
      bytes: Array(
        #"{"policyVersion": 1, "onDrift": "accept", "rules": [{"modules": "*", "grant": [\#(grants)]}]}"#.utf8
      ),
      file: "p.json")
  }

  @Test(
    "a new process that crashes in a reload is told of as what it was, and leaves a line in the audit log")
  func newInReload() async throws {
    let audit = RecordingAudit()
    world.auditLog = audit
    let manager = world.manager([manifest(id)])
    try await manager.activateModule(moduleID: id)
    let gate = Gate()
    world.startGates[id] = gate
    let next = deployment("01", try granting(#""storage""#))
    let reload = Reactor.task { _ = try? await manager.reload(to: next) }
    await gate.someoneWaits()
    world.instances[id]?.crash()
    gate.open()
    await reload.value
    let report = try #require(try await reports().first)
    #expect(report.module.manifestSHA256 == "01" && report.grants == [.storage])
    #expect(report.next == .staysDown(.activationFailed))
    #expect(audit.events.filter { $0.kind == .ended }.map { $0.details["reason"] } == ["crashed"])
  }

  @Test("where the old process of a module and its new one end in one turn, each is told of as what it was")
  func bothInReload() async throws {
    world.policy = try granting(#""storage""#)
    let manager = world.manager([manifest(id, capabilities: [.storage])])
    try await manager.activateModule(moduleID: id)
    let gate = Gate()
    world.startGates[id] = gate
    let old = world.instances[id]
    let next = deployment("01", try granting(#""storage""#))
    let reload = Reactor.task { _ = try? await manager.reload(to: next) }
    await gate.someoneWaits()
    old?.crash()
    world.instances[id]?.crash()
    gate.open()
    await reload.value
    await world.clock.waitForPending(1)
    let found = try await reports()
    #expect(Set(found.map(\.module.manifestSHA256)) == ["00", "01"] && found.count == 2)
    #expect(found.first { $0.module.manifestSHA256 == "01" }?.next == .staysDown(.activationFailed))
    #expect(
      found.first { $0.module.manifestSHA256 == "00" }?.next == .restart(afterMilliseconds: 50, attempt: 1))
  }

  @Test("an old process that crashes while it leaves is told of as what it was") func oldInReload()
    async throws
  {
    world.policy = try granting(#""storage""#)
    let manager = world.manager([manifest(id, capabilities: [.storage])])
    try await manager.activateModule(moduleID: id)
    let gate = Gate()
    world.stopGates[id] = gate
    let old = world.instances[id]
    let next = deployment("01", try granting(""))
    let reload = Reactor.task { _ = try? await manager.reload(to: next) }
    await gate.someoneWaits()
    old?.crash()
    gate.open()
    await reload.value
    let report = try #require(try await reports().first)
    #expect(report.module.manifestSHA256 == "00" && report.grants == [.storage])
    #expect(report.next == .staysDown(.beingStopped))
  }

  @Test("one that crashes while it is stopped because its manifest is gone is told of too") func gone()
    async throws
  {
    let manager = world.manager([manifest(id)])
    try await manager.activateModule(moduleID: id)
    let gate = Gate()
    world.stopGates[id] = gate
    let next = Deployment(policy: Policy(), catalog: ForsettiModuleCatalog([]))
    let reload = Reactor.task { _ = try? await manager.reload(to: next) }
    await gate.someoneWaits()
    world.instances[id]?.crash()
    gate.open()
    await reload.value
    #expect(try await reports().map(\.module.moduleID) == [id])
  }

  @Test("one that crashes while it is stopped; one that stops as asked leaves none") func whileStopped()
    async throws
  {
    let manager = world.manager([manifest(id), manifest("com.example.b")])
    try await manager.activateModule(moduleID: id)
    try await manager.activateModule(moduleID: "com.example.b")
    let gate = Gate()
    world.stopGates[id] = gate
    let stop = Reactor.task { try? await manager.deactivateModule(moduleID: id) }
    await gate.someoneWaits()
    world.instances[id]?.crash()
    gate.open()
    _ = await stop.value
    try await manager.deactivateModule(moduleID: "com.example.b")
    let found = try await reports()
    #expect(found.map(\.module.moduleID) == [id])
    #expect(found.map(\.next) == [.staysDown(.beingStopped)])
  }
}
