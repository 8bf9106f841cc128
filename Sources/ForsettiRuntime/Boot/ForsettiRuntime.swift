public import ForsettiCore

/// The runtime of one supervisor: discovery, modules, surface, entitlements, diagnostics (seed "Runtime
/// Lifecycle"). Usable as a library: make one, boot it, shut it down.
@ReactorActor
public final class ForsettiRuntime {
  /// What the runtime is made of.
  public struct Parts {
    /// What the deployment allows.
    public var policy: Policy
    /// Discovers manifests, and bundles in the sight of a policy, on a thread that may block.
    public var discover: @Sendable (Policy) async throws(ManifestLoaderError) -> ForsettiModuleCatalog
    /// Desired state and registrations.
    public var store: any ModuleStateStore
    /// What is unlocked.
    public var entitlements: any EntitlementProvider
    /// Makes module processes.
    public var launcher: any ModuleLauncher
    /// Hears what becomes of modules.
    public var logger: any ForsettiLogger
    /// Keeps failures for a diagnostics provider.
    public var diagnostics: DiagnosticsCenter
    /// Carries what modules publish to the host.
    public var bus: InMemoryEventBus
    /// Keeps reports on modules that ended unasked; without one there are none.
    public var crashReporter: CrashReporter?
    /// Carries calls and events between modules and the host; without one there are none.
    public var broker: ModuleBroker?
    /// Measures the boot.
    public var clock: any RuntimeClock
    /// Milliseconds since the Unix epoch.
    public var wallClock: @Sendable () -> Int64
    /// The audit of one module; the launcher has the same.
    public var audit: ModuleAudit?
    /// Keeps what is decided; the broker has the same.
    public var auditLog: any AuditRecorder = NoAudit()
    /// The cgroups that the launcher gives to modules.
    public var cgroup = CgroupStanding.notDelegated

    /// Makes parts.
    public init(
      policy: Policy,
      discover: @escaping @Sendable (Policy) async throws(ManifestLoaderError) -> ForsettiModuleCatalog,
      store: any ModuleStateStore, entitlements: any EntitlementProvider, launcher: any ModuleLauncher,
      logger: any ForsettiLogger, diagnostics: DiagnosticsCenter, bus: InMemoryEventBus,
      broker: ModuleBroker? = nil, crashReporter: CrashReporter? = nil, clock: any RuntimeClock,
      wallClock: @escaping @Sendable () -> Int64
    ) {
      self.policy = policy
      self.discover = discover
      self.store = store
      self.entitlements = entitlements
      self.launcher = launcher
      self.logger = logger
      self.diagnostics = diagnostics
      self.bus = bus
      self.broker = broker
      self.crashReporter = crashReporter
      self.clock = clock
      self.wallClock = wallClock
    }
  }

  /// What it is made of; the policy is the one of the last reload.
  var parts: Parts
  private var observation: Task<Void, Never>?
  /// Whether a shutdown was asked for since the last boot began.
  public private(set) var isShuttingDown = false

  /// The surface of the active UI or app module.
  public let surface = UISurfaceManager()
  /// Where failures are kept for a diagnostics provider.
  public var diagnostics: DiagnosticsCenter { parts.diagnostics }
  /// What modules have by cgroups.
  public var cgroup: CgroupStanding { parts.cgroup }
  /// Where the host hears what modules publish.
  public var bus: InMemoryEventBus { parts.bus }
  /// The module manager; `nil` before a boot has discovered anything.
  public private(set) var moduleManager: ModuleManager?

  /// Makes a runtime that has done nothing yet.
  public init(_ parts: Parts) { self.parts = parts }

  /// Spans of calls since the start; `nil` where no collector is told of any.
  public func spanCounts() async -> SpanCounts? { await parts.broker?.tracer?.figures() }

  // MARK: Boot

  /// Lets a boot begin after a shutdown. Whoever boots calls it in the same step in which it decides to, so that a
  /// shutdown asked for later is never lost.
  func reopen() { isShuttingDown = false }

  /// Discovers, observes entitlements, then activates the policy's set (first boot, or not restoring) or
  /// restores desired state. On failure everything is stopped again and desired state is untouched.
  public func boot(restoring: Bool) async throws(BootFailure) -> BootReport {
    let begin = parts.clock.now
    let manager = try await makeManager()
    moduleManager = manager
    // Subscribed before anything is asked: a change during the boot is looked at after it.
    let changes = parts.entitlements.entitlementsDidChangeStream()
    do throws(BootFailure) {
      let (kind, failures) = try await populate(manager, restoring: restoring)
      guard !isShuttingDown else { throw .interrupted }
      let milliseconds = Double(parts.clock.now - begin) / 1_000_000
      observe(changes, for: manager)
      return BootReport(kind: kind, milliseconds: milliseconds, failures: failures)
    } catch {
      _ = await manager.shutDown()
      await finishCrashReports()
      moduleManager = nil
      throw isShuttingDown ? .interrupted : error
    }
  }

  private func makeManager() async throws(BootFailure) -> ModuleManager {
    let catalog: ForsettiModuleCatalog
    do throws(ManifestLoaderError) { catalog = try await parts.discover(parts.policy) } catch {
      throw .manifests(error)
    }
    if let duplicate = catalog.duplicateEntryPoints.first { throw .catalog(duplicate) }
    try parts.audit?.begin(catalog, parts.policy)
    for refusal in catalog.refusals { parts.logger.error("refused: \(refusal)", moduleID: nil) }
    let desired: ActivationState
    do throws(StoreError) { desired = try await parts.store.activation() ?? ActivationState() } catch {
      throw .state(error)
    }
    guard !isShuttingDown else { throw .interrupted }
    var environment = ModuleManager.Environment(
      policy: parts.policy, store: parts.store, entitlements: parts.entitlements, launcher: parts.launcher,
      surface: surface, broker: parts.broker, crashReporter: parts.crashReporter, logger: parts.logger,
      clock: parts.clock, wallClock: parts.wallClock)
    environment.auditLog = parts.auditLog
    return ModuleManager(catalog: catalog, desired: desired, environment: environment)
  }

  private func populate(
    _ manager: ModuleManager, restoring: Bool
  ) async throws(BootFailure) -> (BootReport.Kind, [ModuleManagerError]) {
    await parts.entitlements.refreshEntitlements()
    let isFirst: Bool
    do throws(StoreError) {
      isFirst = try await !parts.store.isFirstBootDone()
      try await manager.loadQuarantines()
    } catch { throw .state(error) }
    if restoring, !isFirst { return (.restored, await manager.restore()) }
    do throws(ModuleManagerError) { try await manager.activatePolicySet() } catch { throw .module(error) }
    return (.first, manager.refusedOfPolicySet)
  }

  private func observe(_ changes: AsyncStream<Void>, for manager: ModuleManager) {
    observation = Reactor.task {
      for await _ in changes { await manager.reconcileEntitlements() }
    }
  }

  // MARK: Shutdown and status

  /// Stops everything, last activated first, a boot under way included. Desired state stays.
  public func shutDown() async -> [ModuleEnd] {
    isShuttingDown = true
    observation?.cancel()
    observation = nil
    let ends = await moduleManager?.shutDown() ?? []
    await parts.broker?.finish()
    await finishCrashReports()
    return ends
  }

  /// Waits until the report of every end so far is on disk.
  public func finishCrashReports() async { await parts.crashReporter?.finish() }

  /// Ends every process at once, for a person who will not wait for a shutdown under way.
  public func kill() { moduleManager?.kill() }

  /// Every discovered or desired module as it is now; no process is looked at.
  public func status() -> RuntimeStatus { moduleManager?.status() ?? RuntimeStatus() }

  /// Every discovered or desired module, its process included.
  public func observe() async -> RuntimeStatus { await moduleManager?.observe() ?? RuntimeStatus() }
}
