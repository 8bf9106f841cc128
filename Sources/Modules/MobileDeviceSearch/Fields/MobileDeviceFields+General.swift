// Who a mobile device is, and how it is managed.
extension MobileDeviceFields {
  /// What tells it from others.
  static let identity: [InventoryField] = [
    nameField,
    found("serialNumber", "Serial number", "hardware.serialNumber"),
    found("mobileDeviceId", "Inventory ID", "mobileDeviceId", .integer),
    found("udid", "UDID", "general.udid"),
    found("assetTag", "Asset tag", "general.assetTag"),
    found("ipAddress", "IP address", "general.ipAddress"),
    found("wifiMacAddress", "Wi-Fi MAC address", "hardware.wifiMacAddress"),
    found("bluetoothMacAddress", "Bluetooth MAC address", "hardware.bluetoothMacAddress"),
    shown("managementId", "Management ID", "general.managementId"),
  ]

  /// The section GENERAL.
  static let management: [InventoryField] = [
    prestageField,
    found("osVersion", "System", "general.osVersion"),
    found("osBuild", "System build", "general.osBuild"),
    found("managed", "Managed", "general.managed", .bool),
    found("supervised", "Supervised", "general.supervised", .bool),
    found("sharedIpad", "Shared iPad", "general.sharedIpad", .bool),
    found(
      "declarativeDeviceManagementEnabled", "Declarative device management",
      "general.declarativeDeviceManagementEnabled", .bool),
    found("lastInventoryUpdateDate", "Last inventory update", "general.lastInventoryUpdateDate", .date),
    shown("lastEnrolledDate", "Last enrollment", "general.lastEnrolledDate", .date),
    shown("mdmProfileExpirationDate", "MDM profile expires", "general.mdmProfileExpirationDate", .date),
    shown("deviceOwnershipType", "Ownership", "general.deviceOwnershipType"),
    found("timeZone", "Time zone", "general.timeZone"),
    found("osRapidSecurityResponse", "Rapid Security Response", "general.osRapidSecurityResponse"),
    found("osSupplementalBuildVersion", "Supplemental build", "general.osSupplementalBuildVersion"),
    shown("softwareUpdateDeviceId", "Software update device ID", "general.softwareUpdateDeviceId"),
    shown("siteId", "Site ID", "general.siteId"),
    shown("deviceType", "Kind of device", "deviceType"),
    shown(
      "enrollmentSessionTokenValid", "Enrollment token valid", "general.enrollmentSessionTokenValid", .bool),
    shown(
      "enrollmentMethodPrestage.profileName", "Enrolled by", "general.enrollmentMethodPrestage.profileName"),
    found("languages", "Languages", "general.languages"),
    found("locales", "Regions", "general.locales"),
    found("exchangeDeviceId", "Exchange device ID", "general.exchangeDeviceId"),
    found("itunesStoreAccountActive", "App Store account active", "general.itunesStoreAccountActive", .bool),
    found("appAnalyticsEnabled", "App analytics", "general.appAnalyticsEnabled", .bool),
    found(
      "diagnosticAndUsageReportingEnabled", "Diagnostics and usage reports",
      "general.diagnosticAndUsageReportingEnabled", .bool),
    found("deviceLocatorServiceEnabled", "Find My", "general.deviceLocatorServiceEnabled", .bool),
    found("doNotDisturbEnabled", "Do Not Disturb", "general.doNotDisturbEnabled", .bool),
    found(
      "locationServicesForSelfServiceMobileEnabled", "Location for Self Service",
      "general.locationServicesForSelfServiceMobileEnabled", .bool),
    found("cloudBackupEnabled", "Cloud backup", "general.cloudBackupEnabled", .bool),
    shown("lastCloudBackupDate", "Last cloud backup", "general.lastCloudBackupDate", .date),
    shown("lastBackupDate", "Last backup", "general.lastBackupDate", .date),
    found("tethered", "Tethered", "general.tethered", .bool),
    shown("syncedToComputer", "Synced to a computer", "general.syncedToComputer", .integer),
    shown(
      "lastLoggedInUsernameSelfService", "Last user of Self Service",
      "general.lastLoggedInUsernameSelfService"),
    shown(
      "lastLoggedInUsernameSelfServiceTimestamp", "Last login to Self Service",
      "general.lastLoggedInUsernameSelfServiceTimestamp", .date),
    found("residentUsers", "Users on a shared iPad", "general.residentUsers", .integer),
    found("quotaSize", "Quota of a user (MB)", "general.quotaSize", .integer),
    shown(
      "maximumSharediPadUsersStored", "Most users on a shared iPad", "general.maximumSharediPadUsersStored",
      .integer),
    shown("temporarySessionOnly", "Temporary sessions only", "general.temporarySessionOnly", .bool),
    shown(
      "temporarySessionTimeout", "Temporary session ends after (s)", "general.temporarySessionTimeout",
      .integer),
    shown("userSessionTimeout", "User session ends after (s)", "general.userSessionTimeout", .integer),
  ]
}
