import ForsettiCore
import Testing

@testable import ForsettiRuntime

/// Who draws a view: by the policy, the surface and what is active.
@ReactorActor @Suite("The renderer of a view", .timeLimit(.minutes(1)))
struct ViewRendererTests {
  private static let ui = "com.example.ui"
  private static let feature = "com.example.feature"

  private static let contributions = UIContributions(
    viewInjections: [ViewInjectionDescriptor(injectionID: "h", slot: "main", viewID: "home", priority: 1)],
    overlaySchema: OverlaySchema(
      schemaID: "s", pointers: [],
      routes: [
        OverlayRoute(routeID: "r", path: "/r", destination: .moduleOverlay(viewID: "reports", slot: "main")),
        OverlayRoute(routeID: "a", path: "/a", destination: .moduleOverlay(viewID: "about", slot: "main")),
        OverlayRoute(routeID: "b", path: "/b", destination: .base(BaseDestinationRef(destinationID: "home"))),
      ]))

  private static func policy(_ views: [String: String]) -> Policy {
    Policy(views: Dictionary(views.map { (ScalarText($0.key), $0.value) }) { first, _ in first })
  }

  @Test("is the module that the policy names, and else whoever contributed it or has its route")
  func table() {
    let surface = UISurface(contributions: [Self.ui: Self.contributions])
    let registry = ForsettiViewInjectionRegistry(
      Self.policy(["reports": Self.feature, "elsewhere": "com.example.other"]))
    #expect(registry.renderer(of: "reports", contributor: Self.ui) == Self.feature)
    #expect(registry.renderer(of: "home", contributor: Self.ui) == Self.ui)
    #expect(registry.renderer(of: "home") == nil)
    let renderers = registry.renderers(on: surface, routes: Self.ui)
    #expect(
      renderers == [
        ScalarText("home"): Self.ui, ScalarText("about"): Self.ui, ScalarText("reports"): Self.feature,
      ])
    #expect(registry.renderers(on: .empty, routes: nil).isEmpty)
  }

  @Test("is found by the very scalars of the view's ID") func scalars() {
    let registry = ForsettiViewInjectionRegistry(Self.policy(["caf\u{e9}": Self.feature]))
    #expect(registry.renderer(of: "caf\u{e9}") == Self.feature)
    #expect(registry.renderer(of: "cafe\u{301}") == nil)
  }

  private func manager(_ views: [String: String], in world: ScriptedWorld) async throws -> ModuleManager {
    world.policy = Self.policy(views)
    let manager = world.manager([manifest(Self.ui, .ui), manifest(Self.feature)])
    try await manager.activateModule(moduleID: Self.ui)
    world.surface.present(Self.contributions, of: Self.ui)
    return manager
  }

  @Test("is asked for by the view alone, in the spelling of its manifest") func found() async throws {
    let manager = try await manager(["reports": "com.example.FEATURE"], in: ScriptedWorld())
    try await manager.activateModule(moduleID: Self.feature)
    #expect(try manager.renderer(of: "reports") == Self.feature)
    #expect(try manager.renderer(of: "home") == Self.ui)
    #expect(try manager.renderer(of: "unheard of") == Self.ui, "it says itself that it knows no such view")
  }

  @Test("that is not there, or not active, is told with what to do")
  func absent() async throws {
    let views = ["reports": Self.feature, "about": "com.example.none"]
    let manager = try await manager(views, in: ScriptedWorld())
    #expect(why(manager, "reports")?.contains("\(Self.feature) draws it and is not active") == true)
    #expect(why(manager, "about")?.contains("com.example.none, of which there is no manifest") == true)
    try await manager.activateModule(moduleID: Self.feature)
    #expect(why(manager, "reports") == nil)
    try await manager.deactivateModule(moduleID: Self.ui)
    #expect(why(manager, "home")?.contains("no UI module is active") == true)
  }

  /// What is said of a view that nobody draws.
  private func why(_ manager: ModuleManager, _ view: String) -> String? {
    do throws(ServiceError) {
      _ = try manager.renderer(of: view)
      return nil
    } catch {
      guard case .serviceUnavailable(view, let why) = error else { return "\(error)" }
      return why
    }
  }
}
