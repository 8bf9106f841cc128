public import ForsettiModuleKit

/// Searches computers; keeps profiles and smart filters.
public final class ForsettiComputerSearchModule: ForsettiLifecycleModule {
  /// Makes the module, not started.
  public init() { super.init(manifest: ComputerSearchManifest.manifest) }
}
