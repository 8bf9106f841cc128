import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

@Suite("A boot is single-flight, idempotent, retried and rolled back")
@ReactorActor
struct BootstrapTests {
  private let ids = ["com.example.a", "com.example.b"]

  private func bootstrap(
    _ world: ScriptedWorld, manifests: [ModuleManifest]? = nil, restoring: Bool = true, discovery: Gate? = nil
  ) -> ForsettiRuntimeBootstrap {
    let catalog = ForsettiModuleCatalog(
      (manifests ?? ids.map { manifest($0) }).map {
        LoadedManifest(manifest: $0, path: "/m.json", sha256: "00")
      })
    return ForsettiRuntimeBootstrap(
      runtime: ForsettiRuntime(
        ForsettiRuntime.Parts(
          policy: world.policy,
          discover: { _ in
            await discovery?.wait()
            return catalog
          }, store: world.store, entitlements: world.entitlements,
          launcher: world, logger: SilentLogger(), diagnostics: DiagnosticsCenter(), bus: InMemoryEventBus(),
          clock: world.clock, wallClock: { 7 })), restoring: restoring)
  }

  @Test("callers at the same time share one boot, and a call after it does nothing")
  func singleFlight() async throws {
    let world = ScriptedWorld()
    let boot = bootstrap(world)
    async let first = boot.bootForProduction()
    async let second = boot.bootForProduction()
    let reports = try await (first, second)
    #expect(reports.0 == reports.1)
    try await boot.bootForProduction()
    #expect(world.trace.filter { $0.hasPrefix("start") } == ids.map { "start \($0)" })
    #expect(boot.state == .ready)
    #expect(world.store.activationNow?.enabledServiceModuleIDs == Set(ids))
    #expect(world.store.isFirstBootDone())
  }

  @Test(
    "a first boot that fails stops what it started, keeps no state, tells diagnostics, and can be tried again"
  )
  func rollbackAndRetry() async throws {
    let world = ScriptedWorld()
    let boot = bootstrap(world)
    var states = boot.states().makeAsyncIterator()
    let failure = ModuleManagerError.startFailed(moduleID: "com.example.b", reason: "no")
    world.startErrors["com.example.b"] = failure
    await #expect(throws: BootFailure.module(failure)) { try await boot.bootForProduction() }
    #expect(boot.state == .failed(.module(failure)))
    #expect(world.trace.suffix(2) == ["stop com.example.b", "stop com.example.a"])
    #expect(world.store.activationNow == nil)
    #expect(!world.store.isFirstBootDone())
    let told = boot.runtime.diagnostics.latest(1).first
    #expect(told?.source == "forsetti.runtime")
    #expect(told?.category == "bootstrap")
    world.startErrors = [:]
    try await boot.bootForProduction()
    var seen: [String] = []
    while seen.last != "ready", let state = await states.next() { seen.append(state.name) }
    #expect(seen == ["notStarted", "booting", "failed", "booting", "ready"])
  }

  @Test("a later boot restores what is desired; without restoring, the set is booted anew")
  func restoring() async throws {
    let world = ScriptedWorld()
    let first = bootstrap(world)
    try await first.bootForProduction()
    try await first.runtime.moduleManager?.deactivateModule(moduleID: "com.example.a")
    await first.shutDown()
    let second = bootstrap(world)
    #expect(try await second.bootForProduction().kind == .restored)
    #expect(second.runtime.moduleManager?.activeModuleIDs == ["com.example.b"])
    await second.shutDown()
    let third = bootstrap(world, restoring: false)
    #expect(try await third.bootForProduction().kind == .first)
    #expect(third.runtime.moduleManager?.activeModuleIDs == ids)
    await third.shutDown()
  }

  @Test(
    "a shutdown during a boot ends it: interrupted, nothing running, nothing saved", arguments: [false, true])
  func interrupted(isRestore: Bool) async throws {
    let world = ScriptedWorld()
    if isRestore {
      let first = bootstrap(world)
      try await first.bootForProduction()
      await first.shutDown()
    }
    let before = world.store.activationNow
    let gate = Gate()
    world.startGates["com.example.b"] = gate
    let boot = bootstrap(world)
    let booting = Task { @ReactorActor in try await boot.bootForProduction() }
    await gate.someoneWaits()
    await boot.shutDown()
    await #expect(throws: BootFailure.interrupted) { try await booting.value }
    #expect(boot.runtime.status().modules.allSatisfy { $0.state != .active })
    #expect(world.store.activationNow == before)
    #expect(boot.state == .notStarted || boot.state == .failed(.interrupted))
  }

  @Test("a shutdown asked for while manifests are still read is not lost")
  func earlyShutdown() async {
    let world = ScriptedWorld()
    let discovery = Gate()
    let boot = bootstrap(world, discovery: discovery)
    let booting = Task { @ReactorActor in try await boot.bootForProduction() }
    await discovery.someoneWaits()
    let stopping = Task { @ReactorActor in await boot.shutDown() }
    while boot.state == .booting, !boot.runtime.isShuttingDown { await Task.yield() }
    discovery.open()
    _ = await stopping.value
    await #expect(throws: BootFailure.interrupted) { try await booting.value }
    #expect(world.trace.isEmpty)
  }

  @Test("a change of entitlements reaches the modules")
  func observing() async throws {
    let world = ScriptedWorld()
    world.entitlements.replace(Entitlements(productIDs: ["p"]))
    let boot = bootstrap(world, manifests: [manifest("com.example.a", product: "p")])
    try await boot.bootForProduction()
    world.entitlements.replace(Entitlements())
    while boot.runtime.moduleManager?.activeModuleIDs != [] { await Task.yield() }
    world.entitlements.replace(Entitlements(productIDs: ["p"]))
    while boot.runtime.moduleManager?.activeModuleIDs != ["com.example.a"] { await Task.yield() }
    await boot.shutDown()
  }

  @Test("entry points that two built-ins share fail the boot before anything starts")
  func duplicateEntryPoint() async {
    let world = ScriptedWorld()
    var twin = manifest("com.example.b")
    twin.entryPoint = manifest("com.example.a").entryPoint
    let boot = bootstrap(world, manifests: [manifest("com.example.a"), twin])
    await #expect(throws: BootFailure.self) { try await boot.bootForProduction() }
    #expect(world.trace.isEmpty)
  }
}
