import ForsettiCore

/// All that the server knows and that may change.
struct Tenant: Sendable {
  var fleet: Fleet
  var tokens: TokenBook
  var commands: CommandBook
  var updatePlans: UpdatePlanBook
  var staticGroups = StaticGroupBook()
  var policies = PolicyBook()
  /// Local passwords that were set, by management ID of the computer.
  var localPasswords: [String: String] = [:]
  /// Codes of computers that were locked, by management ID.
  var pins: [String: String] = [:]
  /// Codes that go with orders to lock, by UUID of the order, until the computer has them.
  private var sentPins: [String: String] = [:]
  private let byManagementID: [String: DeviceReference]

  /// A device, whichever kind it is.
  struct DeviceReference: Sendable, Equatable {
    var client: MDMCommand.ClientType
    /// ID in its inventory.
    var number: Int
    var managementID: String
  }

  init(seed: UInt64, computers: Int, mobileDevices: Int, unboxedMobileDevices: Int = 0, tokenLifetime: Int) {
    let fleet = Fleet(
      seed: seed, computers: computers, mobileDevices: mobileDevices,
      unboxedMobileDevices: unboxedMobileDevices)
    self.fleet = fleet
    tokens = TokenBook(seed: seed, lifetime: tokenLifetime)
    commands = CommandBook(seed: seed)
    updatePlans = UpdatePlanBook(seed: seed)
    let references =
      fleet.computers.map {
        DeviceReference(client: .computer, number: $0.number, managementID: $0.managementID)
      }
      + fleet.mobileDevices.map {
        DeviceReference(client: .mobileDevice, number: $0.number, managementID: $0.managementID)
      }
    byManagementID = Dictionary(references.map { ($0.managementID, $0) }) { first, _ in first }
  }

  func device(managementID: String) -> DeviceReference? { byManagementID[managementID.lowercased()] }

  /// Gives an order to a device.
  mutating func send(
    _ type: MDMCommandType, to device: DeviceReference, pin: String? = nil, now: Int64
  ) -> MDMCommand {
    let command = commands.send(
      type, to: device.managementID, device: device.number, device.client, now: now)
    if type == .deviceLock, let pin { sentPins[command.uuid] = pin }
    return command
  }

  /// Lets devices have done what they were told by now.
  mutating func settle(now: Int64) {
    for change in staticGroups.takeDue(now: now) { report(change) }
    for effect in policies.takeEffects(now: now) {
      let index = effect.computer - 1
      fleet.computers[index].applicationChanges[effect.application] = effect.isInstalled
      fleet.computers[index].lastReport = max(fleet.computers[index].lastReport, effect.time)
    }
    for command in commands.takeSettled(now: now) {
      let pin = sentPins.removeValue(forKey: command.uuid)
      guard command.fate != .fails else { continue }
      if let pin { pins[command.managementID] = pin }
      let index = command.device - 1
      switch command.clientType {
      case .computer: Self.apply(command, to: &fleet.computers[index])
      case .mobileDevice: Self.apply(command, to: &fleet.mobileDevices[index])
      }
    }
  }

  /// A computer tells of its temporary administrator.
  private mutating func report(_ change: StaticGroupBook.Change) {
    let index = change.computer - 1
    var report = [
      "Status": change.status, "Last Change": timestampText(change.due),
      "Run ID": "run-\(change.computer)-\(change.due)",
    ]
    report["User"] = fleet.computers[index].user?.username
    report["Expires At"] = change.expires.map { timestampText($0) }
    for attribute in ExtensionAttribute.computer where attribute.name.hasPrefix("Temporary Admin ") {
      let name = String(attribute.name.dropFirst("Temporary Admin ".count))
      fleet.computers[index].attributes[attribute.number] = report[name]
    }
    fleet.computers[index].lastReport = max(fleet.computers[index].lastReport, change.due)
  }

  private static func apply(_ command: MDMCommand, to computer: inout Computer) {
    computer.lastContact = max(computer.lastContact, command.settles)
    switch command.type {
    case .enableRemoteDesktop: computer.allowsRemoteDesktop = true
    case .disableRemoteDesktop: computer.allowsRemoteDesktop = false
    case .updateInventory: computer.lastReport = max(computer.lastReport, command.settles)
    default: break
    }
  }

  private static func apply(_ command: MDMCommand, to device: inout MobileDevice) {
    device.lastReport = max(device.lastReport, command.settles)
    switch command.type {
    case .enableLostMode: device.isLost = true
    case .disableLostMode: device.isLost = false
    case .clearPasscode: (device.hasPasscode, device.isPasscodeCompliant) = (false, false)
    default: break
    }
  }
}
