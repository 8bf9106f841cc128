/// The calls that tell of the PreStages of one kind of device, the newest version first.
struct PrestageCalls: Sendable {
  let list: [JamfEndpoint]
  /// Who is in one.
  let scope: [JamfEndpoint]

  private init(_ path: String, lists: [Int], scopes: [Int], needs privilege: JamfPrivilege) {
    list = JamfEndpoint.versions(lists, "GET", path, needs: [privilege])
    scope = JamfEndpoint.versions(scopes, "GET", path + "/{}/scope", needs: [privilege])
  }

  // Jamf documents a third version of the list of computers', and none of who is in one.
  static let computers = PrestageCalls(
    "/api/v{v}/computer-prestages", lists: [3, 2, 1], scopes: [2, 1], needs: .readComputerPrestages)
  static let mobileDevices = PrestageCalls(
    "/api/v{v}/mobile-device-prestages", lists: [2, 1], scopes: [2, 1], needs: .readMobilePrestages)
}
