public import ForsettiModuleKit

/// Shows PreStages and moves devices between their scopes.
public final class ForsettiPrestageDirectorModule: ForsettiLifecycleModule {
  /// Makes the module, not started.
  public init() { super.init(manifest: PrestageDirectorManifest.manifest) }
}
