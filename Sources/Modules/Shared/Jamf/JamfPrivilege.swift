/// What an account of Jamf Pro's may do, by Jamf Pro's own names; those alone that the modules need.
enum JamfPrivilege: String, Sendable, Hashable, CaseIterable {
  // Reading.
  case readComputers = "Read Computers"
  case readMobileDevices = "Read Mobile Devices"
  case readMobilePrestages = "Read Mobile Device PreStage Enrollments"
  case readComputerAttributes = "Read Computer Extension Attributes"
  case readMobileAttributes = "Read Mobile Device Extension Attributes"
  case readBuildings = "Read Buildings"
  case readDepartments = "Read Departments"
  case readRoles = "Read API Roles"
  case viewCommands = "View MDM command information in Jamf Pro API"
  // Changing.
  case updateMobilePrestages = "Update Mobile Device PreStage Enrollments"
  case createUpdatePlans = "Create Managed Software Updates"
  // Orders to devices.
  case sendCheckIn = "Send MDM Check In Command"
  case sendInventory = "Send Inventory Requests to Mobile Devices"
  case lockComputers = "Send Computer Remote Lock Command"
  case wipeComputers = "Send Computer Remote Wipe Command"
  case desktopComputers = "Send Computer Remote Desktop Command"
  case bluetoothComputers = "Send Computer Bluetooth Command"
  case sendFramework = "Send Computer Remote Command to Install Package"
  case restartDevices = "Send Mobile Device Restart Device Command"
  case shutDownDevices = "Send Mobile Device Shut Down Command"
  case lockMobileDevices = "Send Mobile Device Remote Lock Command"
  case wipeMobileDevices = "Send Mobile Device Remote Wipe Command"
  case bluetoothMobileDevices = "Send Mobile Device Bluetooth Command"
  case clearPasscodes = "Send Mobile Device Remove Passcode Command"
  case clearRestrictions = "Send Mobile Device Remove Restrictions Password Command"
  case loseDevices = "Send Mobile Device Lost Mode Command"
  case refreshCellularPlans = "Send Mobile Device Refresh Cellular Plans Command"
  // Secrets.
  case viewRecoveryKeys = "View Disk Encryption Recovery Key"
  case viewRecoveryLocks = "View Recovery Lock"
  case viewLocalPasswords = "View Local Admin Password"
  case sendLocalPasswords = "Send Local Admin Password Command"
}
