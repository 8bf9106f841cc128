/// Where remote support of a Mac stands. It follows from what was ordered, so it is the same after a crash.
enum RemoteSupportState: Sendable, Equatable {
  case unsupported
  case needsManagementID
  case readyToPrepare
  /// The order to switch remote desktop on is on its way to Jamf.
  case queueingEnable
  /// Jamf has it, the Mac not yet.
  case waitingForCheckIn
  /// Jamf took it, and nobody can say whether the Mac did.
  case readinessUnknown
  /// The Mac has done it.
  case readyToOpen
  /// It could not be switched on.
  case failed(String)
  /// It was used or not, and is still on.
  case queueingDisable
  /// It could not be switched off.
  case cleanupNeeded(String)
  case ended
  /// It is still on, and this is why.
  case leftOn(String)

  /// - Parameter operations: newest first, of all devices.
  init(_ device: SupportDevice, _ operations: [SupportOperation]) {
    guard device.kind == .computer else {
      self = .unsupported
      return
    }
    guard device.managementID != nil, let id = device.id else {
      self = .needsManagementID
      return
    }
    let steps: [SupportOrder] = [.enableRemoteDesktop, .disableRemoteDesktop, .leaveRemoteDesktop]
    guard let last = operations.first(where: { $0.device == id && steps.contains($0.order) }) else {
      self = .readyToPrepare
      return
    }
    switch last.order {
    case .enableRemoteDesktop: self = Self.enabling(last.state)
    case .leaveRemoteDesktop: self = .leftOn(last.note ?? "")
    default: self = Self.disabling(last.state)
    }
  }

  private static func enabling(_ state: SupportOperation.State) -> RemoteSupportState {
    switch state {
    case .sending: .queueingEnable
    case .following, .timedOut: .waitingForCheckIn
    case .accepted, .uncertain: .readinessUnknown
    case .done: .readyToOpen
    case .failed(let why): .failed(why)
    }
  }

  private static func disabling(_ state: SupportOperation.State) -> RemoteSupportState {
    switch state {
    case .sending, .following: .queueingDisable
    case .accepted, .done: .ended
    case .failed(let why), .uncertain(let why): .cleanupNeeded(why)
    case .timedOut: .cleanupNeeded("The Mac has not answered.")
    }
  }

  /// Whether remote desktop may be switched on now.
  var mayPrepare: Bool {
    switch self {
    case .readyToPrepare, .failed, .ended, .leftOn, .readinessUnknown: true
    default: false
    }
  }

  /// Whether a viewer may be pointed at the Mac.
  var mayOpen: Bool { self == .readyToOpen }

  /// Whether remote desktop may be on, so that it should be switched off, or left with a reason.
  var mayEnd: Bool {
    switch self {
    case .waitingForCheckIn, .readinessUnknown, .readyToOpen, .cleanupNeeded, .leftOn: true
    default: false
    }
  }

  /// A word or two for a badge.
  var title: String {
    switch self {
    case .unsupported: "For Macs alone"
    case .needsManagementID: "No management ID"
    case .readyToPrepare: "Ready"
    case .queueingEnable: "Switching on"
    case .waitingForCheckIn: "Waiting for Check-In"
    case .readinessUnknown: "Not known"
    case .readyToOpen: "Ready to Open"
    case .failed: "Failed"
    case .queueingDisable: "Switching off"
    case .cleanupNeeded: "Cleanup Needed"
    case .ended: "Ended"
    case .leftOn: "Left On"
    }
  }

  /// One line: what it means, and what to do.
  var advice: String {
    switch self {
    case .unsupported: "Remote desktop is for Macs alone."
    case .needsManagementID: "Without a management ID the Mac takes no commands; enrol it again."
    case .readyToPrepare: "Switch remote desktop on, then wait until the Mac has done it."
    case .queueingEnable: "The order is on its way."
    case .waitingForCheckIn: "Not applied yet: the Mac does it when it is next online."
    case .readinessUnknown: "Jamf Pro can't say whether it is on. Switch it on once more, or off."
    case .readyToOpen:
      "It is on. Point a viewer at the address below; whether it can be reached nobody checked."
    case .failed(let why): "\(why) Try again once that is mended."
    case .queueingDisable: "The order to switch it off is on its way."
    case .cleanupNeeded(let why): "It may still be on: \(why) Switch it off again, or say why it stays on."
    case .ended: "It was switched off."
    case .leftOn(let why): "It stays on: \(why)"
    }
  }
}
