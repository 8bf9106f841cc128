public import ForsettiModuleKit

/// Contributes the retail surface: toolbar, home, the drawers, and a route to every feature. It draws what is about the
/// desk as a whole; the features draw themselves.
public final class ForsettiRetailUIModule: ForsettiLifecycleModule, ForsettiUIModule, ForsettiRenderingModule
{
  private var desk: RetailDesk?

  /// Makes the module, not started.
  public init() { super.init(manifest: RetailUIManifest.manifest) }

  /// Every ID here is declared in the manifest.
  public var uiContributions: UIContributions { RetailUIContributions.contributions }

  /// Listens, and asks once how everything stands.
  public override func activate(context: ForsettiContext) async throws {
    let desk = RetailDesk(context: context)
    self.desk = desk
    try await desk.open()
  }

  /// Hears and asks nothing more.
  public override func deactivate(context: ForsettiContext) async {
    desk?.close()
    desk = nil
  }

  /// A view as things stand. What belongs to a feature is drawn here only where the policy gives it to nobody.
  public func render(viewID: String, parameters: [String: String]) async throws -> ViewNode {
    let state = desk?.state ?? RetailState()
    return switch viewID {
    case "dashboard.home": HomeView.node(state)
    case "settings": SettingsView.node(state)
    case "diagnostics":
      .list([.text("Recent errors and warnings", style: .title), RecentErrorsView.node(state.errors)])
    case "about": AboutView.node()
    case _ where manifest.runtimeRequirements.ui?.viewIDs.contains(viewID) == true:
      .text("The policy gives this view to no module: see \"views\" in it.", style: .caption)
    default: throw ServiceError.notFound(viewID)
    }
  }
}
