/// What mobile devices are filtered and sorted by. Jamf names these without their section.
enum MobileDeviceFields {
  static let table = FieldTable<MobileDevice>(
    general + hardware + network + person + purchasing + security
      + (unreportedGeneral + unreportedNetwork).map { name, kind in Field(name, kind) { _ in .absent } })

  /// What these devices never reported, of the sections GENERAL and NETWORK.
  static let unreportedGeneral: [(name: String, kind: FieldKind)] = [
    ("appAnalyticsEnabled", .flag), ("cloudBackupEnabled", .flag), ("deviceLocatorServiceEnabled", .flag),
    ("diagnosticAndUsageReportingEnabled", .flag), ("doNotDisturbEnabled", .flag),
    ("exchangeDeviceId", .text), ("itunesStoreAccountActive", .flag),
    ("locationServicesForSelfServiceMobileEnabled", .flag), ("quotaSize", .integer),
    ("residentUsers", .integer), ("tethered", .flag),
  ]
  static let unreportedNetwork: [(name: String, kind: FieldKind)] = [
    ("carrierSettingsVersion", .text), ("currentMobileCountryCode", .text),
    ("currentMobileNetworkCode", .text), ("eid", .text), ("homeMobileCountryCode", .text),
    ("homeMobileNetworkCode", .text), ("iccid", .text), ("meid", .text),
  ]

  /// Where a field stands in the record of the list, for those that have another name there.
  static let paths: [String: String] = [
    "deviceId": "hardware.deviceId", "mobileDeviceId": "mobileDeviceId", "displayName": "general.displayName",
    "fullName": "userAndLocation.realName", "userPhoneNumber": "userAndLocation.phoneNumber",
    "devicePhoneNumber": "network.phoneNumber", "lifeExpectancyYears": "purchasing.lifeExpectancy",
    "dataProtection": "security.dataProtected",
    "blockEncryptionCapable": "security.blockLevelEncryptionCapable",
    "fileEncryptionCapable": "security.fileLevelEncryptionCapable",
    "warrantyExpirationDate": "purchasing.warrantyExpiresDate",
  ]

  private static let general: [Field<MobileDevice>] = [
    Field("mobileDeviceId", .integer) { .integer(Int64($0.number)) },
    Field("displayName", .text) { .text($0.name) },
    Field("udid", .text) { .text($0.udid) },
    Field("assetTag", .text) { FieldValue($0.assetTag) },
    Field("osVersion", .text) { .text($0.system.version) },
    Field("osBuild", .text) { .text($0.system.build) },
    Field("ipAddress", .text) { .text($0.ipAddress) },
    Field("managed", .flag) { .flag($0.isManaged) },
    Field("supervised", .flag) { .flag($0.isSupervised) },
    Field("sharedIpad", .flag) { .flag($0.isShared) },
    Field("declarativeDeviceManagementEnabled", .flag) { .flag($0.usesDeclarations) },
    Field("lastInventoryUpdateDate", .moment) { .moment($0.lastReport) },
    Field("lastEnrolledDate", .moment, filters: false) { .moment($0.lastEnrolled) },
    Field("mdmProfileExpirationDate", .moment, filters: false) { .moment($0.profileExpiration) },
    Field("timeZone", .text) { _ in .text("Europe/Berlin") },
    Field("languages", .text) { _ in .text("de") },
    Field("locales", .text) { _ in .text("de_DE") },
    Field("osRapidSecurityResponse", .text) { _ in .absent },
    Field("osSupplementalBuildVersion", .text) { _ in .absent },
  ]

  private static let hardware: [Field<MobileDevice>] = [
    Field("serialNumber", .text) { .text($0.serialNumber) },
    Field("model", .text) { .text($0.model.name) },
    Field("modelIdentifier", .text) { .text($0.model.identifier) },
    Field("modelNumber", .text) { .text($0.model.number) },
    Field("deviceId", .text) { .text($0.udid) },
    Field("wifiMacAddress", .text) { .text($0.wifiAddress) },
    Field("bluetoothMacAddress", .text) { .text($0.bluetoothAddress) },
    Field("capacityMb", .integer) { .integer(Int64($0.capacity)) },
    Field("availableSpaceMb", .integer) { .integer(Int64($0.free)) },
    Field("usedSpacePercentage", .integer) { .integer(Int64($0.usedPercent)) },
    Field("batteryLevel", .integer) { .integer(Int64($0.battery)) },
    Field("bluetoothLowEnergyCapable", .flag) { _ in .flag(true) },
    Field("modemFirmwareVersion", .text) { .text($0.modemFirmware) },
  ]

  private static let network: [Field<MobileDevice>] = [
    Field("imei", .text) { FieldValue($0.imei) },
    Field("currentCarrierNetwork", .text) { FieldValue($0.carrier) },
    Field("dataRoamingEnabled", .flag) { .flag($0.isRoaming) },
    Field("personalHotspotEnabled", .flag) { _ in .flag(false) },
    Field("roaming", .flag) { .flag($0.isRoaming) },
  ]

  private static let person: [Field<MobileDevice>] = [
    Field("username", .text) { FieldValue($0.user?.username) },
    Field("fullName", .text) { FieldValue($0.user?.realName) },
    Field("emailAddress", .text) { FieldValue($0.user?.email) },
    Field("userPhoneNumber", .text) { FieldValue($0.user?.phone) },
    Field("position", .text) { FieldValue($0.user?.position) },
    Field("room", .text) { FieldValue($0.user?.room) },
    Field("building", .text) { FieldValue($0.user?.buildingName) },
    Field("department", .text) { FieldValue($0.user?.departmentName) },
    Field("devicePhoneNumber", .text) { FieldValue($0.phoneNumber) },
  ]

  private static let purchasing: [Field<MobileDevice>] = [
    Field("appleCareId", .text) { FieldValue($0.purchase.appleCareID) },
    Field("poNumber", .text) { .text($0.purchase.orderNumber) },
    Field("purchasePrice", .text) { .text("\($0.purchase.price)") },
    Field("purchasingAccount", .text) { _ in .absent },
    Field("purchasingContact", .text) { _ in .absent },
    Field("vendor", .text) { .text($0.purchase.vendor) },
    Field("lifeExpectancyYears", .integer) { .integer(Int64($0.purchase.lifeExpectancy)) },
    Field("warrantyExpirationDate", .moment, filters: false) { .moment($0.purchase.warrantyEnd) },
  ]

  private static let security: [Field<MobileDevice>] = [
    Field("passcodePresent", .flag) { .flag($0.hasPasscode) },
    Field("passcodeCompliant", .flag) { .flag($0.isPasscodeCompliant) },
    Field("activationLockEnabled", .flag) { .flag($0.hasActivationLock) },
    Field("dataProtection", .flag) { .flag($0.hasPasscode) },
    Field("lostModeEnabled", .flag) { .flag($0.isLost) },
    Field("passcodeCompliantWithProfile", .flag) { .flag($0.isPasscodeCompliant) },
    Field("passcodeLockGracePeriodEnforcedSeconds", .integer) { _ in .integer(0) },
    Field("personalDeviceProfileCurrent", .flag) { _ in .flag(false) },
    Field("blockEncryptionCapable", .flag) { _ in .flag(true) },
    Field("fileEncryptionCapable", .flag) { _ in .flag(true) },
  ]
}
