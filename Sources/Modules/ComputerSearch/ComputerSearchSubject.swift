extension SearchSubject {
  /// Computers.
  static let computers = SearchSubject(
    viewID: "computer-search", noun: "computer", plural: "computers", unknownName: "Unknown Computer",
    catalogue: ComputerFields.catalogue,
    route: SearchRoute(
      versions: InventoryEndpoints.computers.map { $0.path() },
      sort: "general.name:asc", olderSections: [:], oldestSections: ["FONTS", "PLUGINS"]),
    nameKey: "general.name", idKey: "id", columns: ComputerFields.columns,
    identityKeys: ComputerFields.identityKeys, basicKeys: ComputerFields.basicKeys,
    listSections: ["GENERAL", "HARDWARE"],
    detailSections: [
      // Lists of all that is installed are long; whoever wants them has them as columns.
      "ATTACHMENTS", "CONFIGURATION_PROFILES", "CONTENT_CACHING", "DISK_ENCRYPTION", "EXTENSION_ATTRIBUTES",
      "GENERAL", "GROUP_MEMBERSHIPS", "HARDWARE", "IBEACONS", "LICENSED_SOFTWARE", "LOCAL_USER_ACCOUNTS",
      "OPERATING_SYSTEM", "PRINTERS", "PURCHASING", "SECURITY", "SOFTWARE_UPDATES", "STORAGE",
      "USER_AND_LOCATION",
    ],
    attributePaths: InventoryEndpoints.computerAttributes.map { $0.path() },
    classicAttributes: "computer_extension_attributes",
    attributePrefix: "cea_", summary: ComputerSummary.make, prestages: .computers,
    prestageKey: ComputerFields.prestage, serialKey: "hardware.serialNumber",
    store: "forsetti-computer-search")
}
