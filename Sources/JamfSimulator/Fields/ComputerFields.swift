/// What computers are filtered and sorted by: the fields of Jamf's documentation of `v3/computers-inventory`.
/// A test holds each to the record that the client sees.
enum ComputerFields {
  static let table = FieldTable<Computer>(general + hardware + system + person + purchasing)

  private static let general: [Field<Computer>] = [
    Field("id", .integer) { .integer(Int64($0.number)) },
    Field("udid", .text) { .text($0.udid) },
    Field("general.name", .text) { .text($0.name) },
    Field("general.assetTag", .text) { FieldValue($0.assetTag) },
    Field("general.barcode1", .text, sorts: false) { FieldValue($0.barcodes.first) },
    Field("general.barcode2", .text, sorts: false) { FieldValue($0.barcodes.dropFirst().first) },
    Field("general.enrolledViaAutomatedDeviceEnrollment", .flag, sorts: false) { .flag($0.prestage != nil) },
    Field("general.lastIpAddress", .text, sorts: false) { .text($0.ipAddress) },
    Field("general.lastReportedIp", .text, sorts: false) { .text($0.reportedIPv4) },
    Field("general.lastReportedIpV4", .text, sorts: false) { .text($0.reportedIPv4) },
    Field("general.lastReportedIpV6", .text, sorts: false) { FieldValue($0.reportedIPv6) },
    Field("general.itunesStoreAccountActive", .flag, sorts: false) { _ in .flag(false) },
    Field("general.jamfBinaryVersion", .text) { .text($0.binaryVersion) },
    Field("general.lastContactTime", .moment) { .moment($0.lastContact) },
    Field("general.lastEnrolledDate", .moment) { .moment($0.lastEnrolled) },
    Field("general.lastCloudBackupDate", .moment) { $0.lastCloudBackup.map { .moment($0) } ?? .absent },
    Field("general.lastLoggedInUsernameBinary", .text) { FieldValue($0.user?.username) },
    Field("general.lastLoggedInUsernameBinaryTimestamp", .moment) { .moment($0.lastContact) },
    Field("general.lastLoggedInUsernameSelfService", .text) { _ in .absent },
    Field("general.lastLoggedInUsernameSelfServiceTimestamp", .moment) { _ in .absent },
    Field("general.reportDate", .moment) { .moment($0.lastReport) },
    Field("general.mdmProfileExpiration", .moment) { .moment($0.profileExpiration) },
    Field("general.managementId", .text, sorts: false) { .text($0.managementID) },
    Field("general.remoteManagement.managed", .flag, sorts: false) { .flag($0.isManaged) },
    Field("general.mdmCapable.capable", .flag, sorts: false) { .flag($0.isManaged) },
    Field("general.platform", .text) { _ in .text("Mac") },
    Field("general.supervised", .flag, sorts: false) { .flag($0.isSupervised) },
    Field("general.userApprovedMdm", .flag, sorts: false) { .flag($0.isUserApproved) },
    Field("general.declarativeDeviceManagementEnabled", .flag, sorts: false) { .flag($0.usesDeclarations) },
  ]

  private static let hardware: [Field<Computer>] = [
    Field("hardware.bleCapable", .flag, sorts: false) { _ in .flag(true) },
    Field("hardware.macAddress", .text, sorts: false) { .text($0.macAddress) },
    Field("hardware.make", .text) { _ in .text("Apple") },
    Field("hardware.model", .text) { .text($0.model.name) },
    Field("hardware.modelIdentifier", .text, sorts: false) { .text($0.model.identifier) },
    Field("hardware.serialNumber", .text, sorts: false) { .text($0.serialNumber) },
    Field("hardware.supportsIosAppInstalls", .flag, sorts: false) { .flag($0.model.isAppleSilicon) },
    Field("hardware.appleSilicon", .flag, sorts: false) { .flag($0.model.isAppleSilicon) },
  ]

  private static let system: [Field<Computer>] = [
    Field("operatingSystem.name", .text) { _ in .text("macOS") },
    Field("operatingSystem.version", .text) { .text($0.system.version) },
    Field("operatingSystem.build", .text) { .text($0.system.build) },
    Field("operatingSystem.activeDirectoryStatus", .text, sorts: false) { _ in .text("Not Bound") },
    Field("operatingSystem.fileVault2Status", .text, sorts: false) {
      .text($0.isEncrypted ? "ALL_ENCRYPTED" : "NOT_ENCRYPTED")
    },
    Field("operatingSystem.supplementalBuildVersion", .text) { _ in .absent },
    Field("operatingSystem.rapidSecurityResponse", .text) { _ in .absent },
    Field("security.activationLockEnabled", .flag, sorts: false) { .flag($0.hasActivationLock) },
    Field("security.recoveryLockEnabled", .flag, sorts: false) { .flag($0.hasRecoveryLock) },
    Field("security.firewallEnabled", .flag, sorts: false) { .flag($0.hasFirewall) },
    Field("diskEncryption.fileVault2Enabled", .flag, sorts: false) { .flag($0.isEncrypted) },
  ]

  private static let person: [Field<Computer>] = [
    Field("userAndLocation.username", .text, sorts: false) { FieldValue($0.user?.username) },
    Field("userAndLocation.realname", .text) { FieldValue($0.user?.realName) },
    Field("userAndLocation.email", .text, sorts: false) { FieldValue($0.user?.email) },
    Field("userAndLocation.phone", .text, sorts: false) { FieldValue($0.user?.phone) },
    Field("userAndLocation.position", .text, sorts: false) { FieldValue($0.user?.position) },
    Field("userAndLocation.room", .text, sorts: false) { FieldValue($0.user?.room) },
    Field("userAndLocation.buildingId", .text, sorts: false) { FieldValue($0.user.map { "\($0.building)" }) },
    Field("userAndLocation.departmentId", .text, sorts: false) {
      FieldValue($0.user.map { "\($0.department)" })
    },
  ]

  private static let purchasing: [Field<Computer>] = [
    Field("purchasing.appleCareId", .text, sorts: false) { FieldValue($0.purchase.appleCareID) },
    Field("purchasing.lifeExpectancy", .integer) { .integer(Int64($0.purchase.lifeExpectancy)) },
    Field("purchasing.purchased", .flag, sorts: false) { .flag(!$0.purchase.isLeased) },
    Field("purchasing.leased", .flag, sorts: false) { .flag($0.purchase.isLeased) },
    Field("purchasing.vendor", .text, sorts: false) { .text($0.purchase.vendor) },
    // A date without an hour.
    Field("purchasing.warrantyDate", .moment) { .moment($0.purchase.warrantyEnd / 86_400_000 * 86_400_000) },
  ]
}
