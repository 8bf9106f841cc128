/// Searches mobile devices; keeps profiles and smart filters.
public final class ForsettiMobileDeviceSearchModule: InventorySearchModule {
  /// Makes the module, not started.
  public init() { super.init(.mobileDevices, manifest: MobileDeviceSearchManifest.manifest) }
}
