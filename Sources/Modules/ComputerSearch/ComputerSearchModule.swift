/// Searches computers; keeps profiles and smart filters.
public final class ForsettiComputerSearchModule: InventorySearchModule {
  /// Makes the module, not started.
  public init() { super.init(.computers, manifest: ComputerSearchManifest.manifest) }
}
