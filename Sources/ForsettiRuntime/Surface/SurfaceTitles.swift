public import ForsettiCore

/// What people read where they choose among the places of a surface. Toolbar items have titles, pointers labels and modules
/// names; routes and views have IDs alone (seed "UI Contribution Model"), so they borrow from those.
public struct SurfaceTitles: Sendable, Hashable {
  /// By the routes' IDs.
  public let routes: [String: String]
  /// By the views' IDs: those that are on the surface or that a route leads to.
  public let views: [String: String]

  /// Finds them.
  /// - Parameters:
  ///   - renderers: the module that draws each view.
  ///   - displayName: a module's display name by its ID.
  public init(of surface: UISurface, renderers: [ScalarText: String], name displayName: (String) -> String?) {
    let drawn = Dictionary(grouping: renderers.values) { $0 }
    /// The name of a module that draws this alone: of one that draws several it tells nothing.
    func name(ofRendererOf viewID: String) -> String? {
      renderers[ScalarText(viewID)].flatMap { drawn[$0]?.count == 1 ? displayName($0) : nil }
    }
    func title(of route: OverlayRoute) -> String {
      let opener = surface.toolbarItems.first { $0.item.action == .openOverlay(routeID: route.routeID) }
      if let opener { return opener.item.title }
      switch route.destination {
      case .moduleOverlay(let viewID, _):
        return name(ofRendererOf: viewID) ?? Self.words(route.path)
      case .base(let reference):
        let pointers = surface.overlaySchema?.pointers ?? []
        return pointers.first { $0.target == reference }?.label ?? Self.words(route.path)
      }
    }
    var titles: (routes: [String: String], views: [String: String]) = ([:], [:])
    for route in surface.overlaySchema?.routes ?? [] {
      let title = title(of: route)
      titles.routes[route.routeID] = title
      if case .moduleOverlay(let viewID, _) = route.destination, titles.views[viewID] == nil {
        titles.views[viewID] = title
      }
    }
    for viewID in renderers.keys.map(\.text) where titles.views[viewID] == nil {
      titles.views[viewID] = name(ofRendererOf: viewID) ?? Self.words(viewID)
    }
    (routes, views) = titles
  }

  /// An ID or a path as words: of `/permissions-matrix` `Permissions matrix`.
  private static func words(_ text: String) -> String {
    let words = text.split { "/-_.".contains($0) }.joined(separator: " ")
    guard let first = words.first else { return text }
    return first.uppercased() + words.dropFirst()
  }
}
