extension RuntimeRequirements {
  /// The roles without whose provider the module can't do its work: by name, by a required I/O entry, or by the shared
  /// database that its isolation mode means.
  var requiredRoles: Set<DefaultModuleRole> {
    var roles = Set(dataIsolation.requiredDefaultRoles)
    for entry in io where entry.required {
      if let role = DefaultModuleRole(rawValue: entry.kind.rawValue) { roles.insert(role) }
    }
    if dataIsolation.mode == .frameworkMediatedShared { roles.insert(.sharedDatabase) }
    return roles
  }
}

extension ProviderDirectory {
  /// The roles that a module provides to others, sorted.
  public func roles(of moduleID: String) -> [DefaultModuleRole] {
    let key = moduleID.lowercased()
    return roles.compactMap { role, provider in
      guard case .module(let named) = provider, named.lowercased() == key, unavailable[role] == nil else {
        return nil
      }
      return role
    }.sorted { $0.rawValue < $1.rawValue }
  }

  /// IDs of the modules that require a role of this one, itself left out.
  public func consumers(
    of moduleID: String, among manifests: some Sequence<ModuleManifest>
  ) -> Set<String> {
    let roles = Set(roles(of: moduleID))
    guard !roles.isEmpty else { return [] }
    return Set(
      manifests.lazy.filter {
        $0.moduleID.lowercased() != moduleID.lowercased()
          && !$0.runtimeRequirements.requiredRoles.isDisjoint(with: roles)
      }.map(\.moduleID))
  }
}
