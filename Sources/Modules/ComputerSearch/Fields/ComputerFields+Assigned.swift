// What an organisation has given a computer.
extension ComputerFields {
  /// Groups, profiles, certificates and attachments.
  static let assigned: [InventoryField] = [
    shown("groupMemberships[].groupName", "Groups"),
    shown("configurationProfiles[].displayName", "Configuration profiles"),
    shown("configurationProfiles[].id", "Configuration profile IDs"),
    shown("configurationProfiles[].profileIdentifier", "Configuration profile identifiers"),
    shown("configurationProfiles[].username", "Configuration profile users"),
    shown("configurationProfiles[].lastInstalled", "Configuration profiles installed"),
    shown("configurationProfiles[].removable", "Removable configuration profiles"),
    shown("groupMemberships[].groupId", "Group IDs"),
    shown("groupMemberships[].smartGroup", "Smart groups"),
    shown("certificates[].commonName", "Certificates"),
    shown("certificates[].subjectName", "Certificate subjects"),
    shown("certificates[].username", "Certificate users"),
    shown("certificates[].serialNumber", "Certificate serial numbers"),
    shown("certificates[].sha1Fingerprint", "Certificate fingerprints (SHA-1)"),
    shown("certificates[].issuedDate", "Certificates issued"),
    shown("certificates[].expirationDate", "Certificates expire"),
    shown("certificates[].lifecycleStatus", "Certificate life cycle"),
    shown("certificates[].certificateStatus", "Certificate status"),
    shown("certificates[].identity", "Certificates of identity"),
    shown("attachments[].id", "Attachment IDs"),
    shown("attachments[].name", "Attachments"),
    shown("attachments[].fileType", "Attachment types"),
    shown("attachments[].sizeBytes", "Attachment sizes (bytes)"),
  ]

  /// The section PURCHASING.
  static let purchase: [InventoryField] = [
    found("purchasing.vendor", "Vendor"),
    found("purchasing.appleCareId", "AppleCare ID"),
    found("purchasing.purchased", "Purchased", .bool),
    found("purchasing.leased", "Leased", .bool),
    found("purchasing.lifeExpectancy", "Life expectancy (years)", .integer),
    found("purchasing.warrantyDate", "Warranty ends", .date),
    shown("purchasing.poNumber", "Purchase order"),
    shown("purchasing.poDate", "Ordered", .date),
    shown("purchasing.purchasePrice", "Purchase price"),
    shown("purchasing.leaseDate", "Lease ends", .date),
    shown("purchasing.purchasingAccount", "Purchasing account"),
    shown("purchasing.purchasingContact", "Purchasing contact"),
  ]
}
