public import ForsettiModuleKit

/// Shows which privileges each action of the modules needs, and which the account has.
public final class ForsettiPermissionsMatrixModule: ForsettiLifecycleModule, ForsettiRenderingModule {
  private var desk: PermissionsDesk?

  /// Makes the module, not started.
  public init() { super.init(manifest: PermissionsMatrixManifest.manifest) }

  /// Listens to its buttons. It asks Jamf Pro for nothing before somebody does.
  public override func activate(context: ForsettiContext) async throws {
    let desk = PermissionsDesk(context: context)
    self.desk = desk
    try await desk.open()
  }

  /// Ends.
  public override func deactivate(context: ForsettiContext) async {
    desk?.close()
    desk = nil
  }

  /// What the desk has in memory.
  public func render(viewID: String, parameters: [String: String]) async throws -> ViewNode {
    guard viewID == PermissionsView.viewID, let desk else { throw ServiceError.notFound(viewID) }
    return PermissionsView(state: desk.state, type: desk.type).tree
  }
}
