public import ForsettiModuleKit

/// Keeps and exports diagnostics events and provides the diagnostics role.
public final class ForsettiDiagnosticsServiceModule: ForsettiLifecycleModule {
  /// Makes the module, not started.
  public init() { super.init(manifest: DiagnosticsServiceManifest.manifest) }
}
