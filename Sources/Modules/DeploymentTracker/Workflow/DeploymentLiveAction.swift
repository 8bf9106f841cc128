/// What a deployment tracker would do to other systems. This one does none of it.
enum DeploymentLiveAction: String, CaseIterable, Sendable, Hashable {
  case businessCheck = "business-check"
  case preloadSubmission = "preload-submission"
  case preloadReconciliation = "preload-reconciliation"
  case serviceDeskExport = "service-desk-export"
  case shipment
  case delivery

  /// As people read it.
  var title: String {
    switch self {
    case .businessCheck: "Checking Apple Business"
    case .preloadSubmission: "Submitting an inventory preload"
    case .preloadReconciliation: "Reconciling a preload with the inventory"
    case .serviceDeskExport: "Writing to the service desk"
    case .shipment: "Ordering a shipment"
    case .delivery: "Asking the carrier for a delivery"
    }
  }

  /// Whom it would reach.
  var system: String {
    switch self {
    case .businessCheck: "Apple Business Manager"
    case .preloadSubmission, .preloadReconciliation: "Jamf Pro"
    case .serviceDeskExport: "ServiceDesk Plus"
    case .shipment, .delivery: "the carrier"
    }
  }

  /// Does it: never.
  func perform() throws(DeploymentRefusal) -> Never { throw .liveActionBlocked(self) }
}

/// What a simulated action did.
struct DeploymentSimulation: Sendable, Hashable {
  var action: DeploymentLiveAction
  /// Devices of the demo that changed.
  var affected: Int

  /// Whether anything outside the demo changed. It never does; the demo has no way out.
  let externalDataChanged = false

  /// One line for people.
  var text: String {
    "\(action.title) was simulated: \(affected) \(affected == 1 ? "device" : "devices") of the demo changed, and "
      + "nothing at \(action.system) (externalDataChanged \(externalDataChanged))."
  }
}
