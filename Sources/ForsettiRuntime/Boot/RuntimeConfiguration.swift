public import ForsettiCore

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
  /// This process's own cgroup, which is taken over where it was given to it, so that each module gets one below it.
  public var cgroup = CgroupStanding.notDelegated
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
