import ForsettiCore
import ForsettiLockdown
import ForsettiModuleKit

/// The module host with other modules: each entry point is one program that the tests run under the lock.
/// Start, lock and protocol are those of the real host.
@main enum Host {
  @MainActor
  static func main() {
    ModuleHost.run(lock: KernelLock(), registry: registry)
  }

  @MainActor
  private static func registry() throws -> ModuleRegistry {
    let registry = ModuleRegistry()
    for program in ProgramTable.all {
      try registry.register(entryPoint: program.name) { ProgramModule(program) }
    }
    return registry
  }
}

/// A module whose start is the program. What the program returns is published as `<moduleID>.result`.
@MainActor
final class ProgramModule: ForsettiModule {
  let manifest: ModuleManifest
  private let program: Program

  init(_ program: Program) {
    self.program = program
    let version = SemVer(major: 1, minor: 0, patch: 0)
    manifest = ModuleManifest(
      moduleID: "test.program." + program.name.replacing("_", with: "-"), displayName: program.name,
      moduleVersion: version, moduleType: .service, supportedPlatforms: [.linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0),
      capabilitiesRequested: program.needs.map(\.kind.capability),
      entryPoint: program.name, runtimeRequirements: RuntimeRequirements(io: program.needs))
  }

  func start(context: ForsettiContext) async throws {
    let result = try await program.run(context)
    try await context.publishEvent(type: "\(manifest.moduleID).result", payload: ["text": result])
  }

  func stop(context: ForsettiContext) async {}
}

/// The real host's own lock.
private struct KernelLock: ProcessLock {
  func apply(_ request: LockdownRequest) throws(LockRefusal) -> LockedProcess {
    do {
      let result = try Lockdown.apply(request)
      return LockedProcess(listener: result.listener, landlockABI: result.landlockABI)
    } catch { throw LockRefusal(step: error.step, errno: error.errno) }
  }

  func finish(listener: Int32) throws(LockRefusal) {
    do { try Lockdown.finish(listener: listener) } catch {
      throw LockRefusal(step: error.step, errno: error.errno)
    }
  }
}
