public import ForsettiCore

/// The folder of bundles: one folder a module, named as its ID. What is wrong with one bundle is told of it alone.
public struct BundleFolder: Sendable, Hashable {
  /// As many as there may be manifests.
  static let bundleLimit = ManifestLoader.manifestLimit

  /// Where it is.
  public let path: String
  let policy: Policy

  /// Names the folder that a policy and a state folder mean. Nothing is read yet, and it need not be there.
  public init(policy: Policy, policyFolder: String, stateFolder: String) {
    path = policy.bundles.path(policyFolder: policyFolder, stateFolder: stateFolder)
    self.policy = policy
  }

  /// Names a folder whose bundles are to be in a policy's sight, wherever its own are.
  public init(policy: Policy, path: String) {
    self.path = path
    self.policy = policy
  }

  /// What a folder of bundles holds.
  public struct Found: Sendable {
    /// Bundles that may be run, each with its origin.
    public var modules: [LoadedManifest] = []
    /// The others.
    public var refusals: [BundleRefusal] = []
  }

  /// Reads every bundle. May block. A folder that isn't there holds none.
  public func load() -> Found {
    var found = Found()
    do throws(TrustedFileError) {
      let folder = try TrustedFolder(path)
      for entry in try entries(of: folder) { read(entry, in: folder, into: &found) }
    } catch {
      if error.fault != .absent || policy.bundles.folder != nil {
        found.refusals.append(BundleRefusal(name: "*", path: path, fault: .file(error)))
      }
    }
    return found
  }

  /// Folders in it, sorted by name. Those that start with a dot are being installed or removed.
  private func entries(of folder: borrowing TrustedFolder) throws(TrustedFileError) -> [FolderEntry] {
    try folder.entries().filter { !$0.shownName.hasPrefix(".") }
      .sorted { $0.shownName.utf8.lexicographicallyPrecedes($1.shownName.utf8) }
  }

  private func read(_ entry: FolderEntry, in folder: borrowing TrustedFolder, into found: inout Found) {
    let path = folder.path(of: entry.shownName)
    do throws(BundleRefusal.Fault) {
      guard let name = entry.name else { throw .wrongName(moduleID: nil) }
      guard found.modules.count < Self.bundleLimit else {
        throw .file(TrustedFileError(path: self.path, fault: .tooLarge(limit: Self.bundleLimit)))
      }
      found.modules.append(try module(in: try opened(name, in: folder), named: name))
    } catch {
      found.refusals.append(BundleRefusal(name: entry.shownName, path: path, fault: error))
    }
  }

  private func opened(
    _ name: String, in folder: borrowing TrustedFolder
  ) throws(BundleRefusal.Fault) -> TrustedFolder {
    do { return try folder.folder(name) } catch { throw .file(error) }
  }

  private func module(
    in folder: borrowing TrustedFolder, named name: String
  ) throws(BundleRefusal.Fault) -> LoadedManifest {
    let content = try BundleReader(executableBytes: policy.bundles.executableBytes).read(folder, named: name)
    var module = content.manifest
    module.origin = try content.origin(by: policy)
    module.executablePath = content.executablePath
    return module
  }
}
