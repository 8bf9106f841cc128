import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct SupportActionTests {
  private static func device(_ kind: SupportDeviceKind, id: String? = "12", management: String? = "a-1")
    -> SupportDevice
  {
    SupportDevice(kind, inventoryID: id, name: "MAC-12", serial: "C02", managementID: management)
  }

  private static let input = SupportActionInput(pin: "012345", message: "Lost & found")

  @Test("twenty-nine actions, each with a title of its own and a word before it where it must be typed")
  func catalogue() {
    #expect(SupportAction.allCases.count == 29)
    #expect(Set(SupportAction.allCases.map(\.title)).count == 29)
    #expect(SupportAction.allCases.count { $0.isTyped } == 17)
    for action in SupportAction.allCases {
      #expect((action.consequence != nil) == action.isTyped, "\(action)")
      #expect(!(action.isTyped && action.revealsSecret), "\(action)")
      // It has a place and states of its own.
      #expect(!action.title.lowercased().contains("remote"), "\(action)")
    }
  }

  private static let availabilityCases: [(SupportAction, SupportDevice, SupportAvailability)] = [
    (.refreshInventory, device(.computer, management: nil), .available),
    (.refreshInventory, device(.mobileDevice, management: nil), .available),
    (.blankPush, device(.computer, management: nil), .blocked(.managementID)),
    (.blankPush, device(.computer, id: nil, management: nil), .blocked(.inventoryID)),
    (.logOutUser, device(.mobileDevice, id: nil), .unsupported(.mobileDevice)),
    (.enableLostMode, device(.computer), .unsupported(.computer)),
    (.viewLAPSAccountPassword, device(.computer, management: nil), .blocked(.managementID)),
    (.viewLAPSAccountPassword, device(.computer), .permissionSensitive),
    (.viewFileVaultPersonalRecoveryKey, device(.computer, management: nil), .permissionSensitive),
    (.eraseDevice, device(.computer, management: nil), .confirmationRequired),
    (.eraseDevice, device(.mobileDevice, management: nil), .blocked(.managementID)),
    (.discoverApplications, device(.computer, management: nil), .available),
    (.discoverApplications, device(.mobileDevice, management: nil), .blocked(.managementID)),
    (.disableWifi, device(.computer, management: nil), .confirmationRequired),
  ]

  @Test("what stands in an action's way first is what is named", arguments: availabilityCases)
  func availability(action: SupportAction, device: SupportDevice, expected: SupportAvailability) {
    let found = SupportAvailability(action, on: device)
    #expect(found == expected)
    if case .blocked(let missing) = found { #expect(found.reason.contains(missing.rawValue)) }
    #expect((SupportProcedure(action, on: device, Self.input) != nil) == found.isPossible)
  }

  @Test("every action that is possible has a way", arguments: SupportAction.allCases)
  func possible(action: SupportAction) {
    for kind in SupportDeviceKind.allCases {
      let device = Self.device(kind)
      #expect(
        (SupportProcedure(action, on: device, Self.input) != nil)
          == SupportAvailability(action, on: device).isPossible)
    }
  }

  private static let ordersCases: [(SupportAction, SupportDeviceKind, [String])] = [
    (
      .refreshInventory, .computer,
      ["POST /api/v1/ddm/a-1/sync", "POST /JSSResource/computercommands/command/UpdateInventory/id/12 "]
    ),
    (.blankPush, .mobileDevice, [#"POST /api/v2/mdm/blank-push {"clientManagementIds":["a-1"]}"#]),
    (
      .restartDevice, .computer,
      [
        #"POST /api/v2/mdm/commands {"clientData":[{"managementId":"a-1"}],"#
          + #""commandData":{"commandType":"RESTART_DEVICE"}}"#
      ]
    ),
    (
      .sendDeviceLock, .computer,
      [
        #"POST /api/v2/mdm/commands {"clientData":[{"managementId":"a-1"}],"#
          + #""commandData":{"commandType":"DEVICE_LOCK","pin":"012345"}}"#
      ]
    ),
    (
      .sendDeviceLock, .mobileDevice,
      [
        #"POST /api/v2/mdm/commands {"clientData":[{"managementId":"a-1"}],"#
          + #""commandData":{"commandType":"DEVICE_LOCK"}}"#
      ]
    ),
    (
      .enableLostMode, .mobileDevice,
      [
        #"POST /api/v2/mdm/commands {"clientData":[{"managementId":"a-1"}],"#
          + #""commandData":{"commandType":"ENABLE_LOST_MODE","lostModeMessage":"Lost & found"}}"#
      ]
    ),
    (.eraseDevice, .computer, [#"POST /api/v1/computer-inventory/12/erase {"pin":"012345"}"#]),
    (
      .eraseDevice, .mobileDevice,
      [
        #"POST /api/v2/mdm/commands {"clientData":[{"managementId":"a-1"}],"#
          + #""commandData":{"commandType":"ERASE_DEVICE"}}"#
      ]
    ),
    (
      .disableBluetooth, .computer,
      ["POST /JSSResource/computercommands/command/SettingsDisableBluetooth/id/12 "]
    ),
    (
      .enableWifi, .mobileDevice,
      [
        #"POST /JSSResource/mobiledevicecommands/command <?xml version="1.0" encoding="UTF-8"?>"#
          + "<mobile_device_command><general><command>SettingsEnableWifi</command></general>"
          + "<mobile_devices><mobile_device><id>12</id></mobile_device></mobile_devices></mobile_device_command>"
      ]
    ),
    (
      .scheduleOSUpdate, .mobileDevice,
      [
        #"POST /api/v1/managed-software-updates/plans {"devices":[{"objectType":"MOBILE_DEVICE","deviceId":"12"}],"#
          + #""config":{"updateAction":"DOWNLOAD_INSTALL_ALLOW_DEFERRAL","versionType":"LATEST_ANY","maxDeferrals":3}}"#
      ]
    ),
    (.enableFileVault, .computer, ["POST /api/v1/jamf-management-framework/redeploy/12"]),
    (
      .viewDeviceLockPIN, .computer,
      [
        "GET /api/v3/computers-inventory/12/view-device-lock-pin",
        "GET /api/v2/computers-inventory/12/view-device-lock-pin",
        "GET /api/v1/computers-inventory/12/view-device-lock-pin",
      ]
    ),
  ]

  @Test("an action is the requests that Jamf documents, in their order", arguments: ordersCases)
  func orders(action: SupportAction, kind: SupportDeviceKind, expected: [String]) throws {
    let calls: [SupportCall]
    switch try #require(SupportProcedure(action, on: Self.device(kind), Self.input)) {
    case .send(let attempts, _), .reveal(let attempts, _), .countApplications(let attempts):
      calls = attempts.calls
    case .revealLocalPassword, .rotateLocalPasswords, .setLocalPassword: calls = []
    }
    #expect(calls.map(\.line) == expected)
  }

  @Test("a code that only the technician may know goes with locks of Macs and with erasing them")
  func codes() throws {
    let kept = SupportAction.allCases.filter { action in
      guard
        case .send(_, .some(let secret)) = SupportProcedure(action, on: Self.device(.computer), Self.input)
      else { return false }
      return secret.value == "012345"
    }
    #expect(kept == [.sendDeviceLock, .eraseDevice])
  }

  private static let acceptedCases: [(String, [String])] = [
    (#"[{"id":"u-1","href":"/v2/mdm/commands/u-1"},{"id":"u-2"}]"#, ["u-1", "u-2"]),
    (#"{"deviceId":"1","commandUuid":"u-3"}"#, ["u-3"]), (#"{"id":"u-4"}"#, ["u-4"]), ("null", []),
    (#"{"commandUuid":"../../1"}"#, []), (#"[{"id":{"deep":1}}]"#, []),
  ]

  @Test("the commands that Jamf made are read from each of its answers", arguments: acceptedCases)
  func accepted(text: String, expected: [String]) throws {
    #expect(MDMOrder.commandUUIDs(in: try supportTree(text)) == expected)
  }

  private static let xmlCases: [(String, [String])] = [
    (
      "<?xml version=\"1.0\"?><computer_command><command><name>X</name><command_uuid>u-1</command_uuid>"
        + "</command></computer_command>", ["u-1"]
    ),
    ("<command><uuid> u-2 </uuid></command>", ["u-2"]), ("<html>no</html>", []), ("", []),
    ("<command_uuid>a b</command_uuid>", []), ("<<<>>>", []),
  ]

  @Test("and from the Classic API's", arguments: xmlCases) func classic(text: String, expected: [String]) {
    #expect(MDMOrder.commandUUIDs(inXML: Array(text.utf8)) == expected)
  }

  @Test("a text in XML can't end its element")
  func escaped() { #expect(XMLText.escaped("a<b>&\"'\u{1}c") == "a&lt;b&gt;&amp;&quot;&apos;c") }
}

extension SupportCall {
  fileprivate var line: String {
    let text =
      switch body {
      case .none: ""
      case .json(let value): " " + JSONWriter.text(value)
      case .xml(let text): " " + text
      case .form(let form): " " + form.contentType
      }
    return "\(method) \(path)\(text)"
  }
}
