internal import ForsettiModuleKit

/// A device of the demo.
struct DeploymentDevice: Sendable, Hashable {
  /// What it is; Jamf tells the two kinds of inventory apart by it.
  enum Kind: String, CaseIterable, Sendable {
    case mac = "Mac"
    case iPad
    case iPhone

    /// What Jamf's inventory preload calls it.
    var preloadType: String { self == .mac ? "Computer" : "Mobile Device" }
  }

  /// What Apple Business said of it.
  enum Business: String, CaseIterable, Sendable {
    case unchecked, expected, found, stale
    case lookupFailed = "lookup failed"
    case missing
  }

  /// How far its inventory preload is.
  enum Preload: String, CaseIterable, Sendable {
    case none, submitted, reconciled
  }

  /// How far its record at the service desk is.
  enum ServiceDesk: String, CaseIterable, Sendable {
    case none, exported
  }

  /// Whether it is worked with.
  enum Record: String, CaseIterable, Sendable {
    case active, archived
  }

  /// Trimmed and in capitals; what names the device.
  let serial: String
  var kind: Kind
  var status: DeploymentStatus
  /// Where it goes on after it was put aside.
  var resume: DeploymentStatus?
  var project: String?
  var business = Business.unchecked
  var preload = Preload.none
  var serviceDesk = ServiceDesk.none
  var record = Record.active
  /// Milliseconds since 1970.
  var received: Int64
  /// Milliseconds since 1970.
  var updated: Int64
  /// One more with every change.
  var version = 1
  /// What the other fields hold.
  var details: [DeploymentField: String] = [:]

  /// What a field holds, as it is shown; empty where nothing is known.
  func text(_ field: DeploymentField) -> String {
    switch field {
    case .serial: serial
    case .deviceType: kind.rawValue
    case .status: status.title
    case .project: project ?? ""
    case .business: business.rawValue
    case .preload: preload.rawValue
    case .serviceDesk: serviceDesk.rawValue
    case .record: record.rawValue
    case .received: CivilTime(milliseconds: received).dateText
    case .updated: CivilTime(milliseconds: updated).dateText
    default: details[field] ?? ""
    }
  }

  /// A serial number as all are kept.
  static func normalised(_ serial: String) -> String { serial.trimmedScalars.uppercased() }
}
