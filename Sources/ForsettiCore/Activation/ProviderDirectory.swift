/// Who provides the roles and I/O kinds of one host at one moment: what the requirements check looks into.
///
/// A role's provider is the module the policy's `roles` names, discovered and compatible (active is not needed);
/// where `roles` is silent or says host, the host's adapter (SPEC §3). Storage and its like are the host's alone.
public struct ProviderDirectory: Sendable {
  /// I/O kinds for which the host itself has an adapter.
  public var hostKinds: Set<ModuleIOKind>
  /// The policy's word on each role; silence means the host.
  public var roles: [DefaultModuleRole: RoleProvider]
  /// Why a module that `roles` names provides nothing, by its role; a role that is not here has its module.
  public var unavailable: [DefaultModuleRole: String]
  /// Whether a discovered manifest has the role `ui`.
  var hasUIModule: Bool

  /// Every kind but `api`, of which no host has an adapter.
  public static let everyHostKind = Set(ModuleIOKind.allCases).subtracting([.api])

  /// Makes a directory of what is discovered. `isCompatible` is asked of the few modules that `roles` names.
  public init(
    roles: [DefaultModuleRole: RoleProvider], manifests: some Collection<ModuleManifest>,
    hostKinds: Set<ModuleIOKind> = ProviderDirectory.everyHostKind,
    isCompatible: (ModuleManifest) -> Bool
  ) {
    self.roles = roles
    self.hostKinds = hostKinds
    hasUIModule = manifests.contains { $0.defaultModuleRole == .ui }
    unavailable = [:]
    for case (let role, .module(let moduleID)) in roles {
      let key = moduleID.lowercased()
      guard let manifest = manifests.first(where: { $0.moduleID.lowercased() == key }) else {
        unavailable[role] = "the policy names \(moduleID.plain()), which is not discovered"
        continue
      }
      if manifest.defaultModuleRole != role {
        unavailable[role] = "the policy names \(moduleID.plain()), which doesn't declare the role"
      } else if !isCompatible(manifest) {
        unavailable[role] = "the policy names \(moduleID.plain()), which is incompatible"
      }
    }
  }

  /// Why a role has no provider; `nil` where it has one.
  public func fault(of role: DefaultModuleRole) -> String? {
    if role == .ui { return hasUIModule ? nil : "no discovered manifest has the role ui" }
    if case .module = roles[role] ?? .host { return unavailable[role] }
    guard let kind = ModuleIOKind(rawValue: role.rawValue), hostKinds.contains(kind) else {
      return "the policy's roles name no module for \(role.rawValue), and the host has none"
    }
    return nil
  }

  /// Why an I/O kind has no provider; `nil` where it has one.
  public func fault(of kind: ModuleIOKind) -> String? {
    if let role = DefaultModuleRole(rawValue: kind.rawValue) { return fault(of: role) }
    return hostKinds.contains(kind) ? nil : "the host has no adapter for \(kind.rawValue)"
  }

  /// A warning for a module whose role the policy gives to another: it runs and provides nothing.
  public func unusedRoleWarning(for manifest: ModuleManifest) -> String? {
    guard let role = manifest.defaultModuleRole, role != .ui else { return nil }
    switch roles[role] ?? .host {
    case .module(let moduleID) where moduleID.lowercased() == manifest.moduleID.lowercased(): return nil
    case .module(let moduleID):
      return
        "declares the role \(role.rawValue), which the policy gives to \(moduleID.plain()); it provides nothing"
    case .host:
      return "declares the role \(role.rawValue), which the policy leaves to the host; it provides nothing"
    }
  }
}
