// What a mobile device has been given. Lists are texts: their values stand one behind the other.
extension MobileDeviceFields {
  /// Groups and profiles.
  static let assigned: [InventoryField] = [
    shown("groups", "Groups", "groups[].groupName"),
    shown("profiles", "Configuration profiles", "profiles[].displayName"),
    shown("groups[].groupId", "Group IDs", "groups[].groupId"),
    shown("groups[].groupDescription", "Group descriptions", "groups[].groupDescription"),
    shown("groups[].smart", "Smart groups", "groups[].smart"),
    shown("profiles[].identifier", "Configuration profile identifiers", "profiles[].identifier"),
    shown("profiles[].uuid", "Configuration profile UUIDs", "profiles[].uuid"),
    shown("profiles[].version", "Configuration profile versions", "profiles[].version"),
    shown("profiles[].removable", "Removable configuration profiles", "profiles[].removable"),
    shown("profiles[].lastInstalled", "Configuration profiles installed", "profiles[].lastInstalled"),
    shown("userProfiles[].displayName", "User profiles", "userProfiles[].displayName"),
    shown("userProfiles[].username", "User profile users", "userProfiles[].username"),
    shown("userProfiles[].identifier", "User profile identifiers", "userProfiles[].identifier"),
    shown("userProfiles[].uuid", "User profile UUIDs", "userProfiles[].uuid"),
    shown("userProfiles[].version", "User profile versions", "userProfiles[].version"),
    shown("userProfiles[].removable", "Removable user profiles", "userProfiles[].removable"),
    shown("userProfiles[].lastInstalled", "User profiles installed", "userProfiles[].lastInstalled"),
    shown(
      "provisioningProfiles[].displayName", "Provisioning profiles", "provisioningProfiles[].displayName"),
    shown("provisioningProfiles[].uuid", "Provisioning profile UUIDs", "provisioningProfiles[].uuid"),
    shown(
      "provisioningProfiles[].expirationDate", "Provisioning profiles expire",
      "provisioningProfiles[].expirationDate"),
    shown("certificates[].commonName", "Certificates", "certificates[].commonName"),
    shown("certificates[].identity", "Certificates of identity", "certificates[].identity"),
    shown("certificates[].expirationDate", "Certificates expire", "certificates[].expirationDate"),
  ]

  /// Applications and books.
  static let software: [InventoryField] = [
    shown("applications[].name", "Applications", "applications[].name"),
    shown("applications[].identifier", "Application identifiers", "applications[].identifier"),
    shown("applications[].version", "Application versions", "applications[].version"),
    shown("applications[].shortVersion", "Application short versions", "applications[].shortVersion"),
    shown("applications[].managementStatus", "Managed applications", "applications[].managementStatus"),
    shown("applications[].validationStatus", "Validated applications", "applications[].validationStatus"),
    shown("applications[].bundleSize", "Application sizes", "applications[].bundleSize"),
    shown("applications[].dynamicSize", "Application data sizes", "applications[].dynamicSize"),
    shown("ebooks[].title", "Books", "ebooks[].title"),
    shown("ebooks[].author", "Book authors", "ebooks[].author"),
    shown("ebooks[].version", "Book versions", "ebooks[].version"),
    shown("ebooks[].kind", "Kinds of books", "ebooks[].kind"),
    shown("ebooks[].managementState", "Managed books", "ebooks[].managementState"),
  ]
}
