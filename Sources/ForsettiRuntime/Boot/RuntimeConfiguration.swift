public import ForsettiCore
import Glibc

/// All that a runtime is told from outside: where things are, and what the deployment allows.
public struct RuntimeConfiguration: Sendable {
  /// What the deployment allows.
  public var policy: Policy
  /// The policy's folder, where a relative path in it starts.
  public var policyFolder: String
  /// How manifests are found.
  public var manifests: ManifestSource
  /// Where the supervisor keeps its memory.
  public var stateFolder: String
  /// The module host's executable.
  public var hostPath: String
  /// The program that names functions for crash reports; beside the module host unless told otherwise.
  public var symbolizerPath: String
  /// The module hosts of modules that are in another executable, by module ID.
  public var otherHosts: [String: String] = [:]
  /// Puts something around the launcher, for whoever wants to see processes come and go.
  public var wrapLauncher: @ReactorActor @Sendable (any ModuleLauncher) -> any ModuleLauncher = { $0 }
  /// Opens the host's own services, once the state is held, for they keep theirs beside it.
  public var services: @Sendable () async throws(BootFailure) -> ForsettiServiceContainer
  /// Whether both ends of the pipes may look for input a few microseconds before they sleep, where that has paid off
  /// lately and there is a second processor.
  public var spinsAdaptively: Bool
  /// Whether this process's own cgroup is taken over, where it was given to it, so that each module gets one below it.
  public var usesCgroups = false
  /// Keeps what is decided.
  public var auditLog: any AuditRecorder = NoAudit()
  /// The audit of one module, which begins with the boot.
  public var audit: ModuleAudit?

  /// Where manifests come from.
  public enum ManifestSource: Sendable, Hashable {
    /// This folder's own files; each must be valid.
    case folder(String)
    /// Whatever looks like a manifest in this folder and below (`--discover`).
    case discovery(String)
    /// All that these bring; a module ID must not occur twice.
    case together([ManifestSource])
    /// A folder of bundles beside the policy's own.
    case bundles(BundleFolder)

    /// Reads them. May block.
    public func load() throws(ManifestLoaderError) -> ForsettiModuleCatalog {
      switch self {
      case .folder(let path): try ManifestLoader().load(folder: path)
      case .discovery(let path): try ManifestLoader().discover(folder: path)
      case .bundles(let folder): ForsettiModuleCatalog().adding(folder.load())
      case .together(let sources): try Self.load(together: sources)
      }
    }

    private static func load(
      together sources: [ManifestSource]
    ) throws(ManifestLoaderError) -> ForsettiModuleCatalog {
      var manifests: [LoadedManifest] = []
      var warnings: [DiscoveryWarning] = []
      for source in sources {
        let catalog = try source.load()
        manifests += catalog.manifests
        warnings += catalog.warnings
      }
      let duplicates = ManifestDuplicates.moduleIDs(in: manifests.map { ($0.path, $0.manifest.moduleID) })
      if let duplicate = duplicates.first { throw duplicate }
      return ForsettiModuleCatalog(manifests, warnings: warnings)
    }
  }

  /// Makes a configuration.
  public init(
    policy: Policy, policyFolder: String, manifests: ManifestSource, stateFolder: String, hostPath: String,
    spinsAdaptively: Bool = true,
    services: @escaping @Sendable () async throws(BootFailure) -> ForsettiServiceContainer = {
      ForsettiServiceContainer()
    }
  ) {
    self.policy = policy
    self.policyFolder = policyFolder
    self.manifests = manifests
    self.stateFolder = stateFolder
    self.hostPath = hostPath
    let (folder, _) = TrustedFile.split(hostPath)
    symbolizerPath = (folder == "." ? "" : folder) + "forsetti-symbolizer"
    self.services = services
    self.spinsAdaptively = spinsAdaptively
  }
}

extension ForsettiRuntime {
  /// A runtime on real processes, files and state; nothing is booted yet. The state is held from here on.
  /// - Throws: `host`, `state`, `entitlements` or `services`.
  public static func open(
    _ configuration: RuntimeConfiguration, logger: any ForsettiLogger
  ) async throws(BootFailure) -> ForsettiRuntime {
    // They run as the supervisor's own user until they have locked themselves. One that is absent is told of when it is
    // needed.
    for path in Set(configuration.otherHosts.values).union([
      configuration.hostPath, configuration.symbolizerPath,
    ]) {
      do throws(TrustedFileError) { try TrustedFile.check(path) } catch {
        if error.fault != .absent { throw .host(error) }
      }
    }
    let store: StateStore
    do throws(StoreError) { store = try await StateStore.open(folder: configuration.stateFolder) } catch {
      throw .state(error)
    }
    let worker: BlockingWorker
    let crashReportWorker: BlockingWorker
    do throws(SystemError) {
      worker = BlockingWorker(on: try BlockingExecutor(name: "files"))
      crashReportWorker = BlockingWorker(
        on: try BlockingExecutor(name: "crash-reports", urgency: .background))
    } catch { throw .state(.noThread(error)) }
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
    let source = configuration.manifests
    let (policyFolder, stateFolder) = (configuration.policyFolder, configuration.stateFolder)
    let launcher = ProcessLauncher(
      hostPath: configuration.hostPath, otherHosts: configuration.otherHosts, store: store,
      logger: logger, broker: broker)
    launcher.audit = configuration.audit
    broker.auditLog = configuration.auditLog
    if configuration.usesCgroups {
      launcher.cgroups = await ModuleCgroups.delegated(on: worker, logger: logger)
    }
    var parts = Parts(
      policy: configuration.policy,
      discover: { (policy) async throws(ManifestLoaderError) in
        let bundles = BundleFolder(policy: policy, policyFolder: policyFolder, stateFolder: stateFolder)
        return try await worker.run { () throws(ManifestLoaderError) in
          try source.load().adding(bundles.load())
        }
      },
      store: store,
      entitlements: entitlements,
      launcher: configuration.wrapLauncher(launcher),
      logger: logger, diagnostics: diagnostics, bus: bus, broker: broker,
      crashReporter: CrashReporter(
        CrashReportStore(stateFolder: configuration.stateFolder), on: crashReportWorker,
        symbols: SymbolResolver(
          path: configuration.symbolizerPath,
          userID: geteuid() == 0 ? configuration.policy.userIDs.last : nil),
        logger: logger),
      clock: clock, wallClock: wallMilliseconds)
    parts.audit = configuration.audit
    parts.auditLog = configuration.auditLog
    return ForsettiRuntime(parts)
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
