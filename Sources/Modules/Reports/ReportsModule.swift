public import ForsettiModuleKit

/// Builds reports on the fleet, keeps their definitions and exports them.
public final class ForsettiReportsModule: ForsettiLifecycleModule {
  /// Makes the module, not started.
  public init() { super.init(manifest: ReportsManifest.manifest) }
}
