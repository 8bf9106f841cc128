public import ForsettiCore
import CLinux
import Glibc

/// Puts bundles of third parties into the bundles folder and takes them away (seed "Module Packages"). It runs no code
/// of theirs and grants nothing: what a bundle may do is said by the policy.
public struct ModulePackageManager {
  private let bundles: BundleFolder

  /// Makes a manager of one bundles folder.
  public init(_ bundles: BundleFolder) { self.bundles = bundles }

  /// A bundle that is about to be installed, copied and looked at.
  public struct Offer {
    /// The module, with its origin as far as the policy knows it.
    public let module: LoadedManifest
    /// Size of the executable, bytes.
    public let executableBytes: Int
    /// Why the policy doesn't let it run; `nil` where it does.
    public let refusal: BundleRefusal?
    /// What is installed under this ID now.
    public let installed: Installed
    let staged: StagedBundle

    /// What the policy makes of what the manifest asks for.
    public func grants(by policy: Policy) -> PolicyGrants {
      policy.grants(for: module.manifest, origin: module.origin)
    }
  }

  /// What a bundle's ID holds now, beside the one that is offered.
  public enum Installed: Sendable {
    case nothing
    /// The very same bundle.
    case same
    /// An older version from the same origin.
    case older(RegistrationDrift)
    /// One that nobody replaces without saying so, and why.
    case other(why: String, RegistrationDrift?)
  }

  /// Copies a bundle beside the installed ones and looks at it. The copy goes with the offer.
  /// - Parameter builtIns: IDs of the host's own modules, which no bundle may take.
  public func offer(
    _ source: String, builtIns: some Collection<String>
  ) throws(PackageError) -> Offer {
    let staged = try StagedBundle(
      copying: source, into: bundles.path, executableBytes: bundles.policy.bundles.executableBytes)
    let content = try read(try staged.opened(), source: source)
    let moduleID = content.manifest.manifest.moduleID
    guard !builtIns.contains(where: { $0.lowercased() == moduleID.lowercased() }) else {
      throw .idTaken(moduleID: moduleID)
    }
    let (module, fault) = judged(content)
    let refusal = fault.map { BundleRefusal(name: moduleID, path: source, fault: $0) }
    // A signature that does not hold is of a bundle that somebody changed; the others only lack a rule.
    if case .signature? = fault, let refusal { throw .refused(refusal) }
    return Offer(
      module: module, executableBytes: content.executableBytes, refusal: refusal,
      installed: installed(beside: module), staged: staged)
  }

  private func read(
    _ folder: borrowing TrustedFolder, source: String
  ) throws(PackageError) -> BundleReader.Content {
    do {
      return try BundleReader(executableBytes: bundles.policy.bundles.executableBytes).read(
        folder, named: nil)
    } catch { throw .refused(BundleRefusal(name: source, path: source, fault: error)) }
  }

  /// A bundle's module with its origin, and why the policy doesn't let it run, if so.
  private func judged(
    _ content: BundleReader.Content
  ) -> (module: LoadedManifest, fault: BundleRefusal.Fault?) {
    var module = content.manifest
    do throws(BundleRefusal.Fault) {
      module.origin = try content.origin(by: bundles.policy)
      return (module, nil)
    } catch {
      module.origin = .bundle(sha256: content.executableSHA256, key: nil)
      return (module, error)
    }
  }

  /// What is installed under an ID, whether the policy lets it run or not; `nil` where it can't be read.
  private func present(_ moduleID: String) -> LoadedManifest? {
    do {
      return judged(try read(try TrustedFolder(bundles.path + "/" + moduleID), source: moduleID)).module
    } catch { return nil }
  }

  private func installed(beside module: LoadedManifest) -> Installed {
    let moduleID = module.manifest.moduleID
    let path = bundles.path + "/" + moduleID
    var status = stat()
    guard lstat(path, &status) == 0 else { return .nothing }
    guard let present = present(moduleID) else {
      return .other(why: "what is installed is broken, and can't be compared", nil)
    }
    let record = ModuleRegistrationRecord(
      manifest: present.manifest, sha256: present.sha256, origin: present.origin.text,
      executableSHA256: present.origin.executableSHA256, productVersion: "", registeredAt: 0)
    guard let drift = module.drift(from: record) else { return .same }
    if drift.isDowngrade {
      return .other(why: "version \(present.manifest.moduleVersion) is installed, which is newer", drift)
    }
    if drift.isOriginChanged { return .other(why: "what is installed comes from elsewhere", drift) }
    if present.manifest.moduleVersion == module.manifest.moduleVersion {
      return .other(why: "the same version is installed with another content", drift)
    }
    return .older(drift)
  }

  /// Gives an offer its place, in one step.
  /// - Parameter replacing: whether a newer bundle, or one from elsewhere, may go.
  public func install(_ offer: Offer, replacing: Bool) throws(PackageError) {
    let moduleID = offer.module.manifest.moduleID
    switch offer.installed {
    case .same: return
    case .nothing: try offer.staged.place(as: moduleID, replacing: false)
    case .older: try offer.staged.place(as: moduleID, replacing: true)
    case .other(let why, _):
      guard replacing else { throw .wouldReplace(moduleID: moduleID, why: why) }
      try offer.staged.place(as: moduleID, replacing: true)
    }
  }

  /// What is installed: bundles that may run, and those that are refused.
  public func list() -> BundleFolder.Found { bundles.load() }

  /// Takes a bundle away, for good: a power cut must not bring it back. Its registration and its data stay.
  public func remove(_ moduleID: String) throws(PackageError) {
    let folder: TrustedFolder
    do { folder = try TrustedFolder(bundles.path) } catch {
      guard error.fault == .absent else { throw .untrusted(error) }
      throw .notInstalled(moduleID: moduleID)
    }
    let names: [FolderEntry]
    do { names = try folder.entries() } catch { throw .untrusted(error) }
    // Names of the folder alone: what was typed is never part of a path.
    let wanted = moduleID.lowercased()
    guard
      let name = names.compactMap(\.name).first(where: { $0.lowercased() == wanted && !$0.hasPrefix(".") })
    else { throw .notInstalled(moduleID: moduleID) }
    let away = ".remove-\(getpid())"
    BundleRemoval.remove(away, in: folder.descriptor)
    let result = cl_rename_new(folder.descriptor, name, folder.descriptor, away)
    guard result == 0 else { throw .unwritable(path: folder.path(of: name), errno: -result) }
    let code = folder.sync()
    guard code == 0 else {
      _ = cl_rename_new(folder.descriptor, away, folder.descriptor, name)
      throw .unwritable(path: folder.path, errno: code)
    }
    BundleRemoval.remove(away, in: folder.descriptor)
  }

  /// What whoever signs this bundle signs.
  public func statement(of source: String) throws(PackageError) -> BundleStatement {
    let staged = try StagedBundle(
      copying: source, into: bundles.path, executableBytes: bundles.policy.bundles.executableBytes)
    return try read(try staged.opened(), source: source).statement
  }
}
