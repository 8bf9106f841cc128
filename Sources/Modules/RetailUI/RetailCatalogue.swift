internal import ForsettiModuleKit

/// The modules of this desk, as people know them.
enum RetailCatalogue {
  /// What a module is there for.
  enum Category: String, Sendable, CaseIterable {
    case inventory = "Inventory"
    case operations = "Operations"
    case reporting = "Reporting"
    case deployment = "Deployment"
    case services = "Services"
    case interface = "Interface"
  }

  /// One of them.
  struct Entry: Sendable, Hashable {
    var moduleID: String
    var title: String
    /// The route to its view; nothing for one that shows none.
    var routeID: String?

    var category: Category { RetailCatalogue.category(of: moduleID) }
  }

  static let prefix = "com.forsetti.jamfpro."
  static let jamf = prefix + "service.jamf"
  static let diagnostics = prefix + "service.diagnostics"
  static let support = prefix + "feature.support-technician"

  /// In the order in which they are shown.
  static let entries: [Entry] = [
    Entry(moduleID: prefix + "feature.computer-search", title: "Computer Search", routeID: "computer-search"),
    Entry(
      moduleID: prefix + "feature.mobile-device-search", title: "Mobile Device Search",
      routeID: "mobile-device-search"),
    Entry(moduleID: support, title: "Support Technician", routeID: "support-technician"),
    Entry(
      moduleID: prefix + "feature.prestage-director", title: "PreStage Director", routeID: "prestage-director"
    ),
    Entry(moduleID: prefix + "feature.reports", title: "Reports", routeID: "reports"),
    Entry(
      moduleID: prefix + "feature.deployment-tracker", title: "Deployment Tracker",
      routeID: "deployment-tracker"),
    Entry(
      moduleID: prefix + "feature.permissions-matrix", title: "Permissions Helper",
      routeID: "permissions-matrix"),
    Entry(moduleID: jamf, title: "Jamf Service", routeID: "settings"),
    Entry(moduleID: diagnostics, title: "Diagnostics Service", routeID: "diagnostics"),
    Entry(moduleID: prefix + "service.scanner", title: "Scanner Service"),
    Entry(moduleID: RetailUIManifest.manifest.moduleID, title: "Retail UI", routeID: "about"),
  ]

  static func has(_ moduleID: String) -> Bool { entries.contains { $0.moduleID == moduleID } }

  /// What a module is there for, by its ID.
  static func category(of moduleID: String) -> Category {
    let name = moduleID.dropFirst(prefix.count)
    if name.hasPrefix("service.") { return .services }
    if name.hasPrefix("retail.") { return .interface }
    if name.hasSuffix("deployment-tracker") { return .deployment }
    if name.hasSuffix("reports") { return .reporting }
    return name.contains("support") || name.contains("prestage") ? .operations : .inventory
  }
}
