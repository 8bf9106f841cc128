extension SearchSubject {
  /// Phones and tablets.
  static let mobileDevices = SearchSubject(
    viewID: "mobile-device-search", noun: "mobile device", plural: "mobile devices",
    unknownName: "Unknown Device", catalogue: MobileDeviceFields.catalogue,
    route: SearchRoute(
      versions: InventoryEndpoints.mobileDevices.map { $0.path() }, sort: "displayName:asc",
      olderSections: [
        "USER_AND_LOCATION": "LOCATION", "PROFILES": "CONFIGURATION_PROFILES",
        "GROUPS": "MOBILE_DEVICE_GROUPS",
      ]),
    nameKey: "displayName", idKey: "mobileDeviceId", columns: MobileDeviceFields.columns,
    identityKeys: MobileDeviceFields.identityKeys, basicKeys: MobileDeviceFields.identityKeys,
    listSections: ["GENERAL", "HARDWARE"],
    detailSections: [
      "APPLICATIONS", "CERTIFICATES", "EBOOKS", "EXTENSION_ATTRIBUTES", "GENERAL", "GROUPS", "HARDWARE",
      "NETWORK", "PROFILES", "PROVISIONING_PROFILES", "PURCHASING", "SECURITY", "SERVICE_SUBSCRIPTIONS",
      "SHARED_USERS", "USER_AND_LOCATION", "USER_PROFILES",
    ],
    attributePaths: InventoryEndpoints.mobileAttributes.map { $0.path() },
    classicAttributes: "mobile_device_extension_attributes",
    attributePrefix: "ea_", summary: MobileDeviceSummary.make, prestages: .mobileDevices,
    prestageKey: MobileDeviceFields.prestage, serialKey: "serialNumber",
    store: "forsetti-mobile-device-search")
}
