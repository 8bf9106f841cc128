/// Whether what a module needs to run is there (SPEC §3, "Runtime requirements"). The first lack is thrown.
public enum RuntimeRequirementsCheck {
  /// Checks role, I/O entries, required roles and isolation, in this order.
  /// Throws `unsatisfiedRuntimeRequirement` only.
  public static func check(
    _ manifest: ModuleManifest, grants: some Collection<Capability>, providers: ProviderDirectory
  ) throws(ModuleManagerError) {
    func unsatisfied(_ reason: String) -> ModuleManagerError {
      .unsatisfiedRuntimeRequirement(moduleID: manifest.moduleID, reason: reason)
    }
    if let role = manifest.defaultModuleRole, let reason = ManifestValidator.roleFault(role, manifest) {
      throw unsatisfied(reason)
    }
    for entry in manifest.runtimeRequirements.io {
      if let reason = ManifestValidator.capabilityFault(entry, manifest) { throw unsatisfied(reason) }
      guard entry.required else { continue }
      let name = "required I/O \(entry.requirementID.quoted())"
      if !grants.contains(entry.kind.capability) {
        throw unsatisfied("\(name) needs \(entry.kind.capability.rawValue), which the policy does not grant")
      }
      if let reason = providers.fault(of: entry.kind) {
        throw unsatisfied("\(name) has no provider: \(reason)")
      }
    }
    let isolation = manifest.runtimeRequirements.dataIsolation
    for role in isolation.requiredDefaultRoles {
      if let reason = providers.fault(of: role) {
        throw unsatisfied("required role \(role.rawValue) has no provider: \(reason)")
      }
    }
    if isolation.mode == .frameworkMediatedShared,
      let reason = providers.fault(of: .sharedDatabase as DefaultModuleRole)
    {
      throw unsatisfied("\(isolation.mode.rawValue) needs a provider of shared_database: \(reason)")
    }
  }
}
