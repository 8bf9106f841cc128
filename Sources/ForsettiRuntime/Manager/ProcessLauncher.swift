public import ForsettiCore
import ForsettiIPC
import ForsettiSandbox
import Glibc

/// Makes real module processes: derives the plan, compiles its filter once, gives the module its user, and
/// attributes what it says.
@ReactorActor
public final class ProcessLauncher: ModuleLauncher {
  private let hostPath: String
  private let otherHosts: [String: String]
  private let store: StateStore
  private let logger: any ForsettiLogger
  private let broker: ModuleBroker
  private let executables = ExecutableStore()
  private var hosts: HostExecutable.Store
  private var compiler = FilterCompiler()
  /// Gives each process a cgroup, where the supervisor was given a subtree.
  var cgroups: ModuleCgroups?
  /// Records what the module that it covers does outside its sandbox.
  var audit: ModuleAudit?
  /// What holds a module; tests put a weaker one in its place, to see that the loss of a layer is noticed.
  var derivePlan: @ReactorActor (Set<Capability>, SandboxPolicy) -> SandboxPlan = {
    SandboxPlan.derive(grants: $0, policy: $1)
  }

  /// Makes a launcher.
  /// - Parameters:
  ///   - hostPath: the module host's executable, found beside the supervisor's.
  ///   - otherHosts: those of modules that are in another executable, by module ID.
  public nonisolated init(
    hostPath: String, otherHosts: [String: String] = [:], store: StateStore, logger: any ForsettiLogger,
    broker: ModuleBroker
  ) {
    self.hostPath = hostPath
    self.otherHosts = otherHosts
    hosts = HostExecutable.Store(Set(otherHosts.values).union([hostPath]))
    self.store = store
    self.logger = logger
    self.broker = broker
  }

  /// A process that is not spawned yet.
  public func makeInstance(
    for module: LoadedManifest, by policy: Policy, convalescence: Duration?,
    ended: @escaping @ReactorActor (ModuleExit) -> Void
  ) async throws(ModuleManagerError) -> any ModuleInstance {
    let manifest = module.manifest
    let executable = try await executables.executable(of: module, limit: policy.bundles.executableBytes)
    let grants = Set(policy.grants(for: manifest, origin: module.origin).granted)
    let sandbox = policy.sandbox(for: manifest.moduleID, origin: module.origin)
    let userID = try await userID(of: module, in: policy.userIDs)
    if sandbox.direct.contains(.threads),
      ThreadBound.holding(hasOwnUser: userID != nil, controllers: cgroups?.controllers ?? []) == nil
    {
      throw .threadsUnbounded(moduleID: manifest.moduleID)
    }
    let audit = audit.flatMap { $0.covers(module, by: policy) ? $0 : nil }
    var plan = derivePlan(grants, sandbox)
    if executable != nil { plan.addExecution() }
    if let audit { plan = audited(plan, by: audit, manifest.moduleID) }
    var spec = LaunchSpec(
      moduleID: manifest.moduleID, entryPoint: manifest.entryPoint,
      hostPath: otherHosts[manifest.moduleID] ?? hostPath, plan: plan,
      filter: try filter(for: plan, of: manifest.moduleID), userID: userID,
      deadlines: policy.deadlines(for: manifest.moduleID, origin: module.origin), executable: executable)
    spec.host = hosts.current(spec.hostPath)
    spec.cgroup = try await cgroup(for: sandbox, of: manifest.moduleID)
    spec.audit = audit
    spec.convalescence = convalescence
    spec.spins = Reactor.shared.maySpin
    Self.adopt(policy, for: module, in: &spec)
    return ModuleProcess(
      spec,
      handlers: handlers(for: manifest.moduleID) { exit in
        ended(exit)
        audit?.processEnded()
      },
      session: broker.makeSession(
        manifest: manifest, origin: module.origin, grants: grants, dataOrigin: module.dataOrigin))
  }

  /// Lets go of executables that are replaced or gone.
  public func keepPrograms(of catalog: ForsettiModuleCatalog) { executables.keep(of: catalog) }

  private func audited(_ plan: SandboxPlan, by audit: ModuleAudit, _ id: String) -> SandboxPlan {
    logger.warning("is audited: calls outside its sandbox are recorded and let through", moduleID: id)
    return audit.lifting(plan)
  }

  private func filter(for plan: SandboxPlan, of id: String) throws(ModuleManagerError) -> FilterProgram {
    do throws(SandboxCompileError) { return try compiler.program(for: plan) } catch {
      throw .filterFailed(moduleID: id, reason: "\(error)")
    }
  }

  private func cgroup(
    for sandbox: SandboxPolicy, of id: String
  ) async throws(ModuleManagerError) -> ModuleCgroup? {
    guard let cgroups else { return nil }
    do throws(SystemError) { return try await cgroups.makeCgroup(for: sandbox) } catch {
      throw .sandboxFailed(moduleID: id, step: .resourceLimits, errno: error.errno)
    }
  }

  /// What a policy says of a process that runs.
  private static func adopt(_ policy: Policy, for module: LoadedManifest, in spec: inout LaunchSpec) {
    let (id, origin) = (module.manifest.moduleID, module.origin)
    let heartbeat = policy.heartbeat(for: id, origin: origin)
    spec.heartbeat = heartbeat.isEnabled ? heartbeat : nil
    if let rate = policy.rates(for: id, origin: origin)[.logLinesPerSecond] {
      spec.outputLimit = TokenBucket(perSecond: rate)
    }
  }

  /// The module's own user, the same at every start, when the supervisor is root; else the supervisor's.
  private func userID(
    of module: LoadedManifest, in range: UserIDRange
  ) async throws(ModuleManagerError) -> UInt32? {
    guard geteuid() == 0 else { return nil }
    do throws(StoreError) {
      let slot = try await store.userIDSlot(
        moduleID: module.manifest.moduleID, origin: module.origin.text, count: Int(range.count))
      return range.first + UInt32(slot)
    } catch { throw error.during("give \(module.manifest.moduleID) its user ID") }
  }

  private func handlers(
    for id: String, ended: @escaping @ReactorActor (ModuleExit) -> Void
  ) -> ModuleProcess.Handlers {
    let logger = logger
    return ModuleProcess.Handlers(
      output: { output in
        switch output {
        case .record(let record):
          logger.relay(record.level, record.message, from: id, metadata: record.metadata)
        case .line(let line, let droppedBytes):
          let metadata = droppedBytes > 0 ? ["cutBytes": "\(droppedBytes)"] : [:]
          logger.relay(.info, line, from: id, metadata: metadata)
        case .dropped(let count):
          logger.warning("dropped \(count) records and lines above its rate limit", moduleID: id)
        }
      },
      ended: { exit in
        logger.forget(moduleID: id)
        ended(exit)
      })
  }
}
