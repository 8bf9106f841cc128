internal import ForsettiModuleKit

/// How an action is done: the requests as values, and what is to be made of the answers.
enum SupportProcedure: Sendable {
  /// An order. `secret` is what only the technician may know of it, as the code of a lock.
  case send(SupportAttempts, secret: SupportSecret? = nil)
  /// A secret that Jamf keeps, below one of these keys.
  case reveal(SupportAttempts, SecretKeys)
  /// The password of a local administrator: of the account, or of the first that Jamf manages.
  case revealLocalPassword(managementID: String, account: String?)
  /// New passwords for all local administrators that Jamf manages.
  case rotateLocalPasswords(managementID: String)
  /// A new password for one of them.
  case setLocalPassword(managementID: String, account: String, SupportSecret)
  /// The record again, for its applications.
  case countApplications(SupportAttempts)

  /// Whether a secret may come of it, which needs a place to wait in.
  var bringsSecret: Bool {
    switch self {
    case .send, .setLocalPassword: ownSecret != nil
    case .reveal, .revealLocalPassword: true
    case .rotateLocalPasswords, .countApplications: false
    }
  }

  /// Whether its requests carry a secret, which an answer may repeat.
  var sendsSecret: Bool {
    if case .rotateLocalPasswords = self { true } else { ownSecret != nil }
  }

  /// The secret that was made here, and goes with the order.
  var ownSecret: SupportSecret? {
    switch self {
    case .send(_, let secret): secret
    case .setLocalPassword(_, _, let secret): secret
    case .reveal, .revealLocalPassword, .rotateLocalPasswords, .countApplications: nil
    }
  }
}

/// What an order needs beside its device.
struct SupportActionInput: Sendable {
  /// Six digits, for locks of Macs and for erasing them.
  var pin: String
  /// What a lost device shows.
  var message: String

  /// What a lost device shows where nobody wrote anything else: Jamf takes no order without one.
  static let usualMessage = "This device is lost. Please bring it back to the organisation it belongs to."
  /// Bytes of a message at most.
  static let messageLimit = 256
}

extension SupportProcedure {
  /// How an action is done to a device; nothing where `SupportAvailability` says that it can't be.
  init?(_ action: SupportAction, on device: SupportDevice, _ input: SupportActionInput) {
    guard SupportAvailability(action, on: device).isPossible, let id = device.id else { return nil }
    if let procedure = Self.byInventory(action, id, device.managementID, input) {
      self = procedure
    } else if let managementID = device.managementID,
      let procedure = Self.byManagement(action, id, managementID, input)
    {
      self = procedure
    } else {
      return nil
    }
  }

  /// What goes by the inventory's ID.
  private static func byInventory(
    _ action: SupportAction, _ id: SupportDeviceID, _ managementID: String?, _ input: SupportActionInput
  ) -> SupportProcedure? {
    switch action {
    case .refreshInventory:
      let sync = managementID.map { [SupportCall.post("/api/v1/ddm/\($0)/sync")] } ?? []
      return .send(
        SupportAttempts(calls: sync + [MDMOrder.classic("UpdateInventory", to: id)], rule: .refused))
    case .enableBluetooth: return .send(once(MDMOrder.classic("SettingsEnableBluetooth", to: id)))
    case .disableBluetooth: return .send(once(MDMOrder.classic("SettingsDisableBluetooth", to: id)))
    case .enableWifi: return .send(once(MDMOrder.classic("SettingsEnableWifi", to: id)))
    case .disableWifi: return .send(once(MDMOrder.classic("SettingsDisableWifi", to: id)))
    case .enableFileVault, .redeployManagementFramework:
      return .send(once(.post("/api/v1/jamf-management-framework/redeploy/\(id.inventoryID)")))
    case .eraseDevice where id.kind == .computer:
      let erase = SupportCall.post(
        "/api/v1/computer-inventory/\(id.inventoryID)/erase",
        .json(.object([("pin", .string(input.pin))])))
      return .send(once(erase), secret: SupportSecret(title: "Code of the erased Mac", value: input.pin))
    case .discoverApplications where id.kind == .computer:
      return .countApplications(SupportDetailCalls.record(of: id, sections: ["APPLICATIONS"]))
    case .viewFileVaultPersonalRecoveryKey: return .reveal(secret("filevault", id), .recoveryKey)
    case .viewRecoveryLockPassword: return .reveal(secret("view-recovery-lock-password", id), .recoveryLock)
    case .viewDeviceLockPIN: return .reveal(secret("view-device-lock-pin", id), .pin)
    default: return nil
    }
  }

  /// What goes by the management ID.
  private static func byManagement(
    _ action: SupportAction, _ id: SupportDeviceID, _ managementID: String, _ input: SupportActionInput
  ) -> SupportProcedure? {
    if let type = action.commandType {
      return .send(once(MDMOrder.call(type, to: managementID)))
    }
    switch action {
    case .blankPush:
      return .send(once(.post(MDMOrder.blankPushPath, .json(MDMOrder.blankPush(to: managementID)))))
    case .sendDeviceLock where id.kind == .computer:
      return .send(
        once(MDMOrder.call("DEVICE_LOCK", to: managementID, [("pin", .string(input.pin))])),
        secret: SupportSecret(title: "Code that unlocks the Mac", value: input.pin))
    case .sendDeviceLock: return .send(once(MDMOrder.call("DEVICE_LOCK", to: managementID)))
    case .enableLostMode:
      return .send(
        once(
          MDMOrder.call("ENABLE_LOST_MODE", to: managementID, [("lostModeMessage", .string(input.message))])))
    case .viewLAPSAccountPassword: return .revealLocalPassword(managementID: managementID, account: nil)
    case .viewJamfManagementAccountPassword:
      return .revealLocalPassword(managementID: managementID, account: "jssmanage")
    case .rotateLAPSPassword: return .rotateLocalPasswords(managementID: managementID)
    case .scheduleOSUpdate: return .send(once(updatePlan(id)))
    default: return nil
    }
  }

  /// The user may put an update off so often; Jamf wants a number with this kind of plan.
  private static let deferrals = 3

  private static func updatePlan(_ id: SupportDeviceID) -> SupportCall {
    let device = JSONValue.object([
      ("objectType", .string(id.kind == .computer ? "COMPUTER" : "MOBILE_DEVICE")),
      ("deviceId", .string(id.inventoryID)),
    ])
    let config = JSONValue.object([
      ("updateAction", .string("DOWNLOAD_INSTALL_ALLOW_DEFERRAL")), ("versionType", .string("LATEST_ANY")),
      ("maxDeferrals", .integer(deferrals)),
    ])
    return .post(
      "/api/v1/managed-software-updates/plans",
      .json(.object([("devices", .array([device])), ("config", config)])))
  }

  private static func once(_ call: SupportCall) -> SupportAttempts { SupportAttempts(calls: [call]) }

  /// A secret of a Mac, in the versions of the inventory.
  private static func secret(_ name: String, _ id: SupportDeviceID) -> SupportAttempts {
    SupportAttempts(
      calls: [3, 2, 1].map { .get("/api/v\($0)/computers-inventory/\(id.inventoryID)/\(name)") })
  }
}

extension SupportAction {
  /// The type of an MDM command that needs nothing beside its device.
  fileprivate var commandType: String? {
    switch self {
    case .restartDevice: "RESTART_DEVICE"
    case .shutDownDevice: "SHUT_DOWN_DEVICE"
    case .logOutUser: "LOG_OUT_USER"
    case .clearPasscode: "CLEAR_PASSCODE"
    // Macs are erased by their inventory's ID.
    case .eraseDevice: "ERASE_DEVICE"
    case .discoverApplications: "INSTALLED_APPLICATION_LIST"
    case .disableLostMode: "DISABLE_LOST_MODE"
    case .playLostModeSound: "PLAY_LOST_MODE_SOUND"
    case .requestDeviceLocation: "DEVICE_LOCATION"
    case .clearRestrictionsPassword: "CLEAR_RESTRICTIONS_PASSWORD"
    case .refreshCellularPlans: "REFRESH_CELLULAR_PLANS"
    case .settingsSync: "SETTINGS"
    default: nil
    }
  }
}
