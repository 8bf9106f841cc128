internal import ForsettiModuleKit

/// What a record of `computers-inventory` says. The names of filters are those of Jamf's documentation of its third version;
/// a field's key is its path in the record.
enum ComputerFields {
  static let catalogue = InventoryCatalogue(identity + management + machine + system + person + purchase)

  /// Free text is looked for in these first.
  static let identityKeys = [
    "general.name", "hardware.serialNumber", "udid", "general.assetTag", "general.barcode1",
    "general.barcode2", "general.lastIpAddress", "userAndLocation.username", "userAndLocation.email",
    "userAndLocation.realname",
  ]
  /// What every version of Jamf Pro can filter by.
  static let basicKeys = ["general.name", "hardware.serialNumber", "udid"]
  static let columns = [
    "general.name", "hardware.serialNumber", "userAndLocation.username", "operatingSystem.version", prestage,
  ]
  static let prestage = "prestageEnrollmentProfile"

  private static let identity: [InventoryField] = [
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

  private static let management: [InventoryField] = [
    InventoryField(
      RSQLField(key: prestage, type: .string, section: "GENERAL"), label: "PreStage",
      text: prestageText),
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
    found("general.mdmProfileExpiration", "MDM profile expires", .date),
    shown("general.initialEntryDate", "First seen", .date),
    shown("general.site.name", "Site"),
    shown("groupMemberships[].groupName", "Groups"),
    shown("configurationProfiles[].displayName", "Configuration profiles"),
  ]

  private static let machine: [InventoryField] = [
    found("hardware.make", "Make"),
    found("hardware.model", "Model"),
    found("hardware.modelIdentifier", "Model identifier"),
    found("hardware.appleSilicon", "Apple silicon", .bool),
    found("hardware.supportsIosAppInstalls", "Runs iOS apps", .bool),
    found("hardware.bleCapable", "Bluetooth low energy", .bool),
    shown("hardware.processorType", "Processor"),
    shown("hardware.processorArchitecture", "Processor architecture"),
    shown("hardware.processorCount", "Processors", .integer),
    shown("hardware.coreCount", "Cores", .integer),
    shown("hardware.totalRamMegabytes", "Memory (MB)", .integer),
    shown("hardware.batteryCapacityPercent", "Battery (%)", .integer),
    shown("storage.bootDriveAvailableSpaceMegabytes", "Free on the boot drive (MB)", .integer),
    shown("storage.disks[].sizeMegabytes", "Disks (MB)"),
    shown("storage.disks[].partitions[].percentUsed", "Partitions used (%)"),
    shown("storage.disks[].smartStatus", "SMART status"),
  ]

  private static let system: [InventoryField] = [
    found("operatingSystem.name", "Operating system"),
    found("operatingSystem.version", "macOS"),
    found("operatingSystem.build", "macOS build"),
    found("operatingSystem.supplementalBuildVersion", "Supplemental build"),
    found("operatingSystem.rapidSecurityResponse", "Rapid Security Response"),
    found("operatingSystem.activeDirectoryStatus", "Active Directory"),
    found("operatingSystem.fileVault2Status", "FileVault status"),
    found("diskEncryption.fileVault2Enabled", "FileVault", .bool),
    found("security.firewallEnabled", "Firewall", .bool),
    found("security.activationLockEnabled", "Activation Lock", .bool),
    found("security.recoveryLockEnabled", "Recovery Lock", .bool),
    shown("security.sipStatus", "System Integrity Protection"),
    shown("security.gatekeeperStatus", "Gatekeeper"),
    shown("security.xprotectVersion", "XProtect version"),
    shown("security.autoLoginDisabled", "Automatic login disabled", .bool),
    shown("security.remoteDesktopEnabled", "Remote desktop", .bool),
    shown("security.secureBootLevel", "Secure boot"),
    shown("security.externalBootLevel", "External boot"),
    shown("security.bootstrapTokenAllowed", "Bootstrap token", .bool),
    shown("diskEncryption.individualRecoveryKeyValidityStatus", "Recovery key"),
  ]

  private static let person: [InventoryField] = [
    found("userAndLocation.username", "Username"),
    found("userAndLocation.realname", "Full name"),
    found("userAndLocation.email", "Email address"),
    found("userAndLocation.phone", "Phone"),
    found("userAndLocation.position", "Position"),
    found("userAndLocation.room", "Room"),
    found("userAndLocation.buildingId", "Building ID"),
    found("userAndLocation.departmentId", "Department ID"),
  ]

  private static let purchase: [InventoryField] = [
    found("purchasing.vendor", "Vendor"),
    found("purchasing.appleCareId", "AppleCare ID"),
    found("purchasing.purchased", "Purchased", .bool),
    found("purchasing.leased", "Leased", .bool),
    found("purchasing.lifeExpectancy", "Life expectancy (years)", .integer),
    found("purchasing.warrantyDate", "Warranty ends", .date),
    shown("purchasing.poNumber", "Purchase order"),
    shown("purchasing.poDate", "Ordered", .date),
    shown("purchasing.purchasePrice", "Purchase price"),
  ]

  /// A field that the server filters by, under the name of its path.
  private static func found(_ path: String, _ label: String, _ type: RSQLFieldType = .string)
    -> InventoryField
  {
    InventoryField(path, label, type, at: path, serverName: path)
  }

  /// A field that only the client can search by.
  private static func shown(_ path: String, _ label: String, _ type: RSQLFieldType = .string)
    -> InventoryField
  {
    InventoryField(path, label, type, at: path, serverName: nil)
  }

  private static let prestageID = RecordPath("general.enrollmentMethod.id")
  private static let prestageName = RecordPath("general.enrollmentMethod.objectName")

  /// Of the ways to enrol, only a PreStage is one.
  @Sendable private static func prestageText(_ record: JSONValue) -> String? {
    let status = PrestageStatus(of: record)?.rawValue
    guard let method = record["general"]?["enrollmentMethod"], method.members != nil,
      method["objectType"]?.stringValue?.lowercased().contains("prestage") ?? false
    else { return status }
    return PrestageText.make(
      status: status ?? PrestageStatus.enrolled.rawValue, name: prestageName.text(in: record),
      id: prestageID.text(in: record))
  }
}
