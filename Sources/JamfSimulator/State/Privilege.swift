/// What an account may do, by Jamf's own names.
enum Privilege: String, Sendable, CaseIterable {
  case readComputers = "Read Computers"
  case readMobileDevices = "Read Mobile Devices"
  case readComputerPrestages = "Read Computer PreStage Enrollments"
  case updateComputerPrestages = "Update Computer PreStage Enrollments"
  case readMobilePrestages = "Read Mobile Device PreStage Enrollments"
  case updateMobilePrestages = "Update Mobile Device PreStage Enrollments"
  case readComputerAttributes = "Read Computer Extension Attributes"
  case readMobileAttributes = "Read Mobile Device Extension Attributes"
  case readBuildings = "Read Buildings"
  case readDepartments = "Read Departments"
  case readStaticGroups = "Read Static Computer Groups"
  case updateStaticGroups = "Update Static Computer Groups"
  case readScripts = "Read Scripts"
  case createScripts = "Create Scripts"
  case updateScripts = "Update Scripts"
  case deleteScripts = "Delete Scripts"
  case readPolicies = "Read Policies"
  case createPolicies = "Create Policies"
  case updatePolicies = "Update Policies"
  case deletePolicies = "Delete Policies"
  case readRoles = "Read API Roles"
  case viewCommands = "View MDM command information in Jamf Pro API"
  case sendCheckIn = "Send MDM Check In Command"
  case sendInventory = "Send Inventory Requests to Mobile Devices"
  case lockComputers = "Send Computer Remote Lock Command"
  case wipeComputers = "Send Computer Remote Wipe Command"
  case desktopComputers = "Send Computer Remote Desktop Command"
  case restartDevices = "Send Mobile Device Restart Device Command"
  case shutDownDevices = "Send Mobile Device Shut Down Command"
  case lockMobileDevices = "Send Mobile Device Remote Lock Command"
  case wipeMobileDevices = "Send Mobile Device Remote Wipe Command"
  case clearPasscodes = "Send Mobile Device Remove Passcode Command"
  case clearRestrictions = "Send Mobile Device Remove Restrictions Password Command"
  case loseDevices = "Send Mobile Device Lost Mode Command"
  case refreshCellularPlans = "Send Mobile Device Refresh Cellular Plans Command"
  case viewRecoveryKeys = "View Disk Encryption Recovery Key"
  case viewRecoveryLocks = "View Recovery Lock"
  case viewLocalPasswords = "View Local Admin Password"
  case sendLocalPasswords = "Send Local Admin Password Command"
  case createUpdatePlans = "Create Managed Software Updates"
  case readUpdatePlans = "Read Managed Software Updates"
  case bluetoothComputers = "Send Computer Bluetooth Command"
  case bluetoothMobileDevices = "Send Mobile Device Bluetooth Command"
  case sendFramework = "Send Computer Remote Command to Install Package"

  /// Those that change nothing and reveal no secret.
  static let reading: Set<Privilege> = [
    .readComputers, .readMobileDevices, .readComputerPrestages, .readMobilePrestages, .readComputerAttributes,
    .readMobileAttributes, .readBuildings, .readDepartments, .readRoles, .viewCommands, .readUpdatePlans,
    .readStaticGroups, .readScripts, .readPolicies,
  ]
}
