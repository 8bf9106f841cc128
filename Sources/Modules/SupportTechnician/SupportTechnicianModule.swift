public import ForsettiModuleKit

/// Looks up a device, runs the support actions on it, and follows each to its end.
public final class ForsettiSupportTechnicianModule: ForsettiLifecycleModule, ForsettiRenderingModule {
  private var desk: SupportDesk?

  /// Makes the module, not started.
  public init() { super.init(manifest: SupportTechnicianManifest.manifest) }

  /// Takes up the orders of before, and listens from then on.
  public override func activate(context: ForsettiContext) async throws {
    let desk = SupportDesk(context: context)
    self.desk = desk
    try await desk.open()
  }

  /// Asks nothing more of anybody. Orders go on in Jamf, and the journal has them.
  public override func deactivate(context: ForsettiContext) async {
    desk?.close()
    desk = nil
  }

  /// The desk as it is now.
  public func render(viewID: String, parameters: [String: String]) async throws -> ViewNode {
    guard viewID == "support-technician", let desk else { throw ServiceError.notFound(viewID) }
    return desk.node
  }
}
