public import ForsettiModuleKit

/// Checks scanned codes and keeps the latest.
public final class ForsettiScannerServiceModule: ForsettiLifecycleModule {
  /// Makes the module, not started.
  public init() { super.init(manifest: ScannerServiceManifest.manifest) }
}
