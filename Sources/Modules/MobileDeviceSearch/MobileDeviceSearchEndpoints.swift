/// What this module asks of Jamf Pro, for Permissions Helper.
enum MobileDeviceSearchEndpoints {
  static let table = JamfActionTable(
    MobileDeviceSearchManifest.manifest,
    [
      action("search", "Search mobile devices", [list] + prestages),
      action("detail", "Look at a mobile device", [list]),
      action("attributes", "Search by extension attributes", [list, attributes]),
    ])

  private static let list = JamfStep(
    "Read the inventory", InventoryEndpoints.mobileDevices, of: [.mobileDevice])
  private static let attributes = JamfStep(
    "Read which attributes there are", InventoryEndpoints.mobileAttributes, of: [.mobileDevice])

  /// Asked for where the PreStage is shown or compared.
  private static let prestages = [
    JamfStep("List the PreStages", PrestageCalls.mobileDevices.list, of: [.mobileDevice], isOptional: true),
    JamfStep("Read who is in them", PrestageCalls.mobileDevices.scope, of: [.mobileDevice], isOptional: true),
  ]

  private static func action(_ id: String, _ title: String, _ steps: [JamfStep]) -> JamfAction {
    JamfAction(id: "mobile-device-search.\(id)", title: title, steps: steps)
  }
}
