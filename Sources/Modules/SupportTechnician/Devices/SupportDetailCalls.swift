/// The requests for all that Jamf knows of one device, the newest version of the API first.
enum SupportDetailCalls {
  /// What a page of a computer shows; the sections that nobody reads here are not asked for.
  static let sections = [
    "GENERAL", "HARDWARE", "OPERATING_SYSTEM", "USER_AND_LOCATION", "SECURITY", "DISK_ENCRYPTION", "STORAGE",
    "APPLICATIONS", "CONFIGURATION_PROFILES", "LOCAL_USER_ACCOUNTS", "GROUP_MEMBERSHIPS",
    "EXTENSION_ATTRIBUTES", "ATTACHMENTS",
  ]

  static func record(of id: SupportDeviceID, sections: [String] = sections) -> SupportAttempts {
    switch id.kind {
    case .computer:
      let query = sections.map { ("section", $0) }
      return SupportAttempts(
        calls: [3, 2, 1].map { .get("/api/v\($0)/computers-inventory/\(id.inventoryID)", query) }
          + [.get("/api/v1/computers-inventory-detail/\(id.inventoryID)")])
    case .mobileDevice:
      return SupportAttempts(calls: [
        .get("/api/v2/mobile-devices/\(id.inventoryID)/detail"),
        .get("/api/v2/mobile-devices/\(id.inventoryID)"),
      ])
    }
  }
}
