/// The pages of the tracker.
enum DeploymentWorkspace: String, CaseIterable, Sendable, Hashable {
  case dashboard, devices, projects, imports
  case business = "apple-business"
  case preload = "jamf-preload"
  case serviceDesk = "service-desk"
  case shipping, exceptions, audit, scenarios, guide, administration

  /// What its button says.
  var title: String {
    switch self {
    case .dashboard: "Dashboard"
    case .devices: "Devices"
    case .projects: "Projects"
    case .imports: "Import preview"
    case .business: "Apple Business"
    case .preload: "Jamf preload"
    case .serviceDesk: "Service desk"
    case .shipping: "Shipping"
    case .exceptions: "Exceptions"
    case .audit: "Audit"
    case .scenarios: "Scenarios"
    case .guide: "Guide"
    case .administration: "Administration"
    }
  }
}
