public import ForsettiModuleKit

/// Searches mobile devices; keeps profiles and smart filters.
public final class ForsettiMobileDeviceSearchModule: ForsettiLifecycleModule {
  /// Makes the module, not started.
  public init() { super.init(manifest: MobileDeviceSearchManifest.manifest) }
}
