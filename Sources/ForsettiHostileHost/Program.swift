import ForsettiCore
import ForsettiHostileSet
import ForsettiKernelLock
import ForsettiModuleKit

/// The module host with other modules: the programs, each run under the lock by the tests, the cases of the hostile
/// suite, and the neighbours that work beside them. Start, lock and protocol are those of the real host.
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
    for hostileCase in HostileSuite.cases {
      guard let program = ProgramTable.all.first(where: { $0.name == hostileCase.program }) else { continue }
      try registry.register(entryPoint: hostileCase.entryPoint) { module(of: hostileCase, program) }
    }
    for neighbour in HostileNeighbour.allCases {
      try registry.register(entryPoint: neighbour.entryPoint) { module(of: neighbour) }
    }
    return registry
  }

  @MainActor
  private static func module(of hostileCase: HostileCase, _ program: Program) -> any ForsettiModule {
    switch program.name {
    case "steal_id": IdentityThief()
    case "steal_role": RoleThief(CaseModule(hostileCase, program))
    default: CaseModule(hostileCase, program)
    }
  }

  @MainActor
  private static func module(of neighbour: HostileNeighbour) -> any ForsettiModule {
    switch neighbour {
    case .caller: CallerModule()
    case .listener: ListenerModule()
    }
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

  func stop(context: ForsettiContext) async { await program.stop() }
}
