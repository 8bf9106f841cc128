import ForsettiCore
import Testing

@testable import ForsettiRuntime

@Suite("Titles of routes and views") struct SurfaceTitlesTests {
  private static let ui = "com.example.ui"
  private static let names = [
    ui: "Example UI", "com.example.search": "Search", "com.example.two": "Two views",
  ]

  private static func route(_ id: String, path: String, to viewID: String) -> OverlayRoute {
    OverlayRoute(routeID: id, path: path, destination: .moduleOverlay(viewID: viewID, slot: "main"))
  }

  private static let surface = UISurface(contributions: [
    ui: UIContributions(
      toolbarItems: [
        ToolbarItemDescriptor(itemID: "s", title: "Settings…", action: .openOverlay(routeID: "settings")),
        ToolbarItemDescriptor(
          itemID: "e", title: "Export", action: .publishEvent(eventType: "x", payload: nil)),
      ],
      viewInjections: [
        ViewInjectionDescriptor(injectionID: "i", slot: "main", viewID: "dashboard.home", priority: 1),
        ViewInjectionDescriptor(injectionID: "j", slot: "main", viewID: "news_feed", priority: 1),
      ],
      overlaySchema: OverlaySchema(
        schemaID: "x",
        pointers: [
          NavigationPointer(
            pointerID: "log", label: "The log", target: BaseDestinationRef(destinationID: "log"),
            presentation: .push)
        ],
        routes: [
          route("settings", path: "/settings", to: "settings"), route("find", path: "/search", to: "search"),
          route("one", path: "/one", to: "one"), route("two", path: "/desk/two-more", to: "two"),
          OverlayRoute(
            routeID: "log", path: "/log", destination: .base(BaseDestinationRef(destinationID: "log"))),
          OverlayRoute(
            routeID: "away", path: "/", destination: .base(BaseDestinationRef(destinationID: "away"))),
        ]))
  ])

  private static let titles = SurfaceTitles(
    of: surface,
    renderers: Dictionary(
      uniqueKeysWithValues: [
        ("settings", ui), ("dashboard.home", ui), ("news_feed", ui), ("search", "com.example.search"),
        ("one", "com.example.two"), ("two", "com.example.two"),
      ].map { (ScalarText($0.0), $0.1) }), name: { names[$0] })

  @Test(
    "a route is called as the toolbar item that opens it, the module that draws it alone, the pointer to its place, or by its path",
    arguments: [
      ("settings", "Settings…"), ("find", "Search"), ("one", "One"), ("two", "Desk two more"),
      ("log", "The log"), ("away", "/"),
    ])
  func routes(id: String, title: String) { #expect(Self.titles.routes[id] == title) }

  @Test(
    "a view is called as the route to it, or by its ID",
    arguments: [
      ("settings", "Settings…"), ("search", "Search"), ("dashboard.home", "Dashboard home"),
      ("news_feed", "News feed"),
    ])
  func views(id: String, title: String) { #expect(Self.titles.views[id] == title) }

  @Test("a surface with nothing on it has no titles") func empty() {
    let titles = SurfaceTitles(of: .empty, renderers: [:]) { _ in nil }
    #expect(titles.routes.isEmpty && titles.views.isEmpty)
  }
}
