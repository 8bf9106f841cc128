/// What this module asks of Jamf Pro, for Permissions Helper.
enum ComputerSearchEndpoints {
  static let table = JamfActionTable(
    ComputerSearchManifest.manifest,
    [
      action("search", "Search computers", [list]), action("detail", "Look at a computer", [list]),
      action("attributes", "Search by extension attributes", [list, attributes]),
    ])

  private static let list = JamfStep("Read the inventory", InventoryEndpoints.computers, of: [.computer])
  private static let attributes = JamfStep(
    "Read which attributes there are", InventoryEndpoints.computerAttributes, of: [.computer])

  private static func action(_ id: String, _ title: String, _ steps: [JamfStep]) -> JamfAction {
    JamfAction(id: "computer-search.\(id)", title: title, steps: steps)
  }
}
