/// Something about a device that somebody has to look at.
struct DeploymentException: Sendable, Hashable {
  enum Severity: String, CaseIterable, Sendable {
    case info, warning, blocking, critical
  }

  enum State: String, CaseIterable, Sendable {
    case open, acknowledged, resolved, waived, superseded
  }

  /// `EX-0001` and on.
  var id: String
  /// The serial number of the device.
  var serial: String
  /// A short word for what kind of thing it is.
  var code: String
  var severity: Severity
  var state = State.open
  /// One line.
  var summary: String
  /// Why it was resolved or waived.
  var note = ""

  /// Whether it is still to be looked at.
  var isOpen: Bool { state == .open || state == .acknowledged }
  /// Whether its device must wait for it.
  var blocks: Bool { isOpen && (severity == .blocking || severity == .critical) }

  /// The ID of the exception of a number, from 1.
  static func id(_ number: Int) -> String { "EX-" + number.zeroPadded(to: 4) }

  /// What is said where it stands in the way, and what to do.
  var advice: String { "\(id) is open: \(summary). Resolve or waive it." }
}
