import ForsettiCore

/// Why a package is not installed or removed.
public enum PackageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was given is no bundle.
  case unreadable(path: String, reason: String)
  /// It can never run as it is: malformed, of another machine, or signed for something else.
  case refused(BundleRefusal)
  /// It would take the ID of a module of the host.
  case idTaken(moduleID: String)
  /// What is installed is newer, or comes from elsewhere, and nobody said that it may go.
  case wouldReplace(moduleID: String, why: String)
  /// There is no bundle of this ID.
  case notInstalled(moduleID: String)
  /// The bundles folder, or something in it, cannot be written.
  case unwritable(path: String, errno: Int32)
  /// The bundles folder could be changed by somebody else.
  case untrusted(TrustedFileError)

  /// One line: what, where, and the way out.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path.quoted()) is no bundle: \(reason)"
    case .refused(let refusal): refusal.description
    case .idTaken(let moduleID): "\(moduleID) is a module of the host's own; a bundle needs another ID"
    case .wouldReplace(let moduleID, let why): "\(moduleID): \(why); replace it with --replace"
    case .notInstalled(let moduleID): "no bundle \(moduleID.quoted()) is installed; see `packages list`"
    case .unwritable(let path, let code): "cannot write \(path.quoted()): \(SystemError.text(of: code))"
    case .untrusted(let error): error.description
    }
  }
}
