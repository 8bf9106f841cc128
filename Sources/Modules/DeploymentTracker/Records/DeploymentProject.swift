/// Devices that are brought out together, and what is asked of each.
struct DeploymentProject: Sendable, Hashable {
  /// What a project may ask of its devices.
  enum Rule: String, CaseIterable, Sendable {
    case businessCheck = "Apple Business check"
    case expectedServer = "expected Apple Business server"
    case quality = "QA"
    case preload = "Jamf inventory preload"
    case reconciliation = "preload reconciliation"
    case serviceDesk = "service-desk export"
    case shipping, delivery = "delivery confirmation"
    case review = "completion review"
    case completionWithWarnings = "completion with warnings allowed"

    /// Whether it is asked of devices in no project as well.
    var holdsWithoutProject: Bool { self == .preload || self == .reconciliation }
  }

  /// The choice that stands for devices of all projects, and of none.
  static let every = "All projects"

  /// A short name, by which devices refer to it.
  var id: String
  var name: String
  var rules: Set<Rule>
}
