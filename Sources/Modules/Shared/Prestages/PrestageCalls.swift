/// The calls that tell of the PreStages of one kind of device, the newest version first.
struct PrestageCalls: Sendable {
  let list: [JamfEndpoint]
  /// Who is in one.
  let scope: [JamfEndpoint]

  private init(_ versions: [Int], _ path: String, needs privilege: JamfPrivilege) {
    list = JamfEndpoint.versions(versions, "GET", path, needs: [privilege])
    scope = JamfEndpoint.versions(versions, "GET", path + "/{}/scope", needs: [privilege])
  }

  static let computers = PrestageCalls(
    [3, 2, 1], "/api/v{v}/computer-prestages", needs: .readComputerPrestages)
  static let mobileDevices = PrestageCalls(
    [2, 1], "/api/v{v}/mobile-device-prestages", needs: .readMobilePrestages)
}
