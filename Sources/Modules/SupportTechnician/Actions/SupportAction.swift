/// What a technician can do to a device. The names are those of Jamf's own screens.
enum SupportAction: String, Sendable, CaseIterable {
  case refreshInventory, blankPush, discoverApplications, restartDevice, shutDownDevice, sendDeviceLock
  case logOutUser, clearPasscode, eraseDevice
  case viewFileVaultPersonalRecoveryKey, viewRecoveryLockPassword, viewDeviceLockPIN
  case viewLAPSAccountPassword, rotateLAPSPassword, viewJamfManagementAccountPassword
  case enableBluetooth, disableBluetooth, enableWifi, disableWifi
  case enableLostMode, disableLostMode, playLostModeSound, requestDeviceLocation
  case clearRestrictionsPassword, refreshCellularPlans, scheduleOSUpdate, settingsSync
  case enableFileVault, redeployManagementFramework

  /// For people.
  var title: String {
    switch self {
    case .refreshInventory: "Update Inventory"
    case .blankPush: "Blank Push"
    case .discoverApplications: "Discover Applications"
    case .restartDevice: "Restart"
    case .shutDownDevice: "Shut Down"
    case .sendDeviceLock: "Device Lock"
    case .logOutUser: "Log Out User"
    case .clearPasscode: "Clear Passcode"
    case .eraseDevice: "Erase"
    case .viewFileVaultPersonalRecoveryKey: "View FileVault Key"
    case .viewRecoveryLockPassword: "View Recovery Lock"
    case .viewDeviceLockPIN: "View Device Lock PIN"
    case .viewLAPSAccountPassword: "View LAPS Password"
    case .rotateLAPSPassword: "Rotate LAPS"
    case .viewJamfManagementAccountPassword: "View jssmanage Password"
    case .enableBluetooth: "Bluetooth On"
    case .disableBluetooth: "Bluetooth Off"
    case .enableWifi: "Wi-Fi On"
    case .disableWifi: "Wi-Fi Off"
    case .enableLostMode: "Lost Mode On"
    case .disableLostMode: "Lost Mode Off"
    case .playLostModeSound: "Play Sound"
    case .requestDeviceLocation: "Request Location"
    case .clearRestrictionsPassword: "Clear Restrictions"
    case .refreshCellularPlans: "Refresh Cellular Plans"
    case .scheduleOSUpdate: "Schedule OS Update"
    case .settingsSync: "Sync Device Settings"
    case .enableFileVault: "Enable FileVault"
    case .redeployManagementFramework: "Redeploy Framework"
    }
  }

  /// The kinds of device it is for.
  var kinds: [SupportDeviceKind] {
    switch self {
    case .logOutUser, .viewFileVaultPersonalRecoveryKey, .viewRecoveryLockPassword, .viewDeviceLockPIN,
      .viewLAPSAccountPassword, .rotateLAPSPassword, .viewJamfManagementAccountPassword, .enableFileVault,
      .redeployManagementFramework:
      [.computer]
    case .clearPasscode, .enableLostMode, .disableLostMode, .playLostModeSound, .requestDeviceLocation,
      .clearRestrictionsPassword, .refreshCellularPlans:
      [.mobileDevice]
    default: [.computer, .mobileDevice]
    }
  }

  /// Whether a device of a kind must have a management ID: what goes by the inventory's ID needs none.
  func needsManagementID(on kind: SupportDeviceKind) -> Bool {
    switch self {
    case .refreshInventory, .viewFileVaultPersonalRecoveryKey, .viewRecoveryLockPassword, .viewDeviceLockPIN,
      .enableBluetooth, .disableBluetooth, .enableWifi, .disableWifi, .enableFileVault,
      .redeployManagementFramework:
      false
    case .discoverApplications, .eraseDevice: kind == .mobileDevice
    default: true
    }
  }

  /// Whether the technician must type the word first: it interrupts whoever sits before the device, or can't be undone.
  var isTyped: Bool {
    switch self {
    case .restartDevice, .shutDownDevice, .sendDeviceLock, .logOutUser, .clearPasscode, .eraseDevice,
      .rotateLAPSPassword, .enableBluetooth, .disableBluetooth, .enableWifi, .disableWifi, .enableLostMode,
      .disableLostMode, .clearRestrictionsPassword, .scheduleOSUpdate, .enableFileVault,
      .redeployManagementFramework:
      true
    default: false
    }
  }

  /// Whether it asks Jamf for a secret.
  var revealsSecret: Bool {
    switch self {
    case .viewFileVaultPersonalRecoveryKey, .viewRecoveryLockPassword, .viewDeviceLockPIN,
      .viewLAPSAccountPassword, .viewJamfManagementAccountPassword:
      true
    default: false
    }
  }

  /// Whether a device of a kind is given a code with it, which is known to nobody else.
  func bringsCode(on kind: SupportDeviceKind) -> Bool {
    kind == .computer && (self == .sendDeviceLock || self == .eraseDevice)
  }

  /// What the technician is told before the word is typed; nothing for what needs none.
  var consequence: String? {
    switch self {
    case .restartDevice: "It restarts at once; work that isn't saved is lost."
    case .shutDownDevice: "It shuts down at once; somebody must switch it on again by hand."
    case .sendDeviceLock: "It locks at once. A Mac then asks for a code, which is shown once here."
    case .logOutUser: "Whoever is logged in is logged out; work that isn't saved is lost."
    case .clearPasscode: "Whoever holds the device can open it, until a new passcode is set."
    case .eraseDevice: "Everything on it is erased. This can't be undone."
    case .rotateLAPSPassword: "Its local administrators get new passwords; those known now stop working."
    case .enableBluetooth: "Its Bluetooth is switched on."
    case .disableBluetooth: "Its Bluetooth is switched off; keyboards and mice may stop working."
    case .enableWifi: "Its Wi-Fi is switched on."
    case .disableWifi: "Its Wi-Fi is switched off; without another network nobody reaches it any more."
    case .enableLostMode: "It locks and shows a message, until lost mode is switched off here."
    case .disableLostMode: "It leaves lost mode, and can be used by whoever has it."
    case .clearRestrictionsPassword: "Its restrictions password is removed."
    case .scheduleOSUpdate:
      "It downloads the latest system and installs it; the user can put it off three times."
    case .enableFileVault, .redeployManagementFramework:
      "The management framework is installed again, and policies run anew."
    default: nil
    }
  }
}
