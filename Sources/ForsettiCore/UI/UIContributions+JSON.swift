/// Contributions as JSON (SPEC §6). Reading is bounded; unknown keys are passed over, since another version of
/// the kit may know more of them.
extension UIContributions {
  /// Most entries of one list, and of one map of parameters.
  public static let mostEntries = 1024
  /// Longest text, bytes of UTF-8.
  static let longestText = 4096

  /// The contributions as a tree.
  public var jsonValue: JSONValue {
    .object(omittingAbsent: [
      ("themeMask", themeMask?.jsonValue),
      ("toolbarItems", .array(toolbarItems.map(\.jsonValue))),
      ("viewInjections", .array(viewInjections.map(\.jsonValue))),
      ("overlaySchema", overlaySchema?.jsonValue),
    ])
  }

  /// Reads contributions; absent lists are empty. Throws the first fault with its pointer.
  public init(jsonValue: JSONValue) throws(JSONFault) {
    let root = JSONCursor(jsonValue)
    self.init()
    if let mask = try root.optional("themeMask") { themeMask = try ThemeMask(mask) }
    for item in try root.list("toolbarItems") { toolbarItems.append(try ToolbarItemDescriptor(item)) }
    for view in try root.list("viewInjections") { viewInjections.append(try ViewInjectionDescriptor(view)) }
    if let schema = try root.optional("overlaySchema") { overlaySchema = try OverlaySchema(schema) }
  }
}

extension JSONCursor {
  fileprivate func text(_ key: String) throws(JSONFault) -> String {
    try required(key).boundedText()
  }

  fileprivate func optionalText(_ key: String) throws(JSONFault) -> String? {
    try optional(key)?.boundedText()
  }

  fileprivate func list(_ key: String) throws(JSONFault) -> [JSONCursor] {
    guard let list = try optional(key) else { return [] }
    let elements = try list.array()
    if elements.count > UIContributions.mostEntries {
      throw list.fault("more than \(UIContributions.mostEntries) entries")
    }
    return elements
  }

  fileprivate func map(_ key: String) throws(JSONFault) -> [String: String]? {
    guard let map = try optional(key) else { return nil }
    var texts: [String: String] = [:]
    let members = try map.object()
    if members.count > UIContributions.mostEntries {
      throw map.fault("more than \(UIContributions.mostEntries) entries")
    }
    for member in members {
      let value = JSONCursor(member.value, pointer: map.pointer + JSONPointer.step(member.key))
      // A dictionary holds canonically equivalent keys equal, so the second of two would vanish unseen.
      if texts.updateValue(try value.boundedText(), forKey: member.key) != nil {
        throw value.fault("a key equivalent to an earlier one")
      }
    }
    return texts
  }

  private func boundedText() throws(JSONFault) -> String {
    let text = try string()
    if text.utf8.count > UIContributions.longestText {
      throw fault("a text of more than \(UIContributions.longestText) bytes")
    }
    return text
  }
}

extension [String: String] {
  fileprivate var jsonValue: JSONValue {
    .object(sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
  }
}

extension ThemeMask {
  fileprivate init(_ cursor: JSONCursor) throws(JSONFault) {
    self.init(themeID: try cursor.text("themeID"), tokens: [])
    for token in try cursor.list("tokens") {
      tokens.append(ThemeToken(key: try token.text("key"), value: try token.text("value")))
    }
  }

  /// The mask as a tree.
  package var jsonValue: JSONValue {
    .object([
      ("themeID", .string(themeID)),
      ("tokens", .array(tokens.map { .object([("key", .string($0.key)), ("value", .string($0.value))]) })),
    ])
  }
}

extension ToolbarItemDescriptor {
  fileprivate init(_ cursor: JSONCursor) throws(JSONFault) {
    self.init(
      itemID: try cursor.text("itemID"), title: try cursor.text("title"),
      systemImageName: try cursor.optionalText("systemImageName"),
      action: try ToolbarAction(cursor.required("action")))
  }

  /// The item as a tree.
  package var jsonValue: JSONValue {
    .object(omittingAbsent: [
      ("itemID", .string(itemID)), ("title", .string(title)),
      ("systemImageName", systemImageName.map { .string($0) }), ("action", action.jsonValue),
    ])
  }
}

extension ToolbarAction {
  private enum Kind: String, CaseIterable { case navigate, openOverlay, publishEvent }

  fileprivate init(_ cursor: JSONCursor) throws(JSONFault) {
    self =
      switch try cursor.required("type").oneOf(Kind.self, called: "a toolbar action") {
      case .navigate: .navigate(pointerID: try cursor.text("pointerID"))
      case .openOverlay: .openOverlay(routeID: try cursor.text("routeID"))
      case .publishEvent:
        .publishEvent(eventType: try cursor.text("eventType"), payload: try cursor.map("payload"))
      }
  }

  /// The action as a tree.
  package var jsonValue: JSONValue {
    switch self {
    case .navigate(let pointerID):
      .object([("type", .string(Kind.navigate.rawValue)), ("pointerID", .string(pointerID))])
    case .openOverlay(let routeID):
      .object([("type", .string(Kind.openOverlay.rawValue)), ("routeID", .string(routeID))])
    case .publishEvent(let eventType, let payload):
      .object(omittingAbsent: [
        ("type", .string(Kind.publishEvent.rawValue)), ("eventType", .string(eventType)),
        ("payload", payload?.jsonValue),
      ])
    }
  }
}

extension ViewInjectionDescriptor {
  fileprivate init(_ cursor: JSONCursor) throws(JSONFault) {
    self.init(
      injectionID: try cursor.text("injectionID"), slot: try cursor.text("slot"),
      viewID: try cursor.text("viewID"),
      priority: Int(try cursor.required("priority").integer(in: Int64(Int32.min)...Int64(Int32.max))))
  }

  /// The injection as a tree.
  package var jsonValue: JSONValue {
    .object([
      ("injectionID", .string(injectionID)), ("slot", .string(slot)), ("viewID", .string(viewID)),
      ("priority", .integer(priority)),
    ])
  }
}

extension OverlaySchema {
  fileprivate init(_ cursor: JSONCursor) throws(JSONFault) {
    self.init(schemaID: try cursor.text("schemaID"), pointers: [], routes: [])
    for pointer in try cursor.list("pointers") { pointers.append(try NavigationPointer(pointer)) }
    for route in try cursor.list("routes") { routes.append(try OverlayRoute(route)) }
  }

  /// The schema as a tree.
  package var jsonValue: JSONValue {
    .object([
      ("schemaID", .string(schemaID)), ("pointers", .array(pointers.map(\.jsonValue))),
      ("routes", .array(routes.map(\.jsonValue))),
    ])
  }
}

extension NavigationPointer {
  fileprivate init(_ cursor: JSONCursor) throws(JSONFault) {
    self.init(
      pointerID: try cursor.text("pointerID"), label: try cursor.text("label"),
      target: try BaseDestinationRef(cursor.required("target")),
      presentation: try cursor.required("presentation").oneOf(
        OverlayPresentation.self, called: "a presentation"))
  }

  fileprivate var jsonValue: JSONValue {
    .object([
      ("pointerID", .string(pointerID)), ("label", .string(label)), ("target", .object(target.members)),
      ("presentation", .string(presentation.rawValue)),
    ])
  }
}

extension BaseDestinationRef {
  fileprivate init(_ cursor: JSONCursor) throws(JSONFault) {
    self.init(destinationID: try cursor.text("destinationID"), parameters: try cursor.map("parameters"))
  }

  fileprivate var members: [(String, JSONValue)] {
    [("destinationID", .string(destinationID))] + (parameters.map { [("parameters", $0.jsonValue)] } ?? [])
  }
}

extension OverlayRoute {
  fileprivate init(_ cursor: JSONCursor) throws(JSONFault) {
    self.init(
      routeID: try cursor.text("routeID"), path: try cursor.text("path"),
      destination: try OverlayDestination(cursor.required("destination")))
  }

  fileprivate var jsonValue: JSONValue {
    .object([
      ("routeID", .string(routeID)), ("path", .string(path)), ("destination", destination.jsonValue),
    ])
  }
}

extension OverlayDestination {
  private enum Kind: String, CaseIterable { case base, moduleOverlay }

  fileprivate init(_ cursor: JSONCursor) throws(JSONFault) {
    self =
      switch try cursor.required("type").oneOf(Kind.self, called: "a destination") {
      case .base: .base(try BaseDestinationRef(cursor))
      case .moduleOverlay: .moduleOverlay(viewID: try cursor.text("viewID"), slot: try cursor.text("slot"))
      }
  }

  fileprivate var jsonValue: JSONValue {
    switch self {
    case .base(let reference):
      .object([("type", .string(Kind.base.rawValue))] + reference.members)
    case .moduleOverlay(let viewID, let slot):
      .object([
        ("type", .string(Kind.moduleOverlay.rawValue)), ("viewID", .string(viewID)), ("slot", .string(slot)),
      ])
    }
  }
}
