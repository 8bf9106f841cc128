public import ForsettiCore

/// Opens pointers and routes of the composed overlay schema (seed "OverlayRouting"). A pure function of what is on the
/// surface and what the host has: it says what came of it, and the host navigates.
public struct OverlayRouter: OverlayRouting, Sendable, Hashable {
  /// IDs of the host's own destinations.
  public var baseDestinations: Set<String>
  /// Slots the host shows.
  public var slots: Set<String>

  /// Makes a router over the host's catalogs.
  public init(baseDestinations: Set<String>, slots: Set<String>) {
    self.baseDestinations = baseDestinations
    self.slots = slots
  }

  /// Where a pointer leads.
  public func openPointer(_ pointerID: String, on surface: UISurface) -> OverlayOutcome {
    guard let schema = surface.overlaySchema else { return .schemaUnavailable }
    guard let pointer = schema.pointers.first(where: { $0.pointerID == pointerID }) else {
      return .missingPointer(pointerID)
    }
    guard baseDestinations.contains(pointer.target.destinationID) else {
      return .invalidBaseDestination(pointer.target.destinationID)
    }
    return .pointerResolved(pointer)
  }

  /// Where a route leads.
  public func openRoute(_ routeID: String, on surface: UISurface) -> OverlayOutcome {
    guard let schema = surface.overlaySchema else { return .schemaUnavailable }
    guard let route = schema.routes.first(where: { $0.routeID == routeID }) else {
      return .missingRoute(routeID)
    }
    switch route.destination {
    case .base(let destination) where !baseDestinations.contains(destination.destinationID):
      return .invalidBaseDestination(destination.destinationID)
    case .moduleOverlay(_, let slot) where !slots.contains(slot): return .invalidSlot(slot)
    case .base, .moduleOverlay: return .routeResolved(route)
    }
  }

  /// What a toolbar item does: an overlay outcome, or an event that carries its contributor's rights only.
  public func perform(_ item: UISurface.ToolbarItem, on surface: UISurface) -> ToolbarOutcome {
    switch item.item.action {
    case .navigate(let pointerID): .overlay(openPointer(pointerID, on: surface))
    case .openOverlay(let routeID): .overlay(openRoute(routeID, on: surface))
    case .publishEvent(let type, let payload):
      .publish(type: type, payload: payload ?? [:], moduleID: item.moduleID)
    }
  }
}

/// Opens pointers and routes of the overlay schema by ID (seed "OverlayRouting").
public protocol OverlayRouting: Sendable {
  /// Where a pointer leads.
  func openPointer(_ pointerID: String, on surface: UISurface) -> OverlayOutcome
  /// Where a route leads.
  func openRoute(_ routeID: String, on surface: UISurface) -> OverlayOutcome
}

/// What came of opening a pointer or a route (SPEC §6).
public enum OverlayOutcome: Sendable, Hashable {
  /// The host shows the pointer's target as its presentation says.
  case pointerResolved(NavigationPointer)
  /// The host opens the route's destination.
  case routeResolved(OverlayRoute)
  /// No active module has an overlay schema.
  case schemaUnavailable
  /// The schema has no such pointer.
  case missingPointer(String)
  /// The schema has no such route.
  case missingRoute(String)
  /// The target is none of the host's destinations.
  case invalidBaseDestination(String)
  /// The host does not show the slot.
  case invalidSlot(String)

  /// The outcome's name in SPEC §6.
  public var name: String {
    switch self {
    case .pointerResolved: "pointerResolved"
    case .routeResolved: "routeResolved"
    case .schemaUnavailable: "schemaUnavailable"
    case .missingPointer: "missingPointer"
    case .missingRoute: "missingRoute"
    case .invalidBaseDestination: "invalidBaseDestination"
    case .invalidSlot: "invalidSlot"
    }
  }
}

/// What a toolbar item asks of the host.
public enum ToolbarOutcome: Sendable, Hashable {
  /// Navigate, or say why not.
  case overlay(OverlayOutcome)
  /// Publish this as an event of the contributor, within its own rights.
  case publish(type: String, payload: [String: String], moduleID: String)
}
