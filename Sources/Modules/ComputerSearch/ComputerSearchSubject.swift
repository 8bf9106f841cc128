extension SearchSubject {
  /// Computers.
  static let computers = SearchSubject(
    viewID: "computer-search", noun: "computer", plural: "computers", unknownName: "Unknown Computer",
    catalogue: ComputerFields.catalogue,
    route: SearchRoute(
      versions: [
        "/api/v3/computers-inventory", "/api/v2/computers-inventory", "/api/v1/computers-inventory",
      ],
      sort: "general.name:asc", olderSections: [:]),
    nameKey: "general.name", idKey: "id", columns: ComputerFields.columns,
    identityKeys: ComputerFields.identityKeys, basicKeys: ComputerFields.basicKeys,
    listSections: ["GENERAL", "HARDWARE"],
    detailSections: [
      "CONFIGURATION_PROFILES", "DISK_ENCRYPTION", "EXTENSION_ATTRIBUTES", "GENERAL", "GROUP_MEMBERSHIPS",
      "HARDWARE",
      "OPERATING_SYSTEM", "PURCHASING", "SECURITY", "STORAGE", "USER_AND_LOCATION",
    ],
    attributePaths: ["/api/v2/computer-extension-attributes", "/api/v1/computer-extension-attributes"],
    classicAttributes: ("/JSSResource/computerextensionattributes", "computer_extension_attributes"),
    attributePrefix: "cea_", summary: ComputerSummary.make, store: "forsetti-computer-search")
}
