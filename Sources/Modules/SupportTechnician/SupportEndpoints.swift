/// What this module asks of Jamf Pro, for Permissions Helper.
enum SupportEndpoints {
  static let table = JamfActionTable(
    SupportTechnicianManifest.manifest,
    looking + acting + localAccounts + notes + remote + administrators + applications)

  // MARK: - Looking

  private static let looking = [
    action(
      "search", "Search all devices",
      [
        JamfStep("Search the Macs", InventoryEndpoints.computers, of: [.computer]),
        JamfStep("Search the mobile devices", InventoryEndpoints.mobileDevices, of: [.mobileDevice]),
      ]),
    action("detail", "Look at a device", record),
    action(
      "history", "Read the commands of a device",
      [
        JamfStep("Read the commands", commands + macHistory, of: [.computer]),
        JamfStep("Read the commands", commands + deviceHistory, of: [.mobileDevice]),
      ]),
  ]

  private static let macRecord =
    JamfEndpoint.versions([3, 2, 1], "GET", "/api/v{v}/computers-inventory/{}", needs: [.readComputers])
    + [JamfEndpoint("GET", "/api/v1/computers-inventory-detail/{}", needs: [.readComputers])]
  private static let record = [
    JamfStep("Read the Mac", macRecord, of: [.computer]),
    JamfStep(
      "Read the mobile device",
      ["/api/v2/mobile-devices/{}/detail", "/api/v2/mobile-devices/{}"].map {
        JamfEndpoint("GET", $0, needs: [.readMobileDevices])
      }, of: [.mobileDevice]),
  ]
  private static let commands = [JamfEndpoint("GET", "/api/v2/mdm/commands", needs: [.viewCommands])]
  private static let macHistory = [
    JamfEndpoint("GET", "/JSSResource/computerhistory/id/{}", needs: [.readComputers])
  ]
  private static let deviceHistory = [
    JamfEndpoint("GET", "/JSSResource/mobiledevicehistory/id/{}", needs: [.readMobileDevices])
  ]

  // MARK: - Acting

  private static let acting = SupportAction.allCases.map { action in
    let orders = action.kinds.flatMap { kind in steps(of: action, on: kind) }
    let hasOutcome = !(action.revealsSecret || action == .rotateLAPSPassword || action == .scheduleOSUpdate)
    let following = JamfStep(
      "Follow it to its end", commands, of: Set(action.kinds.map(\.asset)), isOptional: true)
    return Self.action(action.rawValue, action.title, orders + (hasOutcome ? [following] : []))
  }

  /// What an action takes on a kind of device; each step has its ways in the order in which they are tried.
  static func steps(of action: SupportAction, on kind: SupportDeviceKind) -> [JamfStep] {
    switch action {
    case .viewLAPSAccountPassword, .viewJamfManagementAccountPassword: [accounts, password]
    case .rotateLAPSPassword: [accounts, passwords]
    default: [JamfStep(action.title, endpoints(of: action, on: kind), of: [kind.asset])]
    }
  }

  private static func endpoints(of action: SupportAction, on kind: SupportDeviceKind) -> [JamfEndpoint] {
    switch action {
    case .refreshInventory:
      [
        JamfEndpoint("POST", "/api/v1/ddm/{}/sync", needs: [.sendCheckIn]),
        classic("UpdateInventory", kind == .computer ? .sendCheckIn : .sendInventory, on: kind),
      ]
    case .enableBluetooth: [classic("SettingsEnableBluetooth", bluetooth(kind), on: kind)]
    case .disableBluetooth: [classic("SettingsDisableBluetooth", bluetooth(kind), on: kind)]
    case .enableWifi: [classic("SettingsEnableWifi", .sendCheckIn, on: kind)]
    case .disableWifi: [classic("SettingsDisableWifi", .sendCheckIn, on: kind)]
    case .enableFileVault, .redeployManagementFramework:
      [JamfEndpoint("POST", "/api/v1/jamf-management-framework/redeploy/{}", needs: [.sendFramework])]
    case .blankPush: [JamfEndpoint("POST", "/api/v2/mdm/blank-push", needs: [.sendCheckIn])]
    case .scheduleOSUpdate:
      [JamfEndpoint("POST", "/api/v1/managed-software-updates/plans", needs: [.createUpdatePlans])]
    case .eraseDevice where kind == .computer:
      [JamfEndpoint("POST", "/api/v1/computer-inventory/{}/erase", needs: [.wipeComputers])]
    case .discoverApplications where kind == .computer: macRecord
    case .viewFileVaultPersonalRecoveryKey: secret("filevault", .viewRecoveryKeys)
    case .viewRecoveryLockPassword: secret("view-recovery-lock-password", .viewRecoveryLocks)
    case .viewDeviceLockPIN: secret("view-device-lock-pin", .viewRecoveryLocks)
    default: [order(privilege(of: action, on: kind))]
    }
  }

  /// What an MDM command needs beside the right to see commands.
  private static func privilege(of action: SupportAction, on kind: SupportDeviceKind) -> JamfPrivilege {
    switch action {
    case .restartDevice: .restartDevices
    case .shutDownDevice: .shutDownDevices
    case .sendDeviceLock: kind == .computer ? .lockComputers : .lockMobileDevices
    case .eraseDevice: kind == .computer ? .wipeComputers : .wipeMobileDevices
    case .clearPasscode: .clearPasscodes
    case .clearRestrictionsPassword: .clearRestrictions
    case .enableLostMode, .disableLostMode, .playLostModeSound, .requestDeviceLocation: .loseDevices
    case .refreshCellularPlans: .refreshCellularPlans
    case .discoverApplications: .sendInventory
    default: .sendCheckIn
    }
  }

  private static func order(_ privilege: JamfPrivilege) -> JamfEndpoint {
    JamfEndpoint("POST", "/api/v2/mdm/commands", needs: [.viewCommands, privilege])
  }

  private static func bluetooth(_ kind: SupportDeviceKind) -> JamfPrivilege {
    kind == .computer ? .bluetoothComputers : .bluetoothMobileDevices
  }

  /// An order of the Classic API. Of mobile devices its name stands in the body.
  private static func classic(_ name: String, _ privilege: JamfPrivilege, on kind: SupportDeviceKind)
    -> JamfEndpoint
  {
    switch kind {
    case .computer:
      JamfEndpoint(
        "POST", "/JSSResource/computercommands/command/\(name)/id/{}", needs: [.readComputers, privilege])
    case .mobileDevice:
      JamfEndpoint(
        "POST", "/JSSResource/mobiledevicecommands/command", needs: [.readMobileDevices, privilege])
    }
  }

  // MARK: - Secrets

  private static func secret(_ name: String, _ privilege: JamfPrivilege) -> [JamfEndpoint] {
    JamfEndpoint.versions([3, 2, 1], "GET", "/api/v{v}/computers-inventory/{}/\(name)", needs: [privilege])
  }

  private static let local = "/api/v2/local-admin-password/{}"
  private static let accounts = JamfStep(
    "Read which accounts Jamf manages",
    [JamfEndpoint("GET", local + "/accounts", needs: [.viewLocalPasswords])], of: [.computer])
  private static let password = JamfStep(
    "Read the password",
    ["/account/{}/{}/password", "/account/{}/password"].map {
      JamfEndpoint("GET", local + $0, needs: [.viewLocalPasswords])
    }, of: [.computer])
  private static let passwords = JamfStep(
    "Set new passwords", [JamfEndpoint("PUT", local + "/set-password", needs: [.sendLocalPasswords])],
    of: [.computer])

  private static let localAccounts = [
    action("localPassword", "Set a new password for a local administrator", [accounts, passwords])
  ]

  // MARK: - Notes

  /// How a file comes to the record of a Mac.
  static let attachments = JamfEndpoint.versions(
    [3, 2, 1], "POST", "/api/v{v}/computers-inventory/{}/attachments", needs: [.updateComputers])
  private static let notes = [
    action("note", "Attach a note to a Mac", [JamfStep("Upload the file", attachments, of: [.computer])])
  ]

  // MARK: - Remote support

  private static let remote = [
    action(
      "remote", "Enable and disable remote desktop",
      [JamfStep("Send the command", [order(.desktopComputers)], of: [.computer])])
  ]

  // MARK: - Temporary administrators

  private static let group = "/api/v2/computer-groups/static-groups/{}"
  private static let administrators = [
    action(
      "administrator", "Give administrator rights for a time, and take them away",
      [
        JamfStep(
          "Read who is in the group", [JamfEndpoint("GET", group, needs: [.readStaticGroups])],
          of: [.computer]),
        JamfStep(
          "Change who is in it",
          [JamfEndpoint("PUT", group, needs: [.readStaticGroups, .updateStaticGroups])], of: [.computer]),
        JamfStep("Read what the Mac reports", macRecord, of: [.computer]),
      ])
  ]

  // MARK: - Applications

  private static let applicationSteps = [
    JamfStep("Ask what the account may do", [PermissionsEndpoints.account], of: [.computer]),
    step("Make the script", "POST", "/api/v1/scripts", .createScripts),
    step("Make the policy", "POST", "/JSSResource/policies/id/{}", .createPolicies),
    step("Have the Mac check in", "POST", "/api/v2/mdm/blank-push", .sendCheckIn),
    JamfStep("Read the applications of the Mac", macRecord, of: [.computer]),
    step("Delete the policy", "DELETE", "/JSSResource/policies/id/{}", .deletePolicies),
    step("Delete the script", "DELETE", "/api/v1/scripts/{}", .deleteScripts),
  ]
  private static let applications = [
    action("application", "Install or remove an application of a Mac", applicationSteps)
  ]

  private static func step(
    _ title: String, _ method: String, _ pattern: String, _ privilege: JamfPrivilege
  ) -> JamfStep {
    JamfStep(title, [JamfEndpoint(method, pattern, needs: [privilege])], of: [.computer])
  }

  // MARK: - What the account must hold, by Jamf's own names

  /// For an action on a kind of device, in the way that is tried first.
  static func privileges(of action: SupportAction, on kind: SupportDeviceKind) -> [String] {
    names(steps(of: action, on: kind))
  }

  /// For a new password of one local administrator.
  static let localPasswordPrivileges = names(localAccounts.flatMap(\.steps))
  /// For notes.
  static let notePrivileges = names(notes.flatMap(\.steps))
  /// For switching remote desktop on and off.
  static let remotePrivileges = names(remote.flatMap(\.steps))
  /// For temporary administrators.
  static let administratorPrivileges = names(administrators.flatMap(\.steps))
  /// For changing an application.
  static let applicationPrivileges = names(applicationSteps)

  private static func names(_ steps: [JamfStep]) -> [String] {
    var known: Set<JamfPrivilege> = []
    let all = steps.compactMap(\.endpoints.first).flatMap(\.privileges)
    return all.filter { known.insert($0).inserted }.map(\.rawValue)
  }

  private static func action(_ id: String, _ title: String, _ steps: [JamfStep]) -> JamfAction {
    JamfAction(id: "support-technician.\(id)", title: title, steps: steps)
  }
}

extension SupportDeviceKind {
  fileprivate var asset: JamfAsset { self == .computer ? .computer : .mobileDevice }
}
