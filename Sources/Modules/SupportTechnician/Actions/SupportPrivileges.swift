extension SupportAction {
  /// What the account must hold, by Jamf's own names: all of them.
  func privileges(on kind: SupportDeviceKind) -> [String] {
    let read = kind == .computer ? "Read Computers" : "Read Mobile Devices"
    switch self {
    case .refreshInventory:
      return ["Send MDM Check In Command"]
    case .discoverApplications where kind == .computer: return [read]
    case .blankPush: return ["Send MDM Check In Command"]
    case .viewFileVaultPersonalRecoveryKey: return [read, "View Disk Encryption Recovery Key"]
    case .viewRecoveryLockPassword, .viewDeviceLockPIN: return [read, "View Recovery Lock"]
    case .viewLAPSAccountPassword, .viewJamfManagementAccountPassword: return ["View Local Admin Password"]
    case .rotateLAPSPassword: return ["View Local Admin Password", "Send Local Admin Password Command"]
    case .scheduleOSUpdate: return ["Create Managed Software Updates"]
    case .enableFileVault, .redeployManagementFramework:
      return ["Send Computer Remote Command to Install Package"]
    case .eraseDevice where kind == .computer: return ["Send Computer Remote Wipe Command"]
    case .enableBluetooth, .disableBluetooth:
      return [
        read, kind == .computer ? "Send Computer Bluetooth Command" : "Send Mobile Device Bluetooth Command",
      ]
    case .enableWifi, .disableWifi: return [read, "Send MDM Check In Command"]
    default: return ["View MDM command information in Jamf Pro API", order(on: kind)]
    }
  }

  /// What an MDM command needs beside the right to send any.
  private func order(on kind: SupportDeviceKind) -> String {
    switch self {
    case .restartDevice: "Send Mobile Device Restart Device Command"
    case .shutDownDevice: "Send Mobile Device Shut Down Command"
    case .sendDeviceLock:
      kind == .computer ? "Send Computer Remote Lock Command" : "Send Mobile Device Remote Lock Command"
    case .eraseDevice: "Send Mobile Device Remote Wipe Command"
    case .clearPasscode: "Send Mobile Device Remove Passcode Command"
    case .clearRestrictionsPassword: "Send Mobile Device Remove Restrictions Password Command"
    case .enableLostMode, .disableLostMode, .playLostModeSound, .requestDeviceLocation:
      "Send Mobile Device Lost Mode Command"
    case .refreshCellularPlans: "Send Mobile Device Refresh Cellular Plans Command"
    case .discoverApplications: "Send Inventory Requests to Mobile Devices"
    default: "Send MDM Check In Command"
    }
  }
}
