/// The parts of a computer's record that a client may ask for.
enum ComputerSection: String, Sendable, CaseIterable {
  case general = "GENERAL"
  case diskEncryption = "DISK_ENCRYPTION"
  case purchasing = "PURCHASING"
  case applications = "APPLICATIONS"
  case storage = "STORAGE"
  case userAndLocation = "USER_AND_LOCATION"
  case configurationProfiles = "CONFIGURATION_PROFILES"
  case printers = "PRINTERS"
  case services = "SERVICES"
  case hardware = "HARDWARE"
  case localUserAccounts = "LOCAL_USER_ACCOUNTS"
  case certificates = "CERTIFICATES"
  case attachments = "ATTACHMENTS"
  case plugins = "PLUGINS"
  case packageReceipts = "PACKAGE_RECEIPTS"
  case fonts = "FONTS"
  case security = "SECURITY"
  case operatingSystem = "OPERATING_SYSTEM"
  case licensedSoftware = "LICENSED_SOFTWARE"
  case ibeacons = "IBEACONS"
  case softwareUpdates = "SOFTWARE_UPDATES"
  case extensionAttributes = "EXTENSION_ATTRIBUTES"
  case contentCaching = "CONTENT_CACHING"
  case groupMemberships = "GROUP_MEMBERSHIPS"

  /// Its key in the record.
  var key: String { camelCase(rawValue) }

  /// What a version of the list knows: the second left out what nobody could use.
  static func known(to version: Int) -> [ComputerSection] {
    version == 1 ? allCases : allCases.filter { $0 != .plugins && $0 != .fonts }
  }
}

/// The parts of a mobile device's record.
enum MobileDeviceSection: String, Sendable, CaseIterable {
  case general = "GENERAL"
  case hardware = "HARDWARE"
  case userAndLocation = "USER_AND_LOCATION"
  case purchasing = "PURCHASING"
  case security = "SECURITY"
  case applications = "APPLICATIONS"
  case ebooks = "EBOOKS"
  case network = "NETWORK"
  case serviceSubscriptions = "SERVICE_SUBSCRIPTIONS"
  case certificates = "CERTIFICATES"
  case profiles = "PROFILES"
  case userProfiles = "USER_PROFILES"
  case provisioningProfiles = "PROVISIONING_PROFILES"
  case sharedUsers = "SHARED_USERS"
  case groups = "GROUPS"
  case extensionAttributes = "EXTENSION_ATTRIBUTES"

  /// Its key in the record.
  var key: String { camelCase(rawValue) }
}

/// `userAndLocation` of `USER_AND_LOCATION`.
private func camelCase(_ name: String) -> String {
  let words = name.lowercased().split(separator: "_")
  return (words.first.map(String.init) ?? "")
    + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
}
