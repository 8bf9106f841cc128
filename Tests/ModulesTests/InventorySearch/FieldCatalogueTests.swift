import ForsettiModuleKit
import Testing

@testable import ForsettiModules

/// The catalogues, held to what Jamf documents of its inventory.
@Suite struct FieldCatalogueTests {
  /// Sections of `computers-inventory`, but for extension attributes, which each organisation has of its own.
  private static let computerSections: Set = [
    "GENERAL", "DISK_ENCRYPTION", "PURCHASING", "APPLICATIONS", "STORAGE", "USER_AND_LOCATION",
    "CONFIGURATION_PROFILES", "PRINTERS", "SERVICES", "HARDWARE", "LOCAL_USER_ACCOUNTS", "CERTIFICATES",
    "ATTACHMENTS", "PLUGINS", "PACKAGE_RECEIPTS", "FONTS", "SECURITY", "OPERATING_SYSTEM",
    "LICENSED_SOFTWARE", "IBEACONS", "SOFTWARE_UPDATES", "CONTENT_CACHING", "GROUP_MEMBERSHIPS",
  ]
  private static let mobileSections: Set = [
    "GENERAL", "HARDWARE", "USER_AND_LOCATION", "PURCHASING", "SECURITY", "APPLICATIONS", "EBOOKS",
    "NETWORK", "SERVICE_SUBSCRIPTIONS", "CERTIFICATES", "PROFILES", "USER_PROFILES",
    "PROVISIONING_PROFILES", "SHARED_USERS", "GROUPS",
  ]

  private static let computerFilters: Set = [
    "general.name", "udid", "id", "general.assetTag", "general.barcode1", "general.barcode2",
    "general.enrolledViaAutomatedDeviceEnrollment", "general.lastIpAddress",
    "general.itunesStoreAccountActive", "general.jamfBinaryVersion", "general.lastContactTime",
    "general.lastEnrolledDate", "general.lastCloudBackupDate", "general.reportDate", "general.lastReportedIp",
    "general.lastReportedIpV4", "general.lastReportedIpV6", "general.managementId",
    "general.remoteManagement.managed", "general.mdmCapable.capable", "general.platform",
    "general.supervised", "general.userApprovedMdm", "general.declarativeDeviceManagementEnabled",
    "general.lastLoggedInUsernameSelfService", "general.lastLoggedInUsernameSelfServiceTimestamp",
    "general.lastLoggedInUsernameBinary", "general.lastLoggedInUsernameBinaryTimestamp",
    "hardware.bleCapable", "hardware.macAddress", "hardware.make", "hardware.model",
    "hardware.modelIdentifier", "hardware.serialNumber", "hardware.supportsIosAppInstalls",
    "hardware.appleSilicon", "operatingSystem.activeDirectoryStatus", "operatingSystem.fileVault2Status",
    "operatingSystem.build", "operatingSystem.supplementalBuildVersion",
    "operatingSystem.rapidSecurityResponse", "operatingSystem.name", "operatingSystem.version",
    "security.activationLockEnabled", "security.recoveryLockEnabled", "security.firewallEnabled",
    "userAndLocation.buildingId", "userAndLocation.departmentId", "userAndLocation.email",
    "userAndLocation.realname", "userAndLocation.phone", "userAndLocation.position", "userAndLocation.room",
    "userAndLocation.username", "diskEncryption.fileVault2Enabled", "purchasing.appleCareId",
    "purchasing.lifeExpectancy", "purchasing.purchased", "purchasing.leased", "purchasing.vendor",
    "purchasing.warrantyDate",
  ]
  private static let mobileFilters: Set = [
    "appAnalyticsEnabled", "assetTag", "availableSpaceMb", "batteryLevel", "bluetoothLowEnergyCapable",
    "bluetoothMacAddress", "capacityMb", "declarativeDeviceManagementEnabled", "deviceId",
    "deviceLocatorServiceEnabled", "devicePhoneNumber", "diagnosticAndUsageReportingEnabled", "displayName",
    "doNotDisturbEnabled", "exchangeDeviceId", "cloudBackupEnabled", "osBuild", "osSupplementalBuildVersion",
    "osVersion", "osRapidSecurityResponse", "ipAddress", "itunesStoreAccountActive", "mobileDeviceId",
    "languages", "lastInventoryUpdateDate", "locales", "locationServicesForSelfServiceMobileEnabled",
    "lostModeEnabled", "managed", "model", "modelIdentifier", "modelNumber", "modemFirmwareVersion",
    "quotaSize", "residentUsers", "serialNumber", "sharedIpad", "supervised", "tethered", "timeZone", "udid",
    "usedSpacePercentage", "wifiMacAddress", "building", "department", "emailAddress", "fullName",
    "userPhoneNumber", "position", "room", "username", "appleCareId", "lifeExpectancyYears", "poNumber",
    "purchasePrice", "purchasingAccount", "purchasingContact", "vendor", "activationLockEnabled",
    "blockEncryptionCapable", "dataProtection", "fileEncryptionCapable", "passcodeCompliant",
    "passcodeCompliantWithProfile", "passcodeLockGracePeriodEnforcedSeconds", "passcodePresent",
    "personalDeviceProfileCurrent", "carrierSettingsVersion", "currentCarrierNetwork",
    "currentMobileCountryCode", "currentMobileNetworkCode", "dataRoamingEnabled", "eid",
    "homeMobileCountryCode", "homeMobileNetworkCode", "iccid", "imei", "meid", "personalHotspotEnabled",
    "roaming",
  ]

  @Test("every section that Jamf documents has fields, and no field stands elsewhere")
  func sections() {
    #expect(Set(ComputerFields.catalogue.fields.map(\.query.section)) == Self.computerSections)
    #expect(Set(MobileDeviceFields.catalogue.fields.map(\.query.section)) == Self.mobileSections)
  }

  @Test("the server is asked for what it can filter by, and for nothing else")
  func filters() {
    #expect(Set(ComputerFields.catalogue.fields.compactMap(\.query.serverName)) == Self.computerFilters)
    #expect(Set(MobileDeviceFields.catalogue.fields.compactMap(\.query.serverName)) == Self.mobileFilters)
  }

  @Test("there are as many fields as the API tells of") func counts() {
    #expect(ComputerFields.catalogue.fields.count >= 230)
    #expect(MobileDeviceFields.catalogue.fields.count >= 150)
  }

  /// A record with a value at a path, in a list where the path goes through one.
  private func record(_ path: String) -> JSONValue {
    path.split(separator: ".").reversed().reduce(.string("17")) { value, part in
      part.hasSuffix("[]")
        ? .object([(String(part.dropLast(2)), .array([value]))]) : .object([(String(part), value)])
    }
  }

  @Test("a computer's field is read at the path that is its key, and what stands in lists is text")
  func paths() {
    for field in ComputerFields.catalogue.fields where field.key != ComputerFields.prestage {
      #expect(field.text(record(field.key)) == "17", "\(field.key)")
      #expect(field.text(.null) == nil, "\(field.key)")
      #expect(!field.label.isEmpty)
      if field.key.contains("[]") {
        #expect(field.query.type == .string, "\(field.key)")
        #expect(field.query.serverName == nil, "\(field.key)")
      }
    }
  }

  @Test("each catalogue reads what its API writes")
  func mobilePaths() {
    let samples = [
      "imei": "network.imei", "applications[].name": "applications[].name",
      "blockEncryptionCapable": "security.blockLevelEncryptionCapable",
      "sharedUsers[].managedAppleId": "sharedUsers[].managedAppleId",
      "security.lostModeLocation.lastLocationUpdate": "security.lostModeLocation.lastLocationUpdate",
    ]
    for (key, path) in samples {
      #expect(MobileDeviceFields.catalogue[key]?.text(record(path)) == "17", "\(key)")
    }
  }

  @Test("no secret is a field", arguments: [ComputerFields.catalogue, MobileDeviceFields.catalogue])
  func secrets(catalogue: InventoryCatalogue) {
    let keys = catalogue.fields.map { $0.key.lowercased() }
    #expect(!keys.contains { $0.contains("airplaypassword") || $0.contains("managementpassword") })
  }

  @Test("what people named is shown as they wrote it") func given() {
    let catalogue = ComputerFields.catalogue
    #expect(catalogue["diskEncryption.fileVault2EnabledUserNames"]?.shown("ADMIN") == "ADMIN")
    #expect(catalogue["security.bootstrapTokenEscrowedStatus"]?.shown("NOT_ESCROWED") == "Not Escrowed")
  }
}
