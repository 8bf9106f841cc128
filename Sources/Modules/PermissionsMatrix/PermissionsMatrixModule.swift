public import ForsettiModuleKit

/// Shows which privileges each task needs and which the token has.
public final class ForsettiPermissionsMatrixModule: ForsettiLifecycleModule {
  /// Makes the module, not started.
  public init() { super.init(manifest: PermissionsMatrixManifest.manifest) }
}
