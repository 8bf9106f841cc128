/// Whether an action can be done to a device now, and why not.
enum SupportAvailability: Sendable, Equatable {
  /// It is not for this kind of device.
  case unsupported(SupportDeviceKind)
  case blocked(Missing)
  /// The word must be typed first.
  case confirmationRequired
  /// It shows a secret.
  case permissionSensitive
  case available

  /// What a record lacks.
  enum Missing: String, Sendable {
    case inventoryID = "inventory ID"
    case managementID = "management ID"
  }

  /// Judges an action: the first thing that stands in its way is the one that is named.
  init(_ action: SupportAction, on device: SupportDevice) {
    self =
      if !action.kinds.contains(device.kind) { .unsupported(device.kind) } else if device.inventoryID == nil {
        .blocked(.inventoryID)
      } else if action.needsManagementID(on: device.kind), device.managementID == nil {
        .blocked(.managementID)
      } else if action.isTyped { .confirmationRequired } else if action.revealsSecret {
        .permissionSensitive
      } else { .available }
  }

  /// Whether it can be done at all.
  var isPossible: Bool {
    switch self {
    case .unsupported, .blocked: false
    case .confirmationRequired, .permissionSensitive, .available: true
    }
  }

  /// One line for people.
  var reason: String {
    switch self {
    case .unsupported(.computer): "This is for mobile devices alone."
    case .unsupported(.mobileDevice): "This is for Macs alone."
    case .blocked(let missing):
      "Jamf knows no \(missing.rawValue) of this device; update its inventory or enrol it again."
    case .confirmationRequired: "Must be confirmed by typing."
    case .permissionSensitive: "Shows a secret once; Jamf notes who asked."
    case .available: "Can be done now."
    }
  }
}
