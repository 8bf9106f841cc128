/// What a UI or app module contributes to the host's surface (seed "UI Contribution Model"; SPEC §6).
public struct UIContributions: Sendable, Hashable {
  /// The theme mask, if any.
  public var themeMask: ThemeMask?
  /// Toolbar items, in the order shown.
  public var toolbarItems: [ToolbarItemDescriptor]
  /// Views for slots of the host.
  public var viewInjections: [ViewInjectionDescriptor]
  /// Pointers and routes, if any.
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
  /// ID, declared in `themeIDs`.
  public var themeID: String
  /// The tokens; keys are unique.
  public var tokens: [ThemeToken]

  /// Makes a mask.
  public init(themeID: String, tokens: [ThemeToken]) {
    self.themeID = themeID
    self.tokens = tokens
  }
}

/// One theme token.
public struct ThemeToken: Sendable, Hashable {
  /// Name of the token.
  public var key: String
  /// Its value, of which only the host knows the meaning.
  public var value: String

  /// Makes a token.
  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}

/// A toolbar item.
public struct ToolbarItemDescriptor: Sendable, Hashable {
  /// ID, declared in `toolbarItemIDs`.
  public var itemID: String
  /// Text shown.
  public var title: String
  /// Name of an icon of the host.
  public var systemImageName: String?
  /// What it does, with the contributor's rights only.
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
  /// ID, unique among the module's injections.
  public var injectionID: String
  /// The host's slot, declared in `slotIDs`.
  public var slot: String
  /// The module's view, declared in `viewIDs`.
  public var viewID: String
  /// Order within a slot, high first.
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
  /// ID of the schema.
  public var schemaID: String
  /// Pointers to destinations of the host.
  public var pointers: [NavigationPointer]
  /// Routes by path.
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
  /// ID, declared in `pointerIDs`.
  public var pointerID: String
  /// Text shown.
  public var label: String
  /// Where it leads.
  public var target: BaseDestinationRef
  /// How the target is shown.
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
  /// ID in the host's catalog.
  public var destinationID: String
  /// Parameters for the destination.
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
  /// ID, declared in `routeIDs`.
  public var routeID: String
  /// Path under which the host opens it.
  public var path: String
  /// Where it leads.
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
