public import ForsettiModuleKit

/// Tracks a demonstration deployment from data of its own.
public final class ForsettiDeploymentTrackerModule: ForsettiLifecycleModule {
  /// Makes the module, not started.
  public init() { super.init(manifest: DeploymentTrackerManifest.manifest) }
}
