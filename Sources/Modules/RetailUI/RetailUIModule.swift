public import ForsettiModuleKit

/// Contributes the retail surface: toolbar, home, the drawers, and a route to every feature.
public final class ForsettiRetailUIModule: ForsettiLifecycleModule, ForsettiUIModule {
  /// Makes the module, not started.
  public init() { super.init(manifest: RetailUIManifest.manifest) }

  /// Every ID here is declared in the manifest.
  public var uiContributions: UIContributions { RetailUIContributions.contributions }
}
