internal import ForsettiModuleKit

/// What the retail UI puts on the host's surface. The drawers and the toolbar are there at once; a feature's
/// view comes up in the main slot when its route is opened.
enum RetailUIContributions {
  static var contributions: UIContributions {
    UIContributions(
      themeMask: themeMask, toolbarItems: toolbarItems, viewInjections: viewInjections,
      overlaySchema: OverlaySchema(schemaID: "forsetti-retail", pointers: [], routes: routes))
  }

  private static var themeMask: ThemeMask {
    ThemeMask(
      themeID: "obsidian-data-stream",
      tokens: [
        ThemeToken(key: "background", value: "#0B0F14"),
        ThemeToken(key: "surface", value: "#141B24"),
        ThemeToken(key: "text", value: "#E6EDF3"),
        ThemeToken(key: "accent", value: "#3FB8AF"),
      ])
  }

  private static var toolbarItems: [ToolbarItemDescriptor] {
    [
      ToolbarItemDescriptor(
        itemID: "refresh", title: "Refresh", systemImageName: "arrow.clockwise",
        action: .publishEvent(eventType: type("refresh"), payload: nil)),
      ToolbarItemDescriptor(
        itemID: "export", title: "Export", systemImageName: "square.and.arrow.up",
        action: .publishEvent(eventType: type("export"), payload: nil)),
      ToolbarItemDescriptor(
        itemID: "diagnostics", title: "Diagnostics", systemImageName: "stethoscope",
        action: .openOverlay(routeID: "diagnostics")),
      ToolbarItemDescriptor(
        itemID: "settings", title: "Settings", systemImageName: "gearshape",
        action: .openOverlay(routeID: "settings")),
    ]
  }

  private static var viewInjections: [ViewInjectionDescriptor] {
    [
      ViewInjectionDescriptor(
        injectionID: "home", slot: "main", viewID: "dashboard.home", priority: 100),
      ViewInjectionDescriptor(
        injectionID: "diagnostics", slot: "diagnostics-drawer", viewID: "diagnostics", priority: 100),
      ViewInjectionDescriptor(
        injectionID: "settings", slot: "settings-sheet", viewID: "settings", priority: 100),
      ViewInjectionDescriptor(
        injectionID: "about", slot: "settings-sheet", viewID: "about", priority: 50),
    ]
  }

  private static var routes: [OverlayRoute] {
    [
      route("home", to: "dashboard.home"),
      route("settings", to: "settings", in: "settings-sheet"),
      route("diagnostics", to: "diagnostics", in: "diagnostics-drawer"),
      route("about", to: "about", in: "settings-sheet"),
      route("computer-search", to: "computer-search"),
      route("mobile-device-search", to: "mobile-device-search"),
      route("support-technician", to: "support-technician"),
      route("prestage-director", to: "prestage-director"),
      route("reports", to: "reports"),
      route("deployment-tracker", to: "deployment-tracker"),
      route("permissions-matrix", to: "permissions-matrix"),
    ]
  }

  /// The event that asks the desk to do something.
  private static func type(_ verb: String) -> String {
    ModuleDesk.type(verb, of: RetailUIManifest.manifest.moduleID)
  }

  private static func route(_ id: String, to viewID: String, in slot: String = "main") -> OverlayRoute {
    OverlayRoute(
      routeID: id, path: "/" + id, destination: .moduleOverlay(viewID: viewID, slot: slot))
  }
}
