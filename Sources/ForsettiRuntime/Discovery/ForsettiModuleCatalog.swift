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

  /// Makes a loaded manifest.
  public init(manifest: ModuleManifest, path: String, sha256: String, warnings: [ManifestWarning] = []) {
    self.manifest = manifest
    self.path = path
    self.sha256 = sha256
    self.warnings = warnings
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
  private let placesByID: [String: Int]
  private let placesByEntryPoint: [String: Int]

  /// Makes a catalog of manifests whose IDs differ; of two that do not, the first is kept.
  public init(_ found: [LoadedManifest] = [], warnings: [DiscoveryWarning] = []) {
    manifests = found.sorted {
      $0.manifest.moduleID.utf8.lexicographicallyPrecedes($1.manifest.moduleID.utf8)
    }
    self.warnings = warnings
    let places = manifests.enumerated()
    placesByID = Dictionary(places.map { ($1.manifest.moduleID.lowercased(), $0) }) { first, _ in first }
    placesByEntryPoint = Dictionary(places.map { ($1.manifest.entryPoint, $0) }) { first, _ in first }
  }

  /// The module of this ID, compared without case.
  public subscript(moduleID: String) -> LoadedManifest? {
    placesByID[moduleID.lowercased()].map { manifests[$0] }
  }

  /// The module that names this entry point; the first by ID where several do.
  public func module(entryPoint: String) -> LoadedManifest? {
    placesByEntryPoint[entryPoint].map { manifests[$0] }
  }

  /// Entry points that more than one module names: an error at boot, a warning in `check` (SPEC §3).
  public var duplicateEntryPoints: [ModuleManagerError] {
    ManifestDuplicates.entryPoints(in: manifests.map(\.manifest))
  }
}
