/// What this module asks of Jamf Pro, and what Permissions Helper shows of it.
enum ReportsEndpoints {
  static let table = JamfActionTable(
    ReportsManifest.manifest,
    [
      JamfAction(
        id: "reports.snapshot", title: "Take a snapshot of the fleet",
        steps: [
          JamfStep("Read the computers", InventoryEndpoints.computers, of: [.computer]),
          JamfStep("Read the mobile devices", InventoryEndpoints.mobileDevices, of: [.mobileDevice]),
          JamfStep("Names of buildings", [buildings], isOptional: true),
          JamfStep("Names of departments", [departments], isOptional: true),
        ])
    ])

  static let buildings = JamfEndpoint("GET", "/api/v1/buildings", needs: [.readBuildings])
  static let departments = JamfEndpoint("GET", "/api/v1/departments", needs: [.readDepartments])
}
