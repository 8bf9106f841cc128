// Where Jamf Pro has what reports know of a device.
extension ReportField {
  /// The section of a list that holds it.
  func section(in domain: DeviceDomain) -> String {
    switch self {
    case .name, .assetTag, .enrollmentDate, .lastInventory, .managed, .supervised: "GENERAL"
    case .deviceType, .serialNumber, .model, .modelIdentifier, .chip, .battery, .confidence: "HARDWARE"
    case .building, .department, .room, .username, .realName, .email: "USER_AND_LOCATION"
    case .location: "EXTENSION_ATTRIBUTES"
    case .osVersion: domain == .computers ? "OPERATING_SYSTEM" : "GENERAL"
    case .storageUsed: domain == .computers ? "STORAGE" : "HARDWARE"
    }
  }

  /// What a list's filter calls it; nothing for what it can't filter by, and for what is concluded here: a place is an ID
  /// there, a model may be known here alone, versions and days compare otherwise.
  func filterName(in domain: DeviceDomain) -> String? {
    switch (self, domain) {
    case (.managed, .computers): "general.remoteManagement.managed"
    case (.supervised, .computers): "general.supervised"
    case (.name, .computers): "general.name"
    case (.assetTag, .computers): "general.assetTag"
    case (.serialNumber, .computers): "hardware.serialNumber"
    case (.modelIdentifier, .computers): "hardware.modelIdentifier"
    case (.username, .computers): "userAndLocation.username"
    case (.realName, .computers): "userAndLocation.realname"
    case (.email, .computers): "userAndLocation.email"
    case (.room, .computers): "userAndLocation.room"
    case (.managed, .mobileDevices): "managed"
    case (.supervised, .mobileDevices): "supervised"
    case (.name, .mobileDevices): "displayName"
    case (.assetTag, .mobileDevices): "assetTag"
    case (.serialNumber, .mobileDevices): "serialNumber"
    case (.modelIdentifier, .mobileDevices): "modelIdentifier"
    case (.username, .mobileDevices): "username"
    default: nil
    }
  }
}
