/// The calls that this module makes, the newest version first: where a server lacks one, the next is asked.
enum PrestageEndpoints {
  private static let base = "/api/v{v}/mobile-device-prestages"
  private static let update = [JamfPrivilege.updateMobilePrestages]

  static let list = PrestageCalls.mobileDevices.list
  static let scope = PrestageCalls.mobileDevices.scope
  static let add = JamfEndpoint.versions([2, 1], "POST", base + "/{}/scope", needs: update)
  static let remove =
    JamfEndpoint.versions([2], "POST", base + "/{}/scope/delete-multiple", needs: update)
    + JamfEndpoint.versions([1], "DELETE", base + "/{}/scope", needs: update)
  /// Names and models of the devices on the page.
  static let devices = InventoryEndpoints.mobileDevices
}

extension PrestageEndpoints {
  /// For Permissions Helper.
  static let table = JamfActionTable(
    PrestageDirectorManifest.manifest,
    [
      action("browse", "Look at PreStages and their devices", [names]),
      action("find", "Find the PreStage of a device", []), action("plan", "Plan a move or a removal", []),
      action("remove", "Remove devices from their PreStages", [taking]),
      action("move", "Move devices to another PreStage", [taking, step("Add to the new one", add)]),
    ])

  private static let names = step("Names and models of the devices", devices, isOptional: true)
  private static let taking = step("Take out of the old ones", remove)

  /// All of them read the PreStages first.
  private static func action(_ id: String, _ title: String, _ steps: [JamfStep]) -> JamfAction {
    JamfAction(
      id: "prestage-director.\(id)", title: title,
      steps: [step("List the PreStages", list), step("Read who is in them", scope)] + steps)
  }

  private static func step(_ title: String, _ endpoints: [JamfEndpoint], isOptional: Bool = false) -> JamfStep
  {
    JamfStep(title, endpoints, of: [.mobileDevice], isOptional: isOptional)
  }
}
