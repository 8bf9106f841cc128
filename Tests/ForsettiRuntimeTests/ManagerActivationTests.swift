import ForsettiCore
import ForsettiIPC
import Testing

@testable import ForsettiRuntime

@Suite("Activation goes through every gate")
@ReactorActor
struct ManagerActivationTests {
  private let a = manifest("com.example.a")

  @Test("a module that a person activates runs, is registered and desired; a second time is a quiet success")
  func activate() async throws {
    let world = ScriptedWorld()
    let manager = world.manager([a], hash: "beef")
    try await manager.activateModule(moduleID: "com.example.a")
    try await manager.activateModule(moduleID: "COM.example.A")
    #expect(world.trace == ["launch com.example.a", "start com.example.a"])
    #expect(manager.activeModuleIDs == ["com.example.a"])
    #expect(world.store.activationNow?.enabledServiceModuleIDs == ["com.example.a"])
    #expect(world.store.record(moduleID: "com.example.a")?.sha256 == "beef")
    #expect(world.store.record(moduleID: "com.example.a")?.registeredAt == 7)
    #expect(world.store.commits == 1)
  }

  @Test("gates before the process throw in their order and start nothing")
  func gatesBefore() async {
    let wrong = manifest("com.example.a", capabilities: [.storage], product: "p", platforms: [.iOS])
    let world = ScriptedWorld()
    let manager = world.manager([wrong, manifest("com.example.b", product: "p")])
    await #expect(throws: ModuleManagerError.moduleNotDiscovered(moduleID: "com.example.x")) {
      try await manager.activateModule(moduleID: "com.example.x")
    }
    let error = await #expect(throws: ModuleManagerError.self) {
      try await manager.activateModule(moduleID: "com.example.a")
    }
    guard case .incompatible(let report) = error else {
      Issue.record("expected incompatible, got \(String(describing: error))")
      return
    }
    #expect(report.issues.map(\.code) == [.unsupportedPlatform, .capabilityDenied])
    await #expect(throws: ModuleManagerError.moduleLocked(moduleID: "com.example.b", productID: "p")) {
      try await manager.activateModule(moduleID: "com.example.b")
    }
    #expect(world.trace.isEmpty)
    #expect(world.store.commits == 0)
  }

  @Test("a reviewed registration needs the acceptance of this very hash, and uses it up")
  func reviewed() async throws {
    let world = ScriptedWorld(policy: Policy(registration: .reviewed))
    let manager = world.manager([a], hash: "beef")
    let missing = ModuleManagerError.registrationMissing(moduleID: "com.example.a", sha256: "beef")
    await #expect(throws: missing) { try await manager.activateModule(moduleID: "com.example.a") }
    accept("other", in: world)
    await #expect(throws: missing) { try await manager.activateModule(moduleID: "com.example.a") }
    accept("beef", in: world)
    try await manager.activateModule(moduleID: "com.example.a")
    #expect(world.store.acceptance(moduleID: "com.example.a") == nil)
  }

  private func accept(_ hash: String, in world: ScriptedWorld) {
    let acceptance = Acceptance(
      moduleID: "com.example.a", manifestSHA256: hash, origin: "built-in", acceptedAt: 1)
    world.store.content.withLock { $0.acceptances["com.example.a"] = acceptance }
  }

  @Test(
    "a changed manifest is drift: refused with the fields, until it is accepted or the policy accepts drift")
  func drift() async throws {
    let world = ScriptedWorld()
    try await world.manager([a], hash: "old").activateModule(moduleID: "com.example.a")
    let changed = manifest("com.example.a", displayName: "Other")
    let error = await #expect(throws: ModuleManagerError.self) {
      try await world.manager([changed], hash: "new").activateModule(moduleID: "com.example.a")
    }
    guard case .registrationMismatch("com.example.a", let reason) = error else {
      Issue.record("expected registrationMismatch, got \(String(describing: error))")
      return
    }
    #expect(reason.contains("displayName"))
    #expect(world.store.record(moduleID: "com.example.a")?.sha256 == "old")
    accept("new", in: world)
    try await world.manager([changed], hash: "new").activateModule(moduleID: "com.example.a")
    #expect(world.store.record(moduleID: "com.example.a")?.sha256 == "new")

    world.policy = Policy(onDrift: .accept)
    try await world.manager([a], hash: "third").activateModule(moduleID: "com.example.a")
    #expect(world.store.record(moduleID: "com.example.a")?.sha256 == "third")
  }

  @Test("a module that is not what its manifest says is stopped before its start")
  func identity() async {
    let world = ScriptedWorld()
    var description = ScriptedWorld.description(of: a)
    description.descriptor.displayName = "Impostor"
    world.descriptions["com.example.a"] = description
    let manager = world.manager([a])
    await #expect(
      throws: ModuleManagerError.moduleIdentityMismatch(
        moduleID: "com.example.a", field: "descriptor.displayName", expected: "Test", actual: "Impostor")
    ) { try await manager.activateModule(moduleID: "com.example.a") }
    #expect(world.trace == ["launch com.example.a", "stop com.example.a"])
    #expect(world.store.commits == 0)
  }

  @Test("a ui manifest whose module is none, and a service that is one, are refused")
  func uiProtocol() async {
    let ui = manifest("com.example.ui", .ui)
    let world = ScriptedWorld()
    var description = ScriptedWorld.description(of: ui)
    description.isUIModule = false
    description.contributions = nil
    world.descriptions["com.example.ui"] = description
    var service = ScriptedWorld.description(of: a)
    service.isUIModule = true
    service.contributions = UIContributions()
    world.descriptions["com.example.a"] = service
    let manager = world.manager([ui, a])
    await #expect(throws: ModuleManagerError.notUIModule(moduleID: "com.example.ui")) {
      try await manager.activateModule(moduleID: "com.example.ui")
    }
    let error = await #expect(throws: ModuleManagerError.self) {
      try await manager.activateModule(moduleID: "com.example.a")
    }
    guard case .unsatisfiedRuntimeRequirement("com.example.a", _) = error else {
      Issue.record("expected unsatisfiedRuntimeRequirement, got \(String(describing: error))")
      return
    }
  }

  @Test("a role without a provider and a contribution without its capability are refused before the start")
  func requirementsAndContributions() async throws {
    let needy = manifest("com.example.needy", capabilities: [.api], requires: [.api])
    let ui = manifest("com.example.ui", .ui)
    let world = ScriptedWorld(policy: try .granting([.api]))
    let item = ToolbarItemDescriptor(itemID: "i", title: "I", action: .navigate(pointerID: "p"))
    world.descriptions["com.example.ui"] = ScriptedWorld.description(
      of: ui, contributions: UIContributions(toolbarItems: [item]))
    let manager = world.manager([needy, ui])
    let error = await #expect(throws: ModuleManagerError.self) {
      try await manager.activateModule(moduleID: "com.example.needy")
    }
    guard case .unsatisfiedRuntimeRequirement("com.example.needy", _) = error else {
      Issue.record("expected unsatisfiedRuntimeRequirement, got \(String(describing: error))")
      return
    }
    let other = await #expect(throws: ModuleManagerError.self) {
      try await manager.activateModule(moduleID: "com.example.ui")
    }
    guard case .missingCapability("com.example.ui", .toolbarItems, _) = other else {
      Issue.record("expected missingCapability, got \(String(describing: other))")
      return
    }
    #expect(!world.trace.contains { $0.hasPrefix("start") })
  }

  @Test("a start that throws, and a state that can't be saved, leave no process, no UI and no desired state")
  func failures() async {
    let ui = manifest("com.example.ui", .ui)
    let world = ScriptedWorld()
    let manager = world.manager([a, ui])
    world.startErrors["com.example.a"] = .startFailed(moduleID: "com.example.a", reason: "no")
    await #expect(throws: ModuleManagerError.startFailed(moduleID: "com.example.a", reason: "no")) {
      try await manager.activateModule(moduleID: "com.example.a")
    }
    world.store.fail(.full(path: "/state"))
    let error = await #expect(throws: ModuleManagerError.self) {
      try await manager.activateModule(moduleID: "com.example.ui")
    }
    guard case .storeFailed = error else {
      Issue.record("expected storeFailed, got \(String(describing: error))")
      return
    }
    #expect(world.trace.filter { $0.hasPrefix("stop") } == ["stop com.example.a", "stop com.example.ui"])
    #expect(manager.activeModuleIDs.isEmpty)
    #expect(world.surface.surface == .empty)
    #expect(world.store.activationNow == nil)
  }
}

extension Policy {
  /// A policy that grants every module of the tests these capabilities.
  static func granting(_ capabilities: [Capability]) throws -> Policy {
    Policy(rules: [PolicyRule(try ModulePattern("com.example.*"), grant: capabilities)])
  }
}
