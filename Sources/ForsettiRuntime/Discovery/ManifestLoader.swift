public import ForsettiCore
import Glibc

/// Finds and reads manifests (seed "Manifest Discovery"; SPEC §1).
///
/// One file's bytes are in memory at a time. Every bad file is reported, each with its first fault, sorted by name.
public struct ManifestLoader: Sendable {
  /// The most manifests one load accepts.
  public static let manifestLimit = 10_000
  /// The largest manifest file, in bytes.
  public static let sizeLimit = JSONLimits.manifest.bytes

  let manifestLimit: Int

  /// Makes a loader.
  public init(manifestLimit: Int = ManifestLoader.manifestLimit) { self.manifestLimit = manifestLimit }

  /// Loads the files `*.json` directly in a folder; one bad file fails the whole load.
  public func load(folder path: String) throws(ManifestLoaderError) -> ForsettiModuleCatalog {
    var findings = Findings()
    let folder = try Self.opened(path)
    let candidates: [FolderEntry]
    do { candidates = try self.candidates(in: folder, &findings) } catch {
      throw Self.folderFault(error, asked: path)
    }
    guard candidates.count <= manifestLimit else {
      throw .tooManyManifests(path: folder.path, limit: manifestLimit)
    }
    for entry in candidates {
      guard let name = entry.name else {
        findings.faults.append(Self.fault(entry.shownName, "its name is not valid UTF-8"))
        continue
      }
      findings.add { () throws(ManifestLoaderError) in try read(name, in: folder) }
    }
    return try findings.catalog(of: path)
  }

  /// The candidates of one folder, sorted by name; what is no regular file is warned of.
  func candidates(
    in folder: borrowing TrustedFolder, _ findings: inout Findings
  ) throws(TrustedFileError) -> [FolderEntry] {
    var found: [FolderEntry] = []
    for entry in try folder.entries() where Self.isCandidate(entry.shownName) {
      switch entry.kind {
      case .file, .unknown: found.append(entry)
      case .folder: continue
      case let kind: findings.warn(folder.path(of: entry.shownName), "skipped: it is a \(kind.rawValue)")
      }
    }
    found.sort { $0.shownName.utf8.lexicographicallyPrecedes($1.shownName.utf8) }
    findings.warnings.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    return found
  }

  private static func isCandidate(_ name: String) -> Bool {
    name.utf8.count > 5 && name.hasSuffix(".json") && !name.hasPrefix(".")
  }

  private func read(
    _ name: String, in folder: borrowing TrustedFolder
  ) throws(ManifestLoaderError) -> LoadedManifest {
    let bytes: [UInt8]
    do { bytes = try folder.read(name, limit: Self.sizeLimit) } catch { throw Self.fileFault(error, name) }
    return try Self.decode(bytes, path: folder.path(of: name), shownAs: name)
  }

  /// Decodes and hashes one document.
  ///
  /// - Parameter shown: what faults call the file.
  static func decode(
    _ bytes: [UInt8], path: String, shownAs shown: String
  ) throws(ManifestLoaderError) -> LoadedManifest {
    do {
      let decoded = try ManifestDecoder.decode(bytes: bytes, file: shown)
      return LoadedManifest(
        manifest: decoded.manifest, path: path, sha256: SHA256.hex(decoded.canonicalBytes),
        warnings: decoded.warnings)
    } catch { throw .validationFailed(error) }
  }

  static func opened(_ path: String) throws(ManifestLoaderError) -> TrustedFolder {
    do { return try TrustedFolder(path) } catch { throw folderFault(error, asked: path) }
  }

  static func folderFault(_ error: TrustedFileError, asked path: String) -> ManifestLoaderError {
    switch error.fault {
    case .absent: .manifestsDirectoryNotFound(path: path, why: .absent)
    case .wrongKind, .symbolicLink: .manifestsDirectoryNotFound(path: path, why: .notAFolder)
    case .unreadable(let code): .manifestsDirectoryNotFound(path: path, why: .unreadable(errno: code))
    case .tooManyLinks: .manifestsDirectoryNotFound(path: path, why: .unreadable(errno: ELOOP))
    case .foreignOwner, .writable, .tooLarge: .untrustedFile(path: error.path, reason: error.reason)
    }
  }

  private static func fileFault(_ error: TrustedFileError, _ shown: String) -> ManifestLoaderError {
    switch error.fault {
    case .foreignOwner, .writable: .untrustedFile(path: error.path, reason: error.reason)
    default: fault(shown, error.reason)
    }
  }

  /// A fault of a file as a whole.
  private static func fault(_ file: String, _ reason: String) -> ManifestLoaderError {
    .validationFailed(ManifestFault(file: file, pointer: "", line: 0, column: 0, reason: reason))
  }
}

extension ManifestLoader {
  /// What a load has come upon so far.
  struct Findings {
    var manifests: [LoadedManifest] = []
    var faults: [ManifestLoaderError] = []
    var warnings: [DiscoveryWarning] = []

    mutating func add(_ read: () throws(ManifestLoaderError) -> LoadedManifest) {
      do { manifests.append(try read()) } catch { faults.append(error) }
    }

    mutating func warn(_ path: String, _ text: String) {
      warnings.append(DiscoveryWarning(path: path, text: text))
    }

    /// The catalog, or everything that is wrong at once.
    func catalog(of path: String) throws(ManifestLoaderError) -> ForsettiModuleCatalog {
      let all = faults + ManifestDuplicates.moduleIDs(in: manifests.map { ($0.path, $0.manifest.moduleID) })
      if all.count > 1 { throw .several(all) }
      if let only = all.first { throw only }
      guard !manifests.isEmpty else {
        throw .manifestsDirectoryNotFound(path: path, why: .nothingToLoad)
      }
      return ForsettiModuleCatalog(manifests, warnings: warnings)
    }
  }
}
