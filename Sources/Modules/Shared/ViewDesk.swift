public import ForsettiModuleKit

/// What stands behind the view of a module: it does what the view's buttons ask, and draws it from memory.
@MainActor protocol ViewDesk: AnyObject {
  /// Takes up what was kept, and listens from then on.
  func open() async throws
  /// Asks nothing more of anybody; what is under way with others goes on without this module.
  func close()
  /// The view as things stand, without waiting for anybody.
  func draw() -> ViewNode
}

/// A module with one view and the desk behind it, which lives from its start to its stop.
public class ViewDeskModule: ForsettiLifecycleModule, ForsettiRenderingModule {
  private let viewID: String
  private let makeDesk: @MainActor (ForsettiContext) throws -> any ViewDesk
  private var desk: (any ViewDesk)?

  init(
    _ manifest: ModuleManifest, viewID: String,
    makeDesk: @escaping @MainActor (ForsettiContext) throws -> any ViewDesk
  ) {
    self.viewID = viewID
    self.makeDesk = makeDesk
    super.init(manifest: manifest)
  }

  /// Opens the desk.
  public override func activate(context: ForsettiContext) async throws {
    let desk = try makeDesk(context)
    self.desk = desk
    try await desk.open()
  }

  /// Closes the desk.
  public override func deactivate(context: ForsettiContext) async {
    desk?.close()
    desk = nil
  }

  /// What the desk draws.
  public func render(viewID: String, parameters: [String: String]) async throws -> ViewNode {
    guard viewID == self.viewID, let desk else { throw ServiceError.notFound(viewID) }
    return desk.draw()
  }
}
