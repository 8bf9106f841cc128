import ForsettiCore

/// A mobile device as the Pro API writes it in its list.
struct MobileDeviceRecord {
  let device: MobileDevice
  let seed: UInt64

  /// The record with the sections asked for; the others are null.
  func json(_ sections: Set<MobileDeviceSection>) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("mobileDeviceId", RecordJSON.id(device.number)), ("deviceType", .string("iOS")),
    ]
    for section in MobileDeviceSection.allCases {
      members.append((section.key, sections.contains(section) ? value(of: section) : .null))
    }
    return .object(members)
  }

  private func value(of section: MobileDeviceSection) -> JSONValue {
    switch section {
    case .general: general
    case .hardware: hardware
    case .userAndLocation: userAndLocation
    case .purchasing: purchasing
    case .security: security
    case .applications: applications
    case .network: network
    case .certificates: certificates
    case .profiles: profiles
    case .groups: groups
    case .extensionAttributes: RecordJSON.attributes(of: device)
    case .ebooks, .serviceSubscriptions, .userProfiles, .provisioningProfiles, .sharedUsers: .array([])
    }
  }

  private var general: JSONValue {
    let unreported = MobileDeviceFields.unreportedGeneral.map { ($0.name, JSONValue.null) }
    return .object(reportedGeneral + unreported)
  }

  private var reportedGeneral: [(String, JSONValue)] {
    [
      ("udid", .string(device.udid)), ("displayName", .string(device.name)),
      ("assetTag", .string(device.assetTag)), ("siteId", .string("-1")),
      ("lastInventoryUpdateDate", RecordJSON.moment(device.lastReport)),
      ("osVersion", .string(device.system.version)), ("osRapidSecurityResponse", .null),
      ("osBuild", .string(device.system.build)), ("osSupplementalBuildVersion", .null),
      ("softwareUpdateDeviceId", .string(device.model.identifier)), ("ipAddress", .string(device.ipAddress)),
      ("managed", .bool(device.isManaged)), ("supervised", .bool(device.isSupervised)),
      ("deviceOwnershipType", .string("Institutional")), ("enrollmentMethodPrestage", prestage),
      ("enrollmentSessionTokenValid", .bool(false)),
      ("lastEnrolledDate", RecordJSON.moment(device.lastEnrolled)),
      ("mdmProfileExpirationDate", RecordJSON.moment(device.profileExpiration)),
      ("timeZone", .string("Europe/Berlin")),
      ("declarativeDeviceManagementEnabled", .bool(device.usesDeclarations)),
      ("managementId", .string(device.managementID)), ("sharedIpad", .bool(device.isShared)),
      ("extensionAttributes", .array([])), ("airPlayPassword", .null), ("locales", .string("de_DE")),
      ("languages", .string("de")),
    ]
  }

  private var prestage: JSONValue {
    guard let number = device.prestage else { return .null }
    return .object([
      ("mobileDevicePrestageId", RecordJSON.id(number)),
      ("profileName", .string(Prestage.mobileNames[number - 1])),
    ])
  }

  private var hardware: JSONValue {
    .object([
      ("capacityMb", .integer(device.capacity)), ("availableSpaceMb", .integer(device.free)),
      ("usedSpacePercentage", .integer(device.usedPercent)), ("batteryLevel", .integer(device.battery)),
      ("serialNumber", .string(device.serialNumber)), ("wifiMacAddress", .string(device.wifiAddress)),
      ("bluetoothMacAddress", .string(device.bluetoothAddress)),
      ("modemFirmwareVersion", .string(device.modemFirmware)),
      ("model", .string(device.model.name)), ("modelIdentifier", .string(device.model.identifier)),
      ("modelNumber", .string(device.model.number)), ("bluetoothLowEnergyCapable", .bool(true)),
      ("deviceId", .string(device.udid)), ("extensionAttributes", .array([])),
    ])
  }

  private var userAndLocation: JSONValue {
    let user = device.user
    return .object([
      ("username", .string(user?.username)), ("realName", .string(user?.realName)),
      ("emailAddress", .string(user?.email)), ("position", .string(user?.position)),
      ("phoneNumber", .string(user?.phone)), ("departmentId", .string(user.map { String($0.department) })),
      ("buildingId", .string(user.map { String($0.building) })), ("room", .string(user?.room)),
      ("building", .string(user?.buildingName)), ("department", .string(user?.departmentName)),
      ("extensionAttributes", .array([])),
    ])
  }

  private var purchasing: JSONValue {
    let purchase = device.purchase
    return .object([
      ("purchased", .bool(!purchase.isLeased)), ("leased", .bool(purchase.isLeased)),
      ("poNumber", .string(purchase.orderNumber)), ("vendor", .string(purchase.vendor)),
      ("appleCareId", .string(purchase.appleCareID)), ("purchasePrice", .string("\(purchase.price)")),
      ("purchasingAccount", .null), ("poDate", RecordJSON.moment(purchase.orderDate)),
      ("warrantyExpiresDate", RecordJSON.moment(purchase.warrantyEnd)), ("leaseExpiresDate", .null),
      ("lifeExpectancy", .integer(purchase.lifeExpectancy)), ("purchasingContact", .null),
      ("extensionAttributes", .array([])),
    ])
  }

  private var security: JSONValue {
    .object([
      ("dataProtected", .bool(device.hasPasscode)), ("blockLevelEncryptionCapable", .bool(true)),
      ("fileLevelEncryptionCapable", .bool(true)), ("passcodePresent", .bool(device.hasPasscode)),
      ("passcodeCompliant", .bool(device.isPasscodeCompliant)),
      ("passcodeCompliantWithProfile", .bool(device.isPasscodeCompliant)),
      ("hardwareEncryption", .integer(3)),
      ("activationLockEnabled", .bool(device.hasActivationLock)), ("jailBreakDetected", .bool(false)),
      ("passcodeLockGracePeriodEnforcedSeconds", .integer(0)), ("personalDeviceProfileCurrent", .bool(false)),
      ("lostModeEnabled", .bool(device.isLost)), ("lostModePersistent", .bool(false)),
      ("lostModeMessage", .null), ("lostModePhoneNumber", .null), ("lostModeFootnote", .null),
      ("lostModeLocation", .null),
    ])
  }

  private var network: JSONValue {
    let unreported = MobileDeviceFields.unreportedNetwork.map { ($0.name, JSONValue.null) }
    let reported: [(String, JSONValue)] = [
      ("cellularTechnology", .string(device.model.isPhone ? "GSM" : "None")),
      ("voiceRoamingEnabled", .bool(false)),
      ("imei", .string(device.imei)),
      ("currentCarrierNetwork", .string(device.carrier)), ("homeCarrierNetwork", .string(device.carrier)),
      ("dataRoamingEnabled", .bool(device.isRoaming)), ("roaming", .bool(device.isRoaming)),
      ("personalHotspotEnabled", .bool(false)), ("phoneNumber", .string(device.phoneNumber)),
    ]
    return .object(reported + unreported)
  }
}
