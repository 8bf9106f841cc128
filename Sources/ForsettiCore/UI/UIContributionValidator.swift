/// Checks what a module contributes to the surface against its manifest, once, before it starts (SPEC §6).
public enum UIContributionValidator {
  /// Checks capabilities first, then sizes and texts, then declared IDs and duplicates.
  ///
  /// A kind whose capability the manifest doesn't request is `missingCapability`. One that is requested but not
  /// granted was left out as optional by the policy: the module couldn't know when it described itself, so
  /// `sanitised` drops that kind instead. Everything else is `unsatisfiedRuntimeRequirement`.
  public static func validate(
    _ contributions: UIContributions, of manifest: ModuleManifest
  ) throws(ModuleManagerError) {
    for (capability, usage) in contributions.usages where !manifest.capabilitiesRequested.contains(capability)
    {
      throw .missingCapability(moduleID: manifest.moduleID, capability: capability, usage: usage)
    }
    let fault =
      contributions.boundsFault ?? declarationFault(contributions, manifest) ?? contributions.duplicateFault
    if let fault { throw .unsatisfiedRuntimeRequirement(moduleID: manifest.moduleID, reason: fault) }
  }

  /// What the surface gets to see: kinds without a grant are dropped, the theme mask also unless the policy lets
  /// the host use it.
  public static func sanitised(
    _ contributions: UIContributions, grants: some Collection<Capability>, mayHostUseThemeMasks: Bool
  ) -> UIContributions {
    var kept = contributions
    if !grants.contains(.toolbarItems) { kept.toolbarItems = [] }
    if !grants.contains(.viewInjection) { kept.viewInjections = [] }
    if !grants.contains(.routingOverlay) { kept.overlaySchema = nil }
    if !grants.contains(.uiThemeMask) || !mayHostUseThemeMasks { kept.themeMask = nil }
    return kept
  }

  /// Template 1.1 declares every ID it contributes or points to; 1.0 has no place to declare them.
  private static func declarationFault(_ contributions: UIContributions, _ manifest: ModuleManifest)
    -> String?
  {
    guard manifest.manifestTemplateVersion == "1.1", !contributions.usages.isEmpty else { return nil }
    guard let declared = manifest.runtimeRequirements.ui else {
      return "it contributes to the UI, but its manifest has no runtimeRequirements.ui"
    }
    let ids = DeclaredIDs(declared)
    return contributions.references.lazy.compactMap { ids.fault(of: $0) }.first
  }
}

/// An ID that a contribution defines or points to, with the word for its kind.
private struct UIReference {
  enum Kind: String {
    case themeID, toolbarItemID, viewID, slotID, routeID, pointerID
  }

  let kind: Kind
  let id: String
  let place: String
}

/// The IDs a manifest declares, by kind.
private struct DeclaredIDs {
  private let ids: [UIReference.Kind: [String]]
  private let sets: [UIReference.Kind: Set<ScalarText>]

  init(_ declared: UIRequirements) {
    ids = [
      .themeID: declared.themeIDs, .toolbarItemID: declared.toolbarItemIDs, .viewID: declared.viewIDs,
      .slotID: declared.slotIDs, .routeID: declared.routeIDs, .pointerID: declared.pointerIDs,
    ]
    sets = ids.mapValues { Set($0.map(ScalarText.init)) }
  }

  func fault(of reference: UIReference) -> String? {
    if sets[reference.kind]?.contains(ScalarText(reference.id)) == true { return nil }
    let kind = reference.kind.rawValue
    return
      "\(reference.place) uses \(kind) \(reference.id.quoted()), which the manifest's \(kind)s don't declare"
      + NearestName.hint(for: reference.id, among: ids[reference.kind] ?? [])
  }
}

extension UIContributions {
  /// The capability of each kind that is contributed, in the order they are checked. A schema counts even if it
  /// is empty.
  fileprivate var usages: [(capability: Capability, usage: String)] {
    var usages: [(Capability, String)] = []
    if !toolbarItems.isEmpty { usages.append((.toolbarItems, "toolbar items")) }
    if !viewInjections.isEmpty { usages.append((.viewInjection, "view injections")) }
    if overlaySchema != nil { usages.append((.routingOverlay, "an overlay schema")) }
    if themeMask != nil { usages.append((.uiThemeMask, "a theme mask")) }
    return usages
  }

  /// Every ID to be declared, in the order of checks: theme; items, then their actions; views, then slots; routes,
  /// pointers, then what routes lead to.
  fileprivate var references: [UIReference] {
    var references: [UIReference] = []
    func add(_ kind: UIReference.Kind, _ id: String, _ place: String) {
      references.append(UIReference(kind: kind, id: id, place: place))
    }
    if let themeMask { add(.themeID, themeMask.themeID, "the theme mask") }
    for item in toolbarItems { add(.toolbarItemID, item.itemID, "a toolbar item") }
    for item in toolbarItems {
      let place = "the action of toolbar item \(item.itemID.quoted())"
      switch item.action {
      case .navigate(let pointerID): add(.pointerID, pointerID, place)
      case .openOverlay(let routeID): add(.routeID, routeID, place)
      case .publishEvent: break
      }
    }
    for view in viewInjections { add(.viewID, view.viewID, "view injection \(view.injectionID.quoted())") }
    for view in viewInjections { add(.slotID, view.slot, "view injection \(view.injectionID.quoted())") }
    for route in overlaySchema?.routes ?? [] { add(.routeID, route.routeID, "an overlay route") }
    for pointer in overlaySchema?.pointers ?? [] {
      add(.pointerID, pointer.pointerID, "a navigation pointer")
    }
    for route in overlaySchema?.routes ?? [] {
      guard case .moduleOverlay(let viewID, let slot) = route.destination else { continue }
      add(.viewID, viewID, "the destination of route \(route.routeID.quoted())")
      add(.slotID, slot, "the destination of route \(route.routeID.quoted())")
    }
    return references
  }

  fileprivate var duplicateFault: String? {
    let lists: [(String, [String])] = [
      ("themeMask token", themeMask?.tokens.map(\.key) ?? []),
      ("toolbarItemID", toolbarItems.map(\.itemID)), ("injectionID", viewInjections.map(\.injectionID)),
      ("routeID", overlaySchema?.routes.map(\.routeID) ?? []),
      ("pointerID", overlaySchema?.pointers.map(\.pointerID) ?? []),
    ]
    for (kind, ids) in lists {
      var seen: Set<ScalarText> = []
      for id in ids {
        // Trimmed, as in manifests: two IDs that look the same are the same.
        let trimmed = id.trimmedScalars
        if trimmed.isEmpty { return "a \(kind) is blank" }
        if !seen.insert(ScalarText(trimmed)).inserted { return "\(kind) \(id.quoted()) is contributed twice" }
      }
    }
    return nil
  }
}
