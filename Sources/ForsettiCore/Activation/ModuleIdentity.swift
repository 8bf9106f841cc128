/// Whether a running module is the one its manifest announces (SPEC §3, "Identity").
public enum ModuleIdentity {
  /// Compares the module's own descriptor and manifest with the discovered manifest, field by field and scalar by
  /// scalar. Throws `moduleIdentityMismatch` for the first difference; fields are named `descriptor.…` and
  /// `manifest.…`.
  public static func check(
    discovered: ModuleManifest, descriptor: ModuleDescriptor, manifest: ModuleManifest
  ) throws(ModuleManagerError) {
    try compare("descriptor", discovered.descriptor.fields, descriptor.fields, discovered.moduleID)
    try compare("manifest", discovered.fields, manifest.fields, discovered.moduleID)
  }

  private static func compare(
    _ prefix: String, _ expected: [ManifestField], _ actual: [ManifestField], _ moduleID: String
  ) throws(ModuleManagerError) {
    for (wanted, found) in zip(expected, actual) where !wanted.isSame(as: found) {
      throw .moduleIdentityMismatch(
        moduleID: moduleID, field: "\(prefix).\(wanted.name)", expected: wanted.shown, actual: found.shown)
    }
  }
}
