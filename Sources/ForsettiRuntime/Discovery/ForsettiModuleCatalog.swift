public import ForsettiCore

/// A manifest as it was found.
public struct LoadedManifest: Sendable {
  /// What the file says, valid.
  public var manifest: ModuleManifest
  /// Absolute path of the file.
  public var path: String
  /// SHA-256 of the document in RFC 8785 canonical form, lower-case hexadecimal; unknown keys are in it.
  public var sha256: String
  /// What is odd in the file but no fault.
  public var warnings: [ManifestWarning]
  /// Where the module's code comes from; a manifests folder holds the host's own alone.
  public var origin: ModuleOrigin
  /// A bundle's executable; `nil` for a built-in.
  public var executablePath: String?
  /// The origin whose data it takes over, as its registration says; `nil` is its own.
  var dataOrigin: String?

  /// What `accept` names: the manifest's hash, or a bundle's over its whole statement.
  public var acceptedSHA256: String {
    guard let executable = origin.executableSHA256 else { return sha256 }
    let statement = BundleStatement(
      moduleID: manifest.moduleID, version: manifest.moduleVersion, manifestSHA256: sha256,
      executableSHA256: executable)
    return SHA256.hex(Array(statement.text.utf8))
  }

  /// Makes a loaded manifest.
  public init(
    manifest: ModuleManifest, path: String, sha256: String, warnings: [ManifestWarning] = [],
    origin: ModuleOrigin = .builtIn, executablePath: String? = nil
  ) {
    self.manifest = manifest
    self.path = path
    self.sha256 = sha256
    self.warnings = warnings
    self.origin = origin
    self.executablePath = executablePath
  }
}

/// A file or folder that was passed over, and why.
public struct DiscoveryWarning: Sendable, Hashable {
  /// Absolute path.
  public var path: String
  /// One line.
  public var text: String

  /// Makes a warning.
  public init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}

/// All manifests that were found, by module ID and by entry point (seed "Manifest Discovery").
public struct ForsettiModuleCatalog: Sendable {
  /// Every manifest, sorted by module ID.
  public let manifests: [LoadedManifest]
  /// What was passed over.
  public let warnings: [DiscoveryWarning]
  /// Bundles that are not let in, each refused alone.
  public let refusals: [BundleRefusal]
  private let placesByID: [String: Int]
  private let placesByEntryPoint: [String: Int]

  /// Makes a catalog of manifests whose IDs differ; of two that do not, the first is kept.
  public init(
    _ found: [LoadedManifest] = [], warnings: [DiscoveryWarning] = [], refusals: [BundleRefusal] = []
  ) {
    manifests = found.sorted {
      $0.manifest.moduleID.utf8.lexicographicallyPrecedes($1.manifest.moduleID.utf8)
    }
    self.warnings = warnings
    self.refusals = refusals
    let places = manifests.enumerated()
    placesByID = Dictionary(places.map { ($1.manifest.moduleID.lowercased(), $0) }) { first, _ in first }
    // A bundle's entry point is a name in its own executable.
    placesByEntryPoint = Dictionary(
      places.filter(\.element.origin.isBuiltIn).map { ($1.manifest.entryPoint, $0) }
    ) { first, _ in first }
  }

  /// The same with bundles beside. One whose ID another module has is refused; of two bundles, both are.
  public func adding(_ bundles: BundleFolder.Found) -> ForsettiModuleCatalog {
    let counts = Dictionary(
      bundles.modules.map { ($0.manifest.moduleID.lowercased(), 1) }, uniquingKeysWith: +)
    var taken: [BundleRefusal] = []
    let free = bundles.modules.filter { module in
      let id = module.manifest.moduleID
      guard self[id] != nil || counts[id.lowercased()] != 1 else { return true }
      taken.append(
        BundleRefusal(name: id, path: module.executablePath ?? module.path, fault: .idTaken))
      return false
    }
    return ForsettiModuleCatalog(
      manifests + free, warnings: warnings, refusals: refusals + bundles.refusals + taken)
  }

  /// Why a bundle of this ID is not let in; `nil` where there is none.
  public func refusal(of moduleID: String) -> BundleRefusal? {
    let id = moduleID.lowercased()
    return refusals.first { $0.name.lowercased() == id }
  }

  /// Whether a module can run on this host by this policy, which sees where its code comes from.
  public func report(on module: LoadedManifest, by policy: Policy) -> CompatibilityReport {
    CompatibilityChecker(standsInFor: policy.standsInFor)
      .check(module.manifest, policy: policy.seen(from: module.origin))
  }

  /// Who provides what among these modules by this policy.
  public func providers(by policy: Policy) -> ProviderDirectory {
    ProviderDirectory(roles: policy.roles, manifests: manifests.map(\.manifest)) { manifest in
      self[manifest.moduleID].map { report(on: $0, by: policy).isCompatible } ?? false
    }
  }

  /// The module of this ID, compared without case.
  public subscript(moduleID: String) -> LoadedManifest? {
    placesByID[moduleID.lowercased()].map { manifests[$0] }
  }

  /// The host's own module that names this entry point; the first by ID where several do.
  public func module(entryPoint: String) -> LoadedManifest? {
    placesByEntryPoint[entryPoint].map { manifests[$0] }
  }

  /// Entry points that more than one module of the host names: an error at boot, a warning in `check` (SPEC §3).
  public var duplicateEntryPoints: [ModuleManagerError] {
    ManifestDuplicates.entryPoints(in: manifests.filter(\.origin.isBuiltIn).map(\.manifest))
  }
}
