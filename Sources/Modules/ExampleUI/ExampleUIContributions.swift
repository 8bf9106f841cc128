internal import ForsettiModuleKit

/// What the example puts on the host's surface: one of each kind, and a second toolbar item, for an item may open
/// something or say something. Its second view is for the example service to draw.
enum ExampleUIContributions {
  static let greeting = "com.forsetti.example.ui.greet"

  static var contributions: UIContributions {
    UIContributions(
      toolbarItems: [
        ToolbarItemDescriptor(
          itemID: "example-open", title: "Example", systemImageName: "square.stack",
          action: .openOverlay(routeID: "example-overlay")),
        ToolbarItemDescriptor(
          itemID: "example-greet", title: "Greet", systemImageName: "hand.wave",
          action: .publishEvent(eventType: greeting, payload: ["from": "the toolbar"])),
      ],
      viewInjections: [
        ViewInjectionDescriptor(
          injectionID: "example-workspace", slot: "module.workspace", viewID: "example-workspace",
          priority: 100),
        ViewInjectionDescriptor(
          injectionID: "example-service", slot: "module.workspace", viewID: "example-service", priority: 50),
      ],
      overlaySchema: OverlaySchema(
        schemaID: "example",
        pointers: [
          NavigationPointer(
            pointerID: "example-home", label: "Home", target: BaseDestinationRef(destinationID: "home"),
            presentation: .inline)
        ],
        routes: [
          OverlayRoute(
            routeID: "example-overlay", path: "/example/overlay",
            destination: .moduleOverlay(viewID: "example-overlay", slot: "overlay.main"))
        ]))
  }
}
