public import ForsettiCore

/// Who answers the calls of each service: the host's adapter, or the module that has the service's role (SPEC §4).
public struct ServiceRoutes: Sendable, Hashable {
  /// Where a call goes.
  public enum Route: Sendable, Hashable {
    case host
    /// The provider module with this ID, if it is active.
    case module(String)
    /// Nobody: there is never a silent fallback.
    case unavailable(why: String)
  }

  /// By the service's number; 0 is the runtime itself.
  private let routes: [Route]

  /// Works out the routes.
  /// - Parameter hostServices: services that the host has an adapter for.
  public init(providers: ProviderDirectory, hostServices: Set<ServiceName>) {
    var routes = [Route](repeating: .host, count: ServiceName.allCases.count + 1)
    for service in ServiceName.allCases {
      routes[Int(service.number)] = Self.route(of: service, providers, hostServices)
    }
    self.routes = routes
  }

  /// Where calls of a service go.
  public subscript(service: ServiceName) -> Route { routes[Int(service.number)] }

  private static func route(
    of service: ServiceName, _ providers: ProviderDirectory, _ hostServices: Set<ServiceName>
  ) -> Route {
    if let role = service.role, case .module(let moduleID)? = providers.roles[role] {
      return providers.unavailable[role].map { .unavailable(why: $0) } ?? .module(moduleID)
    }
    if hostServices.contains(service) { return .host }
    return .unavailable(
      why: service.role == nil
        ? "this host has no adapter for it"
        : "the policy's roles name no module for it, and this host has no adapter")
  }
}
