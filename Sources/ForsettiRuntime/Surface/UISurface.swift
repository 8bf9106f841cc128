public import ForsettiCore

/// What the host shows of its active UI or app module: a value, composed anew at each change (SPEC §6).
public struct UISurface: Sendable, Hashable {
  /// A toolbar item and the module whose rights its action carries.
  public struct ToolbarItem: Sendable, Hashable {
    /// The contributor.
    public var moduleID: String
    /// What it contributed.
    public var item: ToolbarItemDescriptor
  }

  /// A view injection and the module that contributed it.
  public struct Injection: Sendable, Hashable {
    /// The contributor.
    public var moduleID: String
    /// What it contributed.
    public var injection: ViewInjectionDescriptor
  }

  /// The mask the host may use, if the policy lets it.
  public var themeMask: ThemeMask?
  /// By module ID, then in declared order.
  public var toolbarItems: [ToolbarItem]
  /// By slot; in a slot by priority, high first, ties by module and then declared order.
  public var injectionsBySlot: [String: [Injection]]
  /// `nil` where no module has an overlay schema; pointers and routes sorted by ID.
  public var overlaySchema: OverlaySchema?

  /// The schema ID of the composite of all overlay schemas.
  static let compositeSchemaID = "forsetti.overlay.composite"

  /// The surface without any contribution.
  public static let empty = UISurface(contributions: [:])

  /// Composes the surface from validated and sanitised contributions by module ID.
  public init(contributions: [String: UIContributions]) {
    let sorted = contributions.sorted { $0.key < $1.key }
    themeMask = sorted.compactMap(\.value.themeMask).last
    toolbarItems = sorted.flatMap { id, value in
      value.toolbarItems.map { ToolbarItem(moduleID: id, item: $0) }
    }
    let injections = sorted.flatMap { id, value in
      value.viewInjections.map { Injection(moduleID: id, injection: $0) }
    }
    injectionsBySlot = Dictionary(grouping: injections, by: \.injection.slot).mapValues { slot in
      // A stable order for equal priorities: the offset decides.
      slot.enumerated().sorted {
        ($1.element.injection.priority, $0.offset) < ($0.element.injection.priority, $1.offset)
      }.map(\.element)
    }
    let schemas = sorted.compactMap(\.value.overlaySchema)
    guard !schemas.isEmpty else { return }
    overlaySchema = OverlaySchema(
      schemaID: Self.compositeSchemaID,
      pointers: Dictionary(
        schemas.flatMap(\.pointers).map { ($0.pointerID, $0) }, uniquingKeysWith: { _, last in last }
      ).values.sorted { $0.pointerID < $1.pointerID },
      routes: Dictionary(
        schemas.flatMap(\.routes).map { ($0.routeID, $0) }, uniquingKeysWith: { _, last in last }
      ).values.sorted { $0.routeID < $1.routeID })
  }
}
