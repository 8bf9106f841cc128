public import ForsettiModuleKit

/// Shows the PreStages of mobile devices, and moves devices between them.
public final class ForsettiPrestageDirectorModule: ForsettiLifecycleModule, ForsettiRenderingModule {
  private var desk: PrestageDesk?

  /// Makes the module, not started.
  public init() { super.init(manifest: PrestageDirectorManifest.manifest) }

  /// Listens to its buttons, and goes on with a job that was left half-done.
  public override func activate(context: ForsettiContext) async throws {
    let desk = PrestageDesk(context: context)
    self.desk = desk
    try await desk.open()
  }

  /// Ends; a job under way stays in the journal.
  public override func deactivate(context: ForsettiContext) async {
    desk?.close()
    desk = nil
  }

  /// What the desk has in memory.
  public func render(viewID: String, parameters: [String: String]) async throws -> ViewNode {
    guard viewID == PrestageView.viewID, let desk else { throw ServiceError.notFound(viewID) }
    desk.wasLookedAt()
    return PrestageView(state: desk.state, type: desk.type).tree
  }
}
