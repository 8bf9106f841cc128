/// Where a device stands on its way from the loading dock to the person who gets it.
enum DeploymentStatus: String, CaseIterable, Sendable, Hashable {
  case received, cataloged
  case businessPending = "abm-pending"
  case businessVerified = "abm-verified"
  case businessException = "abm-exception"
  case projectAssigned = "project-assigned"
  case configurationPending = "configuration-pending"
  case configured
  case qaPending = "qa-pending"
  case qaPassed = "qa-passed"
  case qaFailed = "qa-failed"
  case preloadReady = "ready-for-jamf-preload"
  case preloadSubmitted = "jamf-preload-submitted"
  case preloadReconciled = "jamf-preload-reconciled"
  case serviceDeskReady = "ready-for-sdplus"
  case serviceDeskExported = "sdplus-exported"
  case readyToShip = "ready-to-ship"
  case shipped, delivered, complete
  case onHold = "on-hold"
  case exception, returned, retired

  /// The way of a device with which nothing goes wrong.
  static let mainLine: [DeploymentStatus] = [
    .received, .cataloged, .businessPending, .businessVerified, .projectAssigned, .configurationPending,
    .configured, .qaPending, .qaPassed, .preloadReady, .preloadSubmitted, .preloadReconciled,
    .serviceDeskReady, .serviceDeskExported, .readyToShip, .shipped, .delivered, .complete,
  ]

  /// Whether nothing more has to be done.
  var isTerminal: Bool { self == .complete || self == .retired }

  /// Whether a device waits here for somebody, and goes on later from where it was.
  var isAside: Bool { self == .onHold || self == .exception }

  /// Whether nobody may bring a device here without a word why.
  var needsReason: Bool {
    switch self {
    case .businessException, .qaFailed, .onHold, .exception, .returned, .retired: true
    default: false
    }
  }

  /// As people read it.
  var title: String {
    switch self {
    case .received: "Received"
    case .cataloged: "Cataloged"
    case .businessPending: "Apple Business pending"
    case .businessVerified: "Apple Business verified"
    case .businessException: "Apple Business exception"
    case .projectAssigned: "Project assigned"
    case .configurationPending: "Configuration pending"
    case .configured: "Configured"
    case .qaPending: "QA pending"
    case .qaPassed: "QA passed"
    case .qaFailed: "QA failed"
    case .preloadReady: "Ready for Jamf preload"
    case .preloadSubmitted: "Jamf preload submitted"
    case .preloadReconciled: "Jamf preload reconciled"
    case .serviceDeskReady: "Ready for service desk"
    case .serviceDeskExported: "Service desk exported"
    case .readyToShip: "Ready to ship"
    case .shipped: "Shipped"
    case .delivered: "Delivered"
    case .complete: "Complete"
    case .onHold: "On hold"
    case .exception: "Exception"
    case .returned: "Returned"
    case .retired: "Retired"
    }
  }
}
