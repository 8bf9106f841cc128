internal import ForsettiModuleKit

/// Tracks a demonstration deployment from data of its own. It has no way off the machine, and says so.
public final class ForsettiDeploymentTrackerModule: ViewDeskModule {
  /// Makes the module, not started.
  public init() {
    super.init(DeploymentTrackerManifest.manifest, viewID: DeploymentPage.viewID) { context in
      guard let storage = context.services.storage else {
        throw ServiceError.serviceUnavailable(role: "storage", why: "the demo can't be kept without it")
      }
      return DeploymentDesk(context: context, storage: storage)
    }
  }
}
