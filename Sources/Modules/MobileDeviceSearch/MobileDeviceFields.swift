internal import ForsettiModuleKit

/// What a record of `mobile-devices/detail` says. A field's key is its name in Jamf's filters, which leave the section out.
enum MobileDeviceFields {
  static let catalogue = InventoryCatalogue(identity + management + machine + person + security + purchase)

  /// Free text is looked for in these.
  static let identityKeys = ["serialNumber", "username"]
  static let columns = ["displayName", "serialNumber", "username", "model", "osVersion"]
  static let prestage = "prestageEnrollmentProfile"

  private static let identity: [InventoryField] = [
    InventoryField(
      RSQLField(key: "displayName", type: .string, section: "GENERAL", serverName: "displayName"),
      label: "Device", text: name),
    found("serialNumber", "Serial number", "hardware.serialNumber"),
    found("mobileDeviceId", "Inventory ID", "mobileDeviceId", .integer),
    found("udid", "UDID", "general.udid"),
    found("assetTag", "Asset tag", "general.assetTag"),
    found("ipAddress", "IP address", "general.ipAddress"),
    found("wifiMacAddress", "Wi-Fi MAC address", "hardware.wifiMacAddress"),
    found("bluetoothMacAddress", "Bluetooth MAC address", "hardware.bluetoothMacAddress"),
    shown("managementId", "Management ID", "general.managementId"),
  ]

  private static let management: [InventoryField] = [
    InventoryField(
      RSQLField(key: prestage, type: .string, section: "GENERAL"), label: "PreStage",
      text: prestageText),
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
    shown("groups", "Groups", "groups[].groupName"),
    shown("profiles", "Configuration profiles", "profiles[].displayName"),
  ]

  private static let machine: [InventoryField] = [
    found("model", "Model", "hardware.model"),
    found("modelIdentifier", "Model identifier", "hardware.modelIdentifier"),
    found("modelNumber", "Model number", "hardware.modelNumber"),
    found("capacityMb", "Capacity (MB)", "hardware.capacityMb", .integer),
    found("availableSpaceMb", "Free (MB)", "hardware.availableSpaceMb", .integer),
    found("usedSpacePercentage", "Used (%)", "hardware.usedSpacePercentage", .integer),
    found("batteryLevel", "Battery (%)", "hardware.batteryLevel", .integer),
    shown("modemFirmwareVersion", "Modem firmware", "hardware.modemFirmwareVersion"),
    shown("imei", "IMEI", "network.imei"),
    found("devicePhoneNumber", "Phone number of the device", "network.phoneNumber"),
    found("roaming", "Roaming", "network.roaming", .bool),
    shown("currentCarrierNetwork", "Carrier", "network.currentCarrierNetwork"),
  ]

  private static let person: [InventoryField] = [
    found("username", "Username", "userAndLocation.username"),
    found("fullName", "Full name", "userAndLocation.realName"),
    found("emailAddress", "Email address", "userAndLocation.emailAddress"),
    found("userPhoneNumber", "Phone", "userAndLocation.phoneNumber"),
    found("position", "Position", "userAndLocation.position"),
    found("room", "Room", "userAndLocation.room"),
    found("building", "Building", "userAndLocation.building"),
    found("department", "Department", "userAndLocation.department"),
  ]

  private static let security: [InventoryField] = [
    found("passcodePresent", "Passcode", "security.passcodePresent", .bool),
    found("passcodeCompliant", "Passcode compliant", "security.passcodeCompliant", .bool),
    found("dataProtection", "Data protection", "security.dataProtected", .bool),
    found("activationLockEnabled", "Activation Lock", "security.activationLockEnabled", .bool),
    found("lostModeEnabled", "Lost Mode", "security.lostModeEnabled", .bool),
    shown("jailBreakDetected", "Jailbreak detected", "security.jailBreakDetected", .bool),
  ]

  private static let purchase: [InventoryField] = [
    found("vendor", "Vendor", "purchasing.vendor"),
    found("poNumber", "Purchase order", "purchasing.poNumber"),
    found("appleCareId", "AppleCare ID", "purchasing.appleCareId"),
    found("lifeExpectancyYears", "Life expectancy (years)", "purchasing.lifeExpectancy", .integer),
    shown("warrantyExpirationDate", "Warranty ends", "purchasing.warrantyExpiresDate", .date),
  ]

  private static func found(
    _ key: String, _ label: String, _ path: String, _ type: RSQLFieldType = .string
  ) -> InventoryField {
    InventoryField(key, label, type, at: path, serverName: key)
  }

  private static func shown(
    _ key: String, _ label: String, _ path: String, _ type: RSQLFieldType = .string
  ) -> InventoryField {
    InventoryField(key, label, type, at: path, serverName: nil)
  }

  private static let displayName = RecordPath("general.displayName")
  private static let model = RecordPath("hardware.model")
  private static let serialNumber = RecordPath("hardware.serialNumber")
  private static let prestageID = RecordPath("general.enrollmentMethodPrestage.mobileDevicePrestageId")
  private static let prestageName = RecordPath("general.enrollmentMethodPrestage.profileName")

  /// A device without a name goes by its model and the last four of its serial number.
  @Sendable private static func name(_ record: JSONValue) -> String? {
    if let name = displayName.text(in: record) { return name }
    guard let model = model.text(in: record) else { return nil }
    return model + (serialNumber.text(in: record).map { " (\($0.suffix(4)))" } ?? "")
  }

  @Sendable private static func prestageText(_ record: JSONValue) -> String? {
    let (name, id) = (prestageName.text(in: record), prestageID.text(in: record))
    let status = PrestageStatus(of: record)?.rawValue
    guard name != nil || id != nil else { return status }
    return PrestageText.make(status: status ?? PrestageStatus.enrolled.rawValue, name: name, id: id)
  }
}
