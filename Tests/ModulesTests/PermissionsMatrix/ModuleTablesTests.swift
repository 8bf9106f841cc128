import ForsettiModuleKit
import Testing

@testable import ForsettiModules

/// The tables of the modules, held to the requests that the modules make.
@Suite struct ModuleTablesTests {
  private static let input = SupportActionInput(pin: "012345", message: "Lost")

  private func device(_ kind: SupportDeviceKind) -> SupportDevice {
    SupportDevice(kind, inventoryID: "12", name: "N", serial: "S", managementID: "a-1")
  }

  /// The requests of an action, as far as they are known before an answer.
  private func calls(_ action: SupportAction, _ kind: SupportDeviceKind) -> [SupportCall] {
    switch SupportProcedure(action, on: device(kind), Self.input) {
    case .send(let attempts, _), .reveal(let attempts, _), .countApplications(let attempts): attempts.calls
    case .revealLocalPassword, .rotateLocalPasswords, .setLocalPassword, nil: []
    }
  }

  @Test(
    "each request of a technician's action is in the table, in its order", arguments: SupportAction.allCases)
  func support(action: SupportAction) throws {
    for kind in action.kinds {
      let listed = SupportEndpoints.steps(of: action, on: kind).flatMap(\.endpoints)
      let calls = calls(action, kind)
      #expect(calls.isEmpty || calls.count == listed.count, "\(action) on \(kind)")
      for (call, endpoint) in zip(calls, listed) {
        #expect(endpoint.covers(method: call.method, path: call.path), "\(call.method) \(call.path)")
      }
    }
  }

  @Test("the table has every action of the technician for its kinds of device") func kinds() throws {
    for action in SupportAction.allCases {
      let row = try #require(SupportEndpoints.table.actions.first { $0.id == "support-technician.\(action)" })
      #expect(row.assets.count == action.kinds.count)
    }
  }

  @Test("every way to a whole record is in the table", arguments: SupportDeviceKind.allCases)
  func record(kind: SupportDeviceKind) {
    for call in SupportDetailCalls.record(of: SupportDeviceID(kind, "12")).calls {
      #expect(SupportEndpoints.table.covers(method: call.method, path: call.path), "\(call.path)")
    }
  }

  @Test("every list that a report reads is in the table", arguments: DeviceDomain.allCases)
  func reports(domain: DeviceDomain) {
    for path in InventorySource(domain, withAttributes: true).paths {
      #expect(ReportsEndpoints.table.covers(method: "GET", path: path), "\(path)")
    }
  }

  @Test("every list that a search reads is in its table")
  func searches() {
    for (subject, table) in [
      (SearchSubject.computers, ComputerSearchEndpoints.table),
      (.mobileDevices, MobileDeviceSearchEndpoints.table),
    ] {
      let prestages = (subject.prestages.list + subject.prestages.scope).map { $0.path("7") }
      for path in subject.route.versions + subject.attributePaths + prestages {
        #expect(table.covers(method: "GET", path: path), "\(path)")
      }
    }
  }

  private func needed(_ id: String, _ assets: Set<JamfAsset>) throws -> JamfRequirement {
    JamfRequirement(try #require(PermissionMatrix.rows.first { $0.action.id == id }).action, for: assets)
  }

  @Test("an order needs other things of other devices, and of both kinds all of them") func assets() throws {
    let id = "support-technician.eraseDevice"
    #expect(try needed(id, [.computer]).allOf == [.wipeComputers])
    #expect(try needed(id, [.mobileDevice]).allOf == [.wipeMobileDevices, .viewCommands])
    #expect(
      try needed(id, [.computer, .mobileDevice]).allOf == [.wipeComputers, .wipeMobileDevices, .viewCommands])
  }

  @Test("a refresh of a mobile device goes either of two ways, and one of a Mac needs the shorter")
  func ways() throws {
    let id = "support-technician.refreshInventory"
    #expect(try needed(id, [.computer]).allOf == [.sendCheckIn])
    #expect(
      try needed(id, [.mobileDevice]).anyOf == [[[.readMobileDevices, .sendInventory], [.sendCheckIn]]])
    #expect(try needed(id, [.computer, .mobileDevice]).anyOf.isEmpty)
  }

  @Test("what goes by the Classic API is flagged, and nothing else") func classic() throws {
    for row in PermissionMatrix.rows {
      let graph = PermissionGraph(row.action, for: Set(JamfAsset.allCases), held: nil)
      for node in graph.nodes where node.kind == .endpoint {
        #expect(node.flags.contains("classic") == node.title.contains(" /JSSResource/"), "\(node.title)")
      }
    }
    let wifi = try #require(PermissionMatrix.rows.first { $0.action.id == "support-technician.enableWifi" })
    let graph = PermissionGraph(wifi.action, for: [.computer], held: nil)
    #expect(graph.nodes.contains { $0.flags == ["classic"] })
  }
}
