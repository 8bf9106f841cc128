public import ForsettiCore

// Who draws what is on the surface.
extension ModuleManager {
  /// The renderer of each view that is on the surface or that a route leads to.
  public var renderers: [ScalarText: String] {
    ForsettiViewInjectionRegistry(policy).renderers(on: environment.surface.surface, routes: activeUIModuleID)
  }

  /// What the routes and views of the surface are called.
  public var titles: SurfaceTitles {
    SurfaceTitles(of: environment.surface.surface, renderers: renderers) {
      catalog[$0]?.manifest.displayName
    }
  }

  /// The module that draws a view, by the policy as it is now and the surface as it is now.
  /// - Throws: `serviceUnavailable` where nobody does: no UI module is active, or the policy gives the view to a module
  ///   that is not there or not active.
  public func renderer(of viewID: String) throws(ServiceError) -> String {
    let given = ForsettiViewInjectionRegistry(policy).renderer(of: viewID)
    guard let id = given ?? renderers[ScalarText(viewID)] ?? activeUIModuleID else {
      throw .serviceUnavailable(
        role: viewID, why: "no UI module is active; name the module that draws the view")
    }
    guard let module = catalog[id] else {
      throw .serviceUnavailable(
        role: viewID,
        why:
          "the policy gives it to \(id), of which there is no manifest; mend \"views\" in the policy and reload"
      )
    }
    let moduleID = module.manifest.moduleID
    guard active.contains(moduleID) else {
      throw .serviceUnavailable(
        role: viewID, why: "\(moduleID) draws it and is not active; \(Self.remedy(for: state(of: moduleID)))")
    }
    return moduleID
  }

  /// What to do about a module that is not active.
  private static func remedy(for state: ModuleStatus.State?) -> String {
    switch state {
    case .restarting: "it is being started again"
    case .quarantined: "it is quarantined, so look at its crash reports and reset it"
    case .failed: "it could not be started, so look at its log and activate it again"
    case .discovered, .active, nil: "activate it"
    }
  }
}
