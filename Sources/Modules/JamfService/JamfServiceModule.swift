public import ForsettiModuleKit

/// Speaks to the Jamf Pro server and provides the api role.
public final class ForsettiJamfServiceModule: ForsettiLifecycleModule {
  /// Makes the module, not started.
  public init() { super.init(manifest: JamfServiceManifest.manifest) }
}
