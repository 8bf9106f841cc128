// Who a computer is, and how it is managed.
extension ComputerFields {
  /// What tells it from others.
  static let identity: [InventoryField] = [
    found("general.name", "Computer"),
    found("hardware.serialNumber", "Hardware serial number"),
    found("id", "Inventory ID", .integer),
    found("udid", "UDID"),
    found("general.assetTag", "Asset tag"),
    found("general.barcode1", "Barcode 1"),
    found("general.barcode2", "Barcode 2"),
    found("general.lastIpAddress", "Last IP address"),
    found("general.lastReportedIpV4", "Last reported IPv4 address"),
    found("general.lastReportedIpV6", "Last reported IPv6 address"),
    found("hardware.macAddress", "MAC address"),
    found("general.managementId", "Management ID"),
  ]

  /// The section GENERAL.
  static let management: [InventoryField] = [
    found("general.platform", "Platform"),
    found("general.supervised", "Supervised", .bool),
    found("general.remoteManagement.managed", "Managed", .bool),
    found("general.mdmCapable.capable", "MDM capable", .bool),
    found("general.userApprovedMdm", "User-approved MDM", .bool),
    found("general.enrolledViaAutomatedDeviceEnrollment", "Automated device enrollment", .bool),
    found("general.declarativeDeviceManagementEnabled", "Declarative device management", .bool),
    found("general.jamfBinaryVersion", "Jamf binary version"),
    found("general.lastContactTime", "Last contact", .date),
    found("general.reportDate", "Last inventory report", .date),
    found("general.lastEnrolledDate", "Last enrollment", .date),
    found("general.lastCloudBackupDate", "Last cloud backup", .date),
    shown("general.mdmProfileExpiration", "MDM profile expires", .date),
    shown("general.initialEntryDate", "First seen", .date),
    shown("general.site.name", "Site"),
    found("general.lastReportedIp", "Last reported IP address"),
    found("general.itunesStoreAccountActive", "App Store account active", .bool),
    found("general.lastLoggedInUsernameBinary", "Last user to log in"),
    found("general.lastLoggedInUsernameBinaryTimestamp", "Last login", .date),
    found("general.lastLoggedInUsernameSelfService", "Last user of Self Service"),
    found("general.lastLoggedInUsernameSelfServiceTimestamp", "Last login to Self Service", .date),
    given("general.remoteManagement.managementUsername", "Management account"),
    given("general.mdmCapable.capableUsers", "Users that MDM reaches"),
    given("general.distributionPoint", "Distribution point"),
    shown("general.site.id", "Site ID"),
    shown("general.enrollmentMethod.id", "Enrollment method ID"),
    given("general.enrollmentMethod.objectName", "Enrolled by"),
    shown("general.enrollmentMethod.objectType", "Enrollment method"),
  ]
}
