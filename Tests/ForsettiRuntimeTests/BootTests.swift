import CLinux
import ForsettiCore
import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime

/// The shipped modules, booted for real: files, SQLite, locked processes.
@Suite("The shipped set boots")
@ReactorActor
struct BootTests {
  @Test(
    "a first boot activates the policy's set in its order, each module locked, and makes it the desired state"
  )
  func firstBoot() async throws {
    let home = try Scratch()
    let runtime = try await ForsettiRuntime.open(
      Shipped.configuration(state: home.path), logger: SilentLogger())
    let bootstrap = ForsettiRuntimeBootstrap(runtime: runtime, restoring: true)
    let report = try await bootstrap.bootForProduction()
    #expect(report.kind == .first)
    #expect(bootstrap.state == .ready)
    let status = await runtime.observe()
    #expect(status.modules.map(\.moduleID) == Shipped.order)
    #expect(status.modules.allSatisfy { $0.state == .active })
    #expect(status.selectedUIModuleID == Shipped.order.last)
    for module in status.modules {
      let process = try #require(module.process)
      #expect(process.threads == 1)
      #expect(process.openFileDescriptors == 5)
      #expect(process.seccompMode == 2)
      #expect(process.noNewPrivileges == true)
    }
    let ends = await bootstrap.shutDown()
    #expect(ends.map(\.moduleID) == Shipped.order.reversed())
    #expect(ends.allSatisfy { $0.exit.reason == .stopped })
    #expect(bootstrap.state == .notStarted)
  }

  @Test("a module that crashes comes back in a new process, and no other process changes")
  func comesBack() async throws {
    let home = try Scratch()
    let runtime = try await ForsettiRuntime.open(
      Shipped.configuration(state: home.path), logger: SilentLogger())
    let bootstrap = ForsettiRuntimeBootstrap(runtime: runtime, restoring: true)
    try await bootstrap.bootForProduction()
    let before = processes(of: runtime)
    let victim = try #require(before[Shipped.order[2]])
    kill(victim, SIGSEGV)
    while true {
      let now = processes(of: runtime)
      if let reborn = now[Shipped.order[2]], reborn != victim { break }
      await Task.yield()
    }
    var after = processes(of: runtime)
    #expect(after.count == Shipped.order.count)
    after[Shipped.order[2]] = victim
    #expect(after == before)
    await bootstrap.shutDown()
  }

  @Test("all modules that are killed at the same moment come back, three times over")
  func allAtOnce() async throws {
    let home = try Scratch()
    let policy = try Shipped.policy()
    let patient = Policy(
      activationOrder: policy.activationOrder, selectedUIModuleID: policy.selectedUIModuleID,
      roles: policy.roles,
      restartDefaults: RestartPolicy(
        backoffFirstMilliseconds: 1, backoffMaximumMilliseconds: 1, restarts: 100),
      rules: policy.rules)
    let runtime = try await ForsettiRuntime.open(
      Shipped.configuration(state: home.path, policy: patient), logger: SilentLogger())
    let bootstrap = ForsettiRuntimeBootstrap(runtime: runtime, restoring: true)
    try await bootstrap.bootForProduction()
    for _ in 1...3 {
      let before = processes(of: runtime)
      for victim in before.values { kill(victim, SIGKILL) }
      while true {
        let now = processes(of: runtime)
        if now.count == before.count, Set(now.values).isDisjoint(with: before.values) { break }
        await Task.yield()
      }
    }
    await bootstrap.shutDown()
  }

  @Test("a shutdown lets the services finish, once")
  func servicesFinish() async throws {
    let home = try Scratch()
    let finished = Log<String>()
    var configuration = try Shipped.configuration(state: home.path, policy: Shipped.policy())
    let shipped = configuration.services
    configuration.services = { () async throws(BootFailure) in
      var services = try await shipped()
      services.atShutdown { await finished.add("finished") }
      return services
    }
    let bootstrap = ForsettiRuntimeBootstrap(
      runtime: try await ForsettiRuntime.open(configuration, logger: SilentLogger()), restoring: true)
    try await bootstrap.bootForProduction()
    #expect(finished.items.isEmpty)
    await bootstrap.shutDown()
    #expect(finished.items == ["finished"])
  }

  @Test("a module's stop ladder is the policy's")
  func ladder() async throws {
    let home = try Scratch()
    let store = try await StateStore.open(folder: home.path)
    let policy = Policy(deadlineDefaults: PhaseDeadlines(stop: 123, terminate: 45))
    let launcher = ProcessLauncher(
      hostPath: "/nonexistent", store: store, logger: SilentLogger(),
      broker: ModuleBroker(
        policy: policy, services: ForsettiServiceContainer(), logger: SilentLogger(), bus: InMemoryEventBus(),
        diagnostics: DiagnosticsCenter(), clock: ReactorClock.shared, wallClock: { 0 }))
    let module = LoadedManifest(manifest: manifest("com.example.a"), path: "/m.json", sha256: "00")
    let process =
      try await launcher.makeInstance(for: module, by: policy, convalescence: nil) { _ in } as? ModuleProcess
    #expect(process?.spec.ladder == StopLadder(PhaseDeadlines(stop: 123, terminate: 45)))
  }

  private func processes(of runtime: ForsettiRuntime) -> [String: Int32] {
    Dictionary(
      uniqueKeysWithValues: runtime.status().modules.compactMap { module in
        module.process.map { (module.moduleID, $0.pid) }
      })
  }
}
