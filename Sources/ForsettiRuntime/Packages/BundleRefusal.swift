public import ForsettiCore

/// A bundle that is not let in, and why. It alone is refused; the others and the host's own modules go on.
public struct BundleRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with a bundle.
  public enum Fault: Sendable, Hashable {
    /// The folder's name is no module ID, or not that of the manifest inside.
    case wrongName(moduleID: String?)
    /// A file, or a folder above it, is absent, unreadable, or could be changed by somebody else.
    case file(TrustedFileError)
    case manifest(ManifestLoaderError)
    case executable(ExecutableFault)
    /// A signature that names a key of the policy, and does not hold.
    case signature(reason: String)
    /// A signature by a key that no rule of the policy names, and no rule names the executable's hash.
    case unknownKey
    /// No signature, and no rule of the policy names the executable's hash.
    case unpinned(executableSHA256: String)
    /// Signed by this key, but no rule for it is for this module.
    case unnamed(key: String)
    /// The ID is that of a module of the host, or of another bundle.
    case idTaken
  }

  /// The name of the bundle's folder, which ought to be the module's ID.
  public var name: String
  /// The bundle's folder.
  public var path: String
  /// What is wrong with it.
  public var fault: Fault

  /// Makes a refusal.
  public init(name: String, path: String, fault: Fault) {
    self.name = name
    self.path = path
    self.fault = fault
  }

  /// One line: the bundle, what is wrong, the way out.
  public var description: String { "bundle \(name.quoted()): \(reason)" }

  /// The line without the bundle's name.
  public var reason: String {
    switch fault {
    case .wrongName(nil): "its folder's name is not valid UTF-8"
    case .wrongName(let moduleID?): "its folder is not named as its manifest's moduleID, \(moduleID.quoted())"
    case .file(let error): error.description
    case .manifest(let error): error.message
    case .executable(let fault): "its executable can't run as a module: \(fault)"
    case .signature(let reason): "its signature is refused: \(reason)"
    case .unknownKey: "it is signed by a key that no rule of the policy names; add one, or pin its sha256"
    case .unpinned(let sha256):
      "it is neither signed nor pinned; sign it, or add a rule with the origin sha256 \(sha256)"
    case .unnamed(let key): "it is signed by \(key), but no rule for that key is for this module"
    case .idTaken: "its ID is another module's"
    }
  }
}
