import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct RemoteSupportTests {
  private static func device(_ kind: SupportDeviceKind = .computer, management: String? = "m")
    -> SupportDevice
  {
    SupportDevice(kind, inventoryID: "12", name: "MAC-12", serial: "C12", managementID: management)
  }

  private static func operation(
    _ order: SupportOrder, _ state: SupportOperation.State, device: String = "12", note: String? = nil
  ) -> SupportOperation {
    SupportOperation(
      id: "1", order: order, device: SupportDeviceID(.computer, device), deviceName: "MAC-12",
      hasTicket: false,
      note: note, begun: 1, state: state)
  }

  private static let stateCases: [(SupportOrder, SupportOperation.State, RemoteSupportState)] = [
    (.enableRemoteDesktop, .sending, .queueingEnable),
    (.enableRemoteDesktop, .following(uuid: "u"), .waitingForCheckIn),
    (.enableRemoteDesktop, .timedOut, .waitingForCheckIn),
    (.enableRemoteDesktop, .accepted, .readinessUnknown),
    (.enableRemoteDesktop, .uncertain("cut"), .readinessUnknown), (.enableRemoteDesktop, .done, .readyToOpen),
    (.enableRemoteDesktop, .failed("no"), .failed("no")), (.disableRemoteDesktop, .sending, .queueingDisable),
    (.disableRemoteDesktop, .following(uuid: "u"), .queueingDisable), (.disableRemoteDesktop, .done, .ended),
    (.disableRemoteDesktop, .accepted, .ended), (.disableRemoteDesktop, .failed("no"), .cleanupNeeded("no")),
    (.disableRemoteDesktop, .uncertain("cut"), .cleanupNeeded("cut")),
    (.action(.restartDevice), .done, .readyToPrepare),
  ]

  @Test("where remote support stands follows from the last order", arguments: stateCases)
  func follows(order: SupportOrder, state: SupportOperation.State, expected: RemoteSupportState) {
    let found = RemoteSupportState(Self.device(), [Self.operation(order, state)])
    #expect(found == expected)
    // Only what is known to be on may be opened, and whatever may be on can be ended.
    #expect(found.mayOpen == (found == .readyToOpen))
    if found.mayOpen { #expect(found.mayEnd) }
    #expect(!found.title.isEmpty && !found.advice.isEmpty)
  }

  @Test("the words of a badge are those that technicians know") func titles() {
    let titles: [(RemoteSupportState, String)] = [
      (.readyToPrepare, "Ready"), (.waitingForCheckIn, "Waiting for Check-In"),
      (.readyToOpen, "Ready to Open"), (.cleanupNeeded("no"), "Cleanup Needed"), (.ended, "Ended"),
    ]
    for (state, title) in titles { #expect(state.title == title) }
    #expect(RemoteSupportState.failed("The Mac said no.").advice.contains("The Mac said no."))
  }

  @Test("who may have none has none, and other Macs' orders are not its own") func others() {
    #expect(RemoteSupportState(Self.device(.mobileDevice), []) == .unsupported)
    #expect(RemoteSupportState(Self.device(management: nil), []) == .needsManagementID)
    let other = Self.operation(.enableRemoteDesktop, .done, device: "13")
    #expect(RemoteSupportState(Self.device(), [other]) == .readyToPrepare)
    let left = Self.operation(.leaveRemoteDesktop, .done, note: "the user asked")
    let on = Self.operation(.enableRemoteDesktop, .done)
    #expect(RemoteSupportState(Self.device(), [left, on]) == .leftOn("the user asked"))
    #expect(RemoteSupportState(Self.device(), [on, left]) == .readyToOpen)
  }

  private static func hints(_ change: (inout RemoteTarget.Hints) -> Void) -> RemoteTarget.Hints {
    var hints = RemoteTarget.Hints(serial: "C02ABC")
    change(&hints)
    return hints
  }

  private static let targetCases: [(RemoteTarget.Hints, String?, RemoteTarget.Confidence?)] = [
    (
      hints { ($0.override, $0.reportedIPv4) = ("mac.example.invalid", "192.0.2.1") },
      "vnc://mac.example.invalid", .high
    ),
    (hints { ($0.reportedIPv4, $0.address) = ("192.0.2.1", "192.0.2.2") }, "vnc://192.0.2.1", .medium),
    (hints { ($0.address, $0.reportedAddress) = ("192.0.2.2", "192.0.2.3") }, "vnc://192.0.2.2", .medium),
    (hints { $0.reportedAddress = "2001:db8::7" }, "vnc://[2001:db8::7]", .medium),
    (hints { $0.displayName = "mac.example.invalid" }, "vnc://mac.example.invalid", .medium),
    (hints { $0.displayName = "MAC-7" }, "vnc://MAC-7.local", .low),
    (hints { $0.displayName = "Ann's Mac" }, nil, nil), (hints { $0.displayName = "C02ABC" }, nil, nil),
    (hints { ($0.override, $0.displayName) = ("c02abc", "MAC-7") }, "vnc://MAC-7.local", .low),
    (hints { ($0.override, $0.displayName) = ("a b", "MAC-7") }, "vnc://MAC-7.local", .low),
    (hints { $0.override = "a/b@c" }, nil, nil), (hints { _ in }, nil, nil),
  ]

  @Test("a viewer is pointed at the best that is known, never at a serial number", arguments: targetCases)
  func target(hints: RemoteTarget.Hints, url: String?, confidence: RemoteTarget.Confidence?) {
    let target = RemoteTarget(hints)
    #expect(target?.url == url)
    #expect(target?.confidence == confidence)
  }
}
