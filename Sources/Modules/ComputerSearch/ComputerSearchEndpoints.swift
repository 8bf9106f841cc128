/// What this module asks of Jamf Pro, for Permissions Helper.
enum ComputerSearchEndpoints {
  static let table = JamfActionTable(
    ComputerSearchManifest.manifest,
    [
      action("search", "Search computers", [list] + prestages),
      action("detail", "Look at a computer", [list]),
      action("attributes", "Search by extension attributes", [list, attributes]),
    ])

  private static let list = JamfStep("Read the inventory", InventoryEndpoints.computers, of: [.computer])
  private static let attributes = JamfStep(
    "Read which attributes there are", InventoryEndpoints.computerAttributes, of: [.computer])

  /// Asked for where the PreStage is shown or compared.
  private static let prestages = [
    JamfStep("List the PreStages", PrestageCalls.computers.list, of: [.computer], isOptional: true),
    JamfStep("Read who is in them", PrestageCalls.computers.scope, of: [.computer], isOptional: true),
  ]

  private static func action(_ id: String, _ title: String, _ steps: [JamfStep]) -> JamfAction {
    JamfAction(id: "computer-search.\(id)", title: title, steps: steps)
  }
}
