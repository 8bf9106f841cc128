/// What a UI or app module contributes to the host's surface (seed "UI Contribution Model"; SPEC §6).
public struct UIContributions: Sendable, Hashable {
  public var themeMask: ThemeMask?
  public var toolbarItems: [ToolbarItemDescriptor]
  public var viewInjections: [ViewInjectionDescriptor]
  public var overlaySchema: OverlaySchema?

  /// Makes contributions; the default is none.
  public init(
    themeMask: ThemeMask? = nil, toolbarItems: [ToolbarItemDescriptor] = [],
    viewInjections: [ViewInjectionDescriptor] = [], overlaySchema: OverlaySchema? = nil
  ) {
    self.themeMask = themeMask
    self.toolbarItems = toolbarItems
    self.viewInjections = viewInjections
    self.overlaySchema = overlaySchema
  }
}

/// A set of theme tokens; validated, then stripped unless the policy lets the host use it.
public struct ThemeMask: Sendable, Hashable {
  public var themeID: String
  public var tokens: [ThemeToken]

  /// Makes a mask.
  public init(themeID: String, tokens: [ThemeToken]) {
    self.themeID = themeID
    self.tokens = tokens
  }
}

/// One theme token.
public struct ThemeToken: Sendable, Hashable {
  public var key: String
  public var value: String

  /// Makes a token.
  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}

/// A toolbar item.
public struct ToolbarItemDescriptor: Sendable, Hashable {
  public var itemID: String
  public var title: String
  public var systemImageName: String?
  public var action: ToolbarAction

  /// Makes an item.
  public init(itemID: String, title: String, systemImageName: String? = nil, action: ToolbarAction) {
    self.itemID = itemID
    self.title = title
    self.systemImageName = systemImageName
    self.action = action
  }
}

/// What a toolbar item does. JSON form: `{"type": "navigate" | "openOverlay" | "publishEvent", …}`.
public enum ToolbarAction: Sendable, Hashable {
  case navigate(pointerID: String)
  case openOverlay(routeID: String)
  case publishEvent(eventType: String, payload: [String: String]?)
}

/// A view put into a slot of the host's surface.
public struct ViewInjectionDescriptor: Sendable, Hashable {
  public var injectionID: String
  public var slot: String
  public var viewID: String
  public var priority: Int

  /// Makes an injection.
  public init(injectionID: String, slot: String, viewID: String, priority: Int) {
    self.injectionID = injectionID
    self.slot = slot
    self.viewID = viewID
    self.priority = priority
  }
}

/// Navigation pointers and overlay routes of one module.
public struct OverlaySchema: Sendable, Hashable {
  public var schemaID: String
  public var pointers: [NavigationPointer]
  public var routes: [OverlayRoute]

  /// Makes a schema.
  public init(schemaID: String, pointers: [NavigationPointer], routes: [OverlayRoute]) {
    self.schemaID = schemaID
    self.pointers = pointers
    self.routes = routes
  }
}

/// A pointer to a base destination of the host.
public struct NavigationPointer: Sendable, Hashable {
  public var pointerID: String
  public var label: String
  public var target: BaseDestinationRef
  public var presentation: OverlayPresentation

  /// Makes a pointer.
  public init(pointerID: String, label: String, target: BaseDestinationRef, presentation: OverlayPresentation)
  {
    self.pointerID = pointerID
    self.label = label
    self.target = target
    self.presentation = presentation
  }
}

/// A destination of the host by ID.
public struct BaseDestinationRef: Sendable, Hashable {
  public var destinationID: String
  public var parameters: [String: String]?

  /// Makes a reference.
  public init(destinationID: String, parameters: [String: String]? = nil) {
    self.destinationID = destinationID
    self.parameters = parameters
  }
}

/// How an overlay is shown.
public enum OverlayPresentation: String, Sendable, Hashable, CaseIterable {
  case sheet, popover, inline, push
}

/// A route to a destination.
public struct OverlayRoute: Sendable, Hashable {
  public var routeID: String
  public var path: String
  public var destination: OverlayDestination

  /// Makes a route.
  public init(routeID: String, path: String, destination: OverlayDestination) {
    self.routeID = routeID
    self.path = path
    self.destination = destination
  }
}

/// Where a route leads. JSON form: `{"type": "base" | "moduleOverlay", …}`.
public enum OverlayDestination: Sendable, Hashable {
  case base(BaseDestinationRef)
  case moduleOverlay(viewID: String, slot: String)
}
