public import ForsettiModuleKit

/// Tracks a demonstration deployment from data of its own. It has no way off the machine, and says so.
public final class ForsettiDeploymentTrackerModule: ForsettiLifecycleModule, ForsettiRenderingModule {
  private var desk: DeploymentDesk?

  private static let viewID = "deployment-tracker"

  /// Makes the module, not started.
  public init() { super.init(manifest: DeploymentTrackerManifest.manifest) }

  /// Takes up the demo where it was left.
  public override func activate(context: ForsettiContext) async throws {
    guard let storage = context.services.storage else {
      throw ServiceError.serviceUnavailable(role: "storage", why: "the demo can't be kept without it")
    }
    let desk = DeploymentDesk(context: context, storage: storage)
    self.desk = desk
    try await desk.open()
  }

  /// Listens no more.
  public override func deactivate(context: ForsettiContext) async {
    desk?.close()
    desk = nil
  }

  /// What is looked at now.
  public func render(viewID: String, parameters: [String: String]) async throws -> ViewNode {
    guard viewID == Self.viewID, let desk else { throw ServiceError.notFound(viewID) }
    return DeploymentPage(state: desk.store.state, screen: desk.screen).node
  }
}
