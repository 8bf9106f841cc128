import ForsettiCore
import Glibc

extension ForsettiRuntime {
  /// A runtime on real processes, files and state; nothing is booted yet. The state is held from here on.
  /// - Throws: `host`, `state`, `entitlements` or `services`.
  public static func open(
    _ configuration: RuntimeConfiguration, logger: any ForsettiLogger
  ) async throws(BootFailure) -> ForsettiRuntime {
    try checkPrograms(of: configuration)
    let store: StateStore
    do throws(StoreError) { store = try await StateStore.open(folder: configuration.stateFolder) } catch {
      throw .state(error)
    }
    let workers = try Workers()
    let entitlements: any EntitlementProvider
    do throws(EntitlementFault) { entitlements = try await Self.entitlements(configuration, logger) } catch {
      throw .entitlements(error)
    }
    Reactor.shared.allowSpinning(configuration.spinsAdaptively && configuration.policy.spin == .adaptive)
    let bus = InMemoryEventBus()
    let diagnostics = DiagnosticsCenter()
    let clock = ReactorClock.shared
    let broker = ModuleBroker(
      policy: configuration.policy, services: try await configuration.services(), logger: logger, bus: bus,
      diagnostics: diagnostics, clock: clock, wallClock: wallMilliseconds)
    broker.auditLog = configuration.auditLog
    let launcher = ProcessLauncher(
      hostPath: configuration.hostPath, otherHosts: configuration.otherHosts, store: store,
      logger: logger, broker: broker)
    launcher.audit = configuration.audit
    let (cgroups, cgroup) = await ModuleCgroups.takingOver(
      configuration.cgroup, on: workers.files, logger: logger)
    launcher.cgroups = cgroups
    var parts = Parts(
      policy: configuration.policy, discover: discovery(configuration, on: workers.files), store: store,
      entitlements: entitlements, launcher: configuration.wrapLauncher(launcher), logger: logger,
      diagnostics: diagnostics, bus: bus, broker: broker,
      crashReporter: crashReporter(configuration, on: workers.crashReports, logger), clock: clock,
      wallClock: wallMilliseconds)
    parts.audit = configuration.audit
    parts.auditLog = configuration.auditLog
    parts.cgroup = cgroup
    return ForsettiRuntime(parts)
  }

  /// Threads for what may block.
  private struct Workers {
    let files: BlockingWorker
    let crashReports: BlockingWorker

    init() throws(BootFailure) {
      do throws(SystemError) {
        files = BlockingWorker(on: try BlockingExecutor(name: "files"))
        crashReports = BlockingWorker(on: try BlockingExecutor(name: "crash-reports", urgency: .background))
      } catch { throw .state(.noThread(error)) }
    }
  }

  /// The programs that are started run as the supervisor's own user until they have locked themselves, so nobody else may
  /// change them. One that is absent is told of when it is needed.
  private static func checkPrograms(of configuration: RuntimeConfiguration) throws(BootFailure) {
    let hosts = Set(configuration.otherHosts.values).union([configuration.hostPath])
    for path in hosts.union([configuration.symbolizerPath]) {
      do throws(TrustedFileError) { try TrustedFile.check(path) } catch {
        if error.fault != .absent { throw .host(error) }
      }
    }
  }

  /// Finds the modules: the manifests of the configuration, and the bundles of the policy that is asked with.
  private static func discovery(
    _ configuration: RuntimeConfiguration, on worker: BlockingWorker
  ) -> @Sendable (Policy) async throws(ManifestLoaderError) -> ForsettiModuleCatalog {
    let source = configuration.manifests
    let (policyFolder, stateFolder) = (configuration.policyFolder, configuration.stateFolder)
    return { (policy) async throws(ManifestLoaderError) in
      let bundles = BundleFolder(policy: policy, policyFolder: policyFolder, stateFolder: stateFolder)
      return try await worker.run { () throws(ManifestLoaderError) in
        try source.load().adding(bundles.load())
      }
    }
  }

  private static func crashReporter(
    _ configuration: RuntimeConfiguration, on worker: BlockingWorker, _ logger: any ForsettiLogger
  ) -> CrashReporter {
    let symbols = SymbolResolver(
      path: configuration.symbolizerPath, userID: geteuid() == 0 ? configuration.policy.userIDs.last : nil)
    return CrashReporter(
      CrashReportStore(stateFolder: configuration.stateFolder), on: worker, symbols: symbols, logger: logger)
  }

  private static func entitlements(
    _ configuration: RuntimeConfiguration, _ logger: any ForsettiLogger
  ) async throws(EntitlementFault) -> any EntitlementProvider {
    switch configuration.policy.entitlements {
    case .allowAll: return AllowAllEntitlementProvider()
    case .fixed(let moduleIDs, let productIDs):
      return StaticEntitlementProvider(Entitlements(moduleIDs: moduleIDs, productIDs: productIDs))
    case .file(let path):
      let absolute = path.hasPrefix("/") ? path : configuration.policyFolder + "/" + path
      let provider = try FileEntitlementProvider(path: absolute) { fault in
        logger.error("\(fault)", moduleID: nil)
      }
      await provider.start()
      return provider
    }
  }
}
