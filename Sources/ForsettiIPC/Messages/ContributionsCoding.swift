import ForsettiCore

// UI contributions travel as CBOR maps that mirror their JSON form (SPEC §6).

extension CBORWriter {
  mutating func contributions(_ contributions: UIContributions) throws(CBORError) {
    map(count: 2 + [contributions.themeMask != nil, contributions.overlaySchema != nil].count { $0 })
    if let mask = contributions.themeMask {
      key("themeMask")
      map(count: 2)
      key("tokens")
      try array(mask.tokens) { (writer, token) throws(CBORError) in
        writer.map(count: 2)
        try writer.text("key", token.key)
        try writer.text("value", token.value)
      }
      try text("themeID", mask.themeID)
    }
    key("toolbarItems")
    try array(contributions.toolbarItems) { (writer, item) throws(CBORError) in try writer.toolbarItem(item) }
    if let schema = contributions.overlaySchema {
      key("overlaySchema")
      map(count: 3)
      key("routes")
      try array(schema.routes) { (writer, route) throws(CBORError) in try writer.route(route) }
      key("pointers")
      try array(schema.pointers) { (writer, pointer) throws(CBORError) in try writer.pointer(pointer) }
      try text("schemaID", schema.schemaID)
    }
    key("viewInjections")
    try array(contributions.viewInjections) { (writer, view) throws(CBORError) in
      writer.map(count: 4)
      try writer.text("slot", view.slot)
      try writer.text("viewID", view.viewID)
      writer.key("priority")
      writer.integer(Int64(view.priority))
      try writer.text("injectionID", view.injectionID)
    }
  }

  private mutating func toolbarItem(_ item: ToolbarItemDescriptor) throws(CBORError) {
    map(count: item.systemImageName == nil ? 3 : 4)
    try text("title", item.title)
    key("action")
    try action(item.action)
    try text("itemID", item.itemID)
    try optionalText("systemImageName", item.systemImageName)
  }

  mutating func action(_ action: ToolbarAction) throws(CBORError) {
    switch action {
    case .navigate(let pointerID):
      map(count: 2)
      try text("type", "navigate")
      try text("pointerID", pointerID)
    case .openOverlay(let routeID):
      map(count: 2)
      try text("type", "openOverlay")
      try text("routeID", routeID)
    case .publishEvent(let eventType, let payload):
      map(count: payload == nil ? 2 : 3)
      try text("type", "publishEvent")
      try parameters("payload", payload)
      try text("eventType", eventType)
    }
  }

  private mutating func parameters(_ key: StaticString, _ entries: [String: String]?) throws(CBORError) {
    guard let entries else { return }
    self.key(key)
    try textMap(
      entries, limit: ProtocolLimits.items, keyLimit: ProtocolLimits.text, valueLimit: ProtocolLimits.text)
  }

  private mutating func pointer(_ pointer: NavigationPointer) throws(CBORError) {
    map(count: 4)
    try text("label", pointer.label)
    key("target")
    map(count: pointer.target.parameters == nil ? 1 : 2)
    try parameters("parameters", pointer.target.parameters)
    try text("destinationID", pointer.target.destinationID)
    try text("pointerID", pointer.pointerID)
    key("presentation")
    try choice(pointer.presentation)
  }

  private mutating func route(_ route: OverlayRoute) throws(CBORError) {
    map(count: 3)
    try text("path", route.path)
    try text("routeID", route.routeID)
    key("destination")
    switch route.destination {
    case .base(let reference):
      map(count: reference.parameters == nil ? 2 : 3)
      try text("type", "base")
      try parameters("parameters", reference.parameters)
      try text("destinationID", reference.destinationID)
    case .moduleOverlay(let viewID, let slot):
      map(count: 3)
      try text("slot", slot)
      try text("type", "moduleOverlay")
      try text("viewID", viewID)
    }
  }
}

private enum ActionType: String {
  case navigate, openOverlay, publishEvent
}

private enum DestinationType: String {
  case base, moduleOverlay
}

extension CBORReader {
  mutating func contributions() throws(CBORError) -> UIContributions {
    var fields = try fields()
    var result = UIContributions()
    if try optionalField("themeMask", &fields) { result.themeMask = try themeMask() }
    result.toolbarItems = try array("toolbarItems", &fields) { (reader) throws(CBORError) in
      try reader.toolbarItem()
    }
    if try optionalField("overlaySchema", &fields) { result.overlaySchema = try overlaySchema() }
    result.viewInjections = try array("viewInjections", &fields) { (reader) throws(CBORError) in
      try reader.viewInjection()
    }
    try end(fields)
    return result
  }

  private mutating func themeMask() throws(CBORError) -> ThemeMask {
    var fields = try fields()
    let tokens = try array("tokens", &fields) { (reader) throws(CBORError) in
      var fields = try reader.fields()
      let key = try reader.text("key", &fields)
      let value = try reader.text("value", &fields)
      try reader.end(fields)
      return ThemeToken(key: key, value: value)
    }
    let themeID = try text("themeID", &fields)
    try end(fields)
    return ThemeMask(themeID: themeID, tokens: tokens)
  }

  private mutating func toolbarItem() throws(CBORError) -> ToolbarItemDescriptor {
    var fields = try fields()
    let title = try text("title", &fields)
    try field("action", &fields)
    let action = try action()
    let itemID = try text("itemID", &fields)
    let image = try optionalText("systemImageName", &fields)
    try end(fields)
    return ToolbarItemDescriptor(itemID: itemID, title: title, systemImageName: image, action: action)
  }

  mutating func action() throws(CBORError) -> ToolbarAction {
    var fields = try fields()
    let type: ActionType = try choice("type", &fields)
    let action: ToolbarAction
    switch type {
    case .navigate: action = .navigate(pointerID: try text("pointerID", &fields))
    case .openOverlay: action = .openOverlay(routeID: try text("routeID", &fields))
    case .publishEvent:
      let payload = try parameters("payload", &fields)
      action = .publishEvent(eventType: try text("eventType", &fields), payload: payload)
    }
    try end(fields)
    return action
  }

  private mutating func parameters(
    _ key: StaticString, _ fields: inout CBORFields
  ) throws(CBORError) -> [String: String]? {
    guard try optionalField(key, &fields) else { return nil }
    return try textMap(
      limit: ProtocolLimits.items, keyLimit: ProtocolLimits.text, valueLimit: ProtocolLimits.text)
  }

  private mutating func viewInjection() throws(CBORError) -> ViewInjectionDescriptor {
    var fields = try fields()
    let slot = try text("slot", &fields)
    let viewID = try text("viewID", &fields)
    try field("priority", &fields)
    let priority = try integer()
    let injectionID = try text("injectionID", &fields)
    try end(fields)
    return ViewInjectionDescriptor(
      injectionID: injectionID, slot: slot, viewID: viewID, priority: Int(priority))
  }

  private mutating func overlaySchema() throws(CBORError) -> OverlaySchema {
    var fields = try fields()
    let routes = try array("routes", &fields) { (reader) throws(CBORError) in try reader.route() }
    let pointers = try array("pointers", &fields) { (reader) throws(CBORError) in try reader.pointer() }
    let schemaID = try text("schemaID", &fields)
    try end(fields)
    return OverlaySchema(schemaID: schemaID, pointers: pointers, routes: routes)
  }

  private mutating func pointer() throws(CBORError) -> NavigationPointer {
    var fields = try fields()
    let label = try text("label", &fields)
    try field("target", &fields)
    var target = try self.fields()
    let parameters = try parameters("parameters", &target)
    let destinationID = try text("destinationID", &target)
    try end(target)
    let pointerID = try text("pointerID", &fields)
    let presentation: OverlayPresentation = try choice("presentation", &fields)
    try end(fields)
    return NavigationPointer(
      pointerID: pointerID, label: label,
      target: BaseDestinationRef(destinationID: destinationID, parameters: parameters),
      presentation: presentation)
  }

  private mutating func route() throws(CBORError) -> OverlayRoute {
    var fields = try fields()
    let path = try text("path", &fields)
    let routeID = try text("routeID", &fields)
    try field("destination", &fields)
    let destination = try destination()
    try end(fields)
    return OverlayRoute(routeID: routeID, path: path, destination: destination)
  }

  /// `slot` comes before `type` in key order, so its presence is known first and then has to fit the type.
  private mutating func destination() throws(CBORError) -> OverlayDestination {
    var fields = try fields()
    let start = offset
    let slot = try optionalText("slot", &fields)
    let type: DestinationType = try choice("type", &fields)
    let result: OverlayDestination
    switch (type, slot) {
    case (.base, nil):
      let parameters = try parameters("parameters", &fields)
      let destinationID = try text("destinationID", &fields)
      result = .base(BaseDestinationRef(destinationID: destinationID, parameters: parameters))
    case (.moduleOverlay, let slot?):
      result = .moduleOverlay(viewID: try text("viewID", &fields), slot: slot)
    case (.base, _?): throw CBORError(.unknownKey("slot"), at: start)
    case (.moduleOverlay, nil): throw CBORError(.missingKey("slot"), at: start)
    }
    try end(fields)
    return result
  }
}
