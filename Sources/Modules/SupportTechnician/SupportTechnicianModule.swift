public import ForsettiModuleKit

/// Looks up a device, runs the support actions on it, and cleans up after itself.
public final class ForsettiSupportTechnicianModule: ForsettiLifecycleModule {
  /// Makes the module, not started.
  public init() { super.init(manifest: SupportTechnicianManifest.manifest) }
}
