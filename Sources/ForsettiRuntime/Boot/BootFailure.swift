public import ForsettiCore

/// Why a boot failed. Everything it had started has been stopped again, and desired state is as it was.
public enum BootFailure: Error, Sendable, Hashable {
  /// Manifests could not be loaded.
  case manifests(ManifestLoaderError)
  /// Built-in modules share an entry point.
  case catalog(ModuleManagerError)
  /// A module of the policy's set did not become active.
  case module(ModuleManagerError)
  /// Desired state could not be read or saved.
  case state(StoreError)
  /// The module host could be changed by somebody else.
  case host(TrustedFileError)
  /// The host's own services could not be opened.
  case services(reason: String)
  /// The source of entitlements could not be set up.
  case entitlements(EntitlementFault)
  /// A module was to be audited, and policy or kernel don't allow it.
  case audit(moduleID: String, AuditRefusal)
  /// The boot was under way when the supervisor was told to stop.
  case interrupted
}

extension BootFailure: CustomStringConvertible {
  /// One line: what, where, and the way out.
  public var description: String {
    switch self {
    case .manifests(let error): error.message
    case .catalog(let error), .module(let error): error.message
    case .state(let error): error.description
    case .host(let error): "the module host is not used: \(error)"
    case .services(let reason): reason
    case .entitlements(let fault): "\(fault)"
    case .audit(let moduleID, let refusal): "\(moduleID.plain()) is not audited: \(refusal.message)"
    case .interrupted: "the boot was interrupted; nothing was changed"
    }
  }
}
