/// Something that happened in the demo: a line of its audit trail, and what it changed. The state is the seed and all
/// changes since, so one write keeps a step, its side effects and its audit together, or nothing of them.
struct DeploymentChange: Sendable, Hashable {
  /// What kind of thing happened.
  enum Action: String, CaseIterable, Sendable {
    case seeded = "demo.seeded"
    case moved = "workflow.transition"
    case moveRefused = "workflow.transition.blocked"
    case liveRefused = "live.blocked"
    case edited = "device.edited"
    case archived = "device.archived"
    case restored = "device.restored"
    case exceptionSettled = "exception.settled"
    case exported = "file.exported"
    case simulated = "action.simulated"
    case layoutSaved = "layout.saved"
    case layoutRemoved = "layout.removed"
  }

  /// Milliseconds since 1970.
  var time: Int64
  var action: Action
  /// A serial number, or what else it was about.
  var subject: String
  /// One line.
  var detail: String
  var edits: [DeploymentEdit] = []
}

/// A record that takes the place of the one of the same name.
enum DeploymentEdit: Sendable, Hashable {
  case device(DeploymentDevice)
  case exception(DeploymentException)
  case layout(DeploymentLayout)
  case layoutRemoved(String)
  case export(DeploymentExport)
}

/// A file that was written.
struct DeploymentExport: Sendable, Hashable {
  enum Kind: String, CaseIterable, Sendable {
    case preload = "Jamf inventory preload"
    case serviceDesk = "Service desk"
    case records = "Records"
  }

  var kind: Kind
  /// A project, or `all-projects`.
  var scope: String
  /// Counts up from 1 for each kind and scope.
  var version: Int
  var deviceCount: Int
  var fileName: String
}
