public import ForsettiCore

/// Which module draws a view of the surface: the one that the policy names, else whoever contributed it (seed "UI
/// Contribution Model"). A pure function of the policy; whether the module is there and active is not asked here.
public struct ForsettiViewInjectionRegistry: Sendable, Hashable {
  private let given: [ScalarText: String]

  /// Makes a registry of what a policy gives away.
  public init(_ policy: Policy) { given = policy.views }

  /// The module that draws a view.
  /// - Parameter contributor: the module that put it on the surface.
  public func renderer(of viewID: String, contributor: String) -> String {
    renderer(of: viewID) ?? contributor
  }

  /// The module that the policy gives a view to; `nil` where it says nothing of it.
  public func renderer(of viewID: String) -> String? { given[ScalarText(viewID)] }

  /// The renderer of each view that a surface shows or its routes lead to.
  /// - Parameter routes: the module whose routes these are; the composite of all schemas doesn't tell.
  public func renderers(on surface: UISurface, routes moduleID: String?) -> [ScalarText: String] {
    var renderers: [ScalarText: String] = [:]
    for route in surface.overlaySchema?.routes ?? [] {
      guard case .moduleOverlay(let viewID, _) = route.destination else { continue }
      renderers[ScalarText(viewID)] = renderer(of: viewID) ?? moduleID
    }
    for injection in surface.injectionsBySlot.values.joined() {
      let viewID = injection.injection.viewID
      renderers[ScalarText(viewID)] = renderer(of: viewID, contributor: injection.moduleID)
    }
    return renderers
  }
}
