/// What this module asks of Jamf Pro itself.
enum PermissionsEndpoints {
  /// Where Jamf Service tells what the account may do; it asks by the call below.
  static let held = "/forsetti/privileges"
  static let account = JamfEndpoint("GET", "/api/v1/auth", needs: [])
  static let catalogue = JamfEndpoint("GET", "/api/v1/api-role-privileges", needs: [.readRoles])

  static let table = JamfActionTable(
    PermissionsMatrixManifest.manifest,
    [
      JamfAction(
        id: "permissions-matrix.check", title: "Compare with the account",
        steps: [
          JamfStep("Ask what the account may do", [account]),
          JamfStep("Ask what this server knows of", [catalogue], isOptional: true),
        ])
    ])
}
