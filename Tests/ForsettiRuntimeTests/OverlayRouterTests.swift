import ForsettiCore
import Testing

@testable import ForsettiRuntime

@Suite("The overlay router")
struct OverlayRouterTests {
  private let router = OverlayRouter(baseDestinations: ["home"], slots: ["main"])

  private static let home = NavigationPointer(
    pointerID: "p.home", label: "Home", target: BaseDestinationRef(destinationID: "home"), presentation: .push
  )
  private static let nowhere = NavigationPointer(
    pointerID: "p.nowhere", label: "?", target: BaseDestinationRef(destinationID: "cellar"),
    presentation: .push)
  private static let base = OverlayRoute(
    routeID: "r.base", path: "/b", destination: .base(BaseDestinationRef(destinationID: "home")))
  private static let badBase = OverlayRoute(
    routeID: "r.badBase", path: "/c", destination: .base(BaseDestinationRef(destinationID: "cellar")))
  private static let overlay = OverlayRoute(
    routeID: "r.overlay", path: "/o", destination: .moduleOverlay(viewID: "v", slot: "main"))
  private static let badSlot = OverlayRoute(
    routeID: "r.badSlot", path: "/s", destination: .moduleOverlay(viewID: "v", slot: "attic"))

  private let surface = UISurface(contributions: [
    "com.example.ui": UIContributions(
      overlaySchema: OverlaySchema(
        schemaID: "s", pointers: [home, nowhere], routes: [base, badBase, overlay, badSlot]))
  ])

  @Test(
    "says what becomes of a pointer",
    arguments: [
      ("p.home", OverlayOutcome.pointerResolved(home)), ("p.nowhere", .invalidBaseDestination("cellar")),
      ("p.gone", .missingPointer("p.gone")),
    ])
  func pointers(id: String, expected: OverlayOutcome) {
    #expect(router.openPointer(id, on: surface) == expected)
  }

  @Test(
    "says what becomes of a route",
    arguments: [
      ("r.base", OverlayOutcome.routeResolved(base)), ("r.badBase", .invalidBaseDestination("cellar")),
      ("r.overlay", .routeResolved(overlay)), ("r.badSlot", .invalidSlot("attic")),
      ("r.gone", .missingRoute("r.gone")),
    ])
  func routes(id: String, expected: OverlayOutcome) {
    #expect(router.openRoute(id, on: surface) == expected)
  }

  @Test("has nothing to open where no module has a schema")
  func noSchema() {
    #expect(router.openPointer("p.home", on: .empty) == .schemaUnavailable)
    #expect(router.openRoute("r.base", on: .empty) == .schemaUnavailable)
  }

  @Test("turns a toolbar item into an outcome or an event of its contributor")
  func toolbar() {
    func item(_ action: ToolbarAction) -> UISurface.ToolbarItem {
      UISurface.ToolbarItem(
        moduleID: "com.example.ui", item: ToolbarItemDescriptor(itemID: "i", title: "I", action: action))
    }
    #expect(
      router.perform(item(.navigate(pointerID: "p.home")), on: surface)
        == .overlay(.pointerResolved(Self.home)))
    #expect(
      router.perform(item(.openOverlay(routeID: "r.badSlot")), on: surface) == .overlay(.invalidSlot("attic"))
    )
    #expect(
      router.perform(item(.publishEvent(eventType: "com.example.ui.refresh", payload: nil)), on: surface)
        == .publish(type: "com.example.ui.refresh", payload: [:], moduleID: "com.example.ui"))
  }
}
