/// Sizes and texts of contributions, whichever way they came.
extension UIContributions {
  /// The first list that is too long, or text that is too long or hides something; `nil` if all is well.
  var boundsFault: String? {
    let lists: [(String, Int)] = [
      ("toolbarItems", toolbarItems.count), ("viewInjections", viewInjections.count),
      ("overlaySchema.pointers", overlaySchema?.pointers.count ?? 0),
      ("overlaySchema.routes", overlaySchema?.routes.count ?? 0),
      ("themeMask.tokens", themeMask?.tokens.count ?? 0),
    ]
    if let (name, count) = lists.first(where: { $0.1 > Self.mostEntries }) {
      return "\(name) has \(count) entries, the limit is \(Self.mostEntries)"
    }
    return itemFault ?? viewFault ?? overlayFault ?? themeFault
  }

  private var itemFault: String? {
    for item in toolbarItems {
      let place = "a toolbar item's"
      if let fault = Self.fault(place, "itemID", item.itemID) ?? Self.fault(place, "title", item.title)
        ?? Self.fault(place, "systemImageName", item.systemImageName)
      {
        return fault
      }
      let fault: String? =
        switch item.action {
        case .navigate(let pointerID): Self.fault(place, "pointerID", pointerID)
        case .openOverlay(let routeID): Self.fault(place, "routeID", routeID)
        case .publishEvent(let eventType, let payload):
          Self.fault(place, "eventType", eventType) ?? Self.fault(place, "payload", payload)
        }
      if let fault { return fault }
    }
    return nil
  }

  private var viewFault: String? {
    for view in viewInjections {
      let place = "a view injection's"
      if let fault = Self.fault(place, "injectionID", view.injectionID)
        ?? Self.fault(place, "viewID", view.viewID) ?? Self.fault(place, "slot", view.slot)
      {
        return fault
      }
    }
    return nil
  }

  private var overlayFault: String? {
    guard let overlaySchema else { return nil }
    if let fault = Self.fault("the overlay schema's", "schemaID", overlaySchema.schemaID) { return fault }
    for route in overlaySchema.routes {
      let place = "an overlay route's"
      if let fault = Self.fault(place, "routeID", route.routeID) ?? Self.fault(place, "path", route.path) {
        return fault
      }
      let fault: String? =
        switch route.destination {
        case .base(let reference): Self.fault(place, reference)
        case .moduleOverlay(let viewID, let slot):
          Self.fault(place, "viewID", viewID) ?? Self.fault(place, "slot", slot)
        }
      if let fault { return fault }
    }
    for pointer in overlaySchema.pointers {
      let place = "a navigation pointer's"
      if let fault = Self.fault(place, "pointerID", pointer.pointerID)
        ?? Self.fault(place, "label", pointer.label) ?? Self.fault(place, pointer.target)
      {
        return fault
      }
    }
    return nil
  }

  private var themeFault: String? {
    guard let themeMask else { return nil }
    if let fault = Self.fault("the theme mask's", "themeID", themeMask.themeID) { return fault }
    for token in themeMask.tokens {
      if let fault = Self.fault("a theme token's", "key", token.key)
        ?? Self.fault("a theme token's", "value", token.value)
      {
        return fault
      }
    }
    return nil
  }

  private static func fault(_ place: String, _ reference: BaseDestinationRef) -> String? {
    fault(place, "destinationID", reference.destinationID) ?? fault(place, "parameters", reference.parameters)
  }

  private static func fault(_ place: String, _ name: String, _ texts: [String: String]?) -> String? {
    guard let texts else { return nil }
    if texts.count > mostEntries { return "\(place) \(name) has more than \(mostEntries) entries" }
    for (key, value) in texts.sorted(by: { $0.key < $1.key }) {
      // Payload values travel to modules, not to the screen: only their size matters here.
      if let fault = fault(place, name + " key", key) { return fault }
      if value.utf8.count > longestText {
        return "\(place) \(name) \(key.quoted()) exceeds \(longestText) bytes"
      }
    }
    return nil
  }

  private static func fault(_ place: String, _ name: String, _ text: String?) -> String? {
    guard let text else { return nil }
    if text.utf8.count > longestText { return "\(place) \(name) exceeds \(longestText) bytes" }
    if text.unicodeScalars.contains(where: \.isHidden) {
      return "\(place) \(name) \(text.quoted()) has a control or bidirectional character"
    }
    return nil
  }
}
