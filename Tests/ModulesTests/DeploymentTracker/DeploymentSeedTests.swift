import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("The data of the demo") struct DeploymentSeedTests {
  private static let state = DeploymentSeed.state()
  private static let devices = state.sortedDevices

  @Test("are the same each time, and enough to look at")
  func counts() {
    #expect(DeploymentSeed.state() == Self.state)
    #expect(Self.devices.count == 120)
    #expect(
      DeploymentDevice.Kind.allCases.map { kind in Self.devices.count { $0.kind == kind } } == [53, 43, 24])
    #expect(Self.state.projects.count == 6)
    #expect(Self.state.exceptions().count == 12)
    #expect(Self.state.audit.count == 54)
    #expect(DeploymentLayout.builtIn.count == 4)
    #expect(Set(Self.devices.map(\.status)).count == 24)
  }

  @Test("name nobody and nothing that exists")
  func harmless() throws {
    for serial in ["DEMO-MAC-0001", "DEMO-IPAD-0001", "DEMO-IPAD-0021", "DEMO-IPHONE-0001"] {
      _ = try Self.state.device(serial)
    }
    for device in Self.devices {
      #expect(device.text(.email).hasSuffix("@example.invalid"))
      #expect(device.serial.hasPrefix("DEMO-"))
      #expect(device.text(.ticket).isEmpty || device.text(.ticket).hasPrefix("DEMO-SD-"))
    }
  }

  @Test("tell what other systems said before, of devices of the demo alone")
  func history() {
    let history = Self.state.history
    #expect(history.business.count == 30)
    #expect(history.preloads.count == 30)
    #expect(history.catalogue.count == 20)
    #expect(Set(history.catalogue.map(\.model.partNumber)).count == 20)
    #expect(
      history.submissions.map(\.state) == [
        .submitted, .submitted, .failed, .submitted, .reconciled, .submitted, .submitted, .submitted,
      ])
    #expect(
      history.serviceDeskJobs.map(\.state) == [.exported, .failed] + Array(repeating: .exported, count: 4))
    let handedOver = (history.submissions + history.serviceDeskJobs).flatMap(\.devices)
    let serials = history.business.map(\.serial) + history.preloads.map(\.serial) + handedOver
    #expect(serials.allSatisfy { Self.state.devices[$0] != nil })
    #expect(Set(history.submissions.flatMap(\.devices)).count == history.submissions.flatMap(\.devices).count)
    #expect(history.preloads.allSatisfy { $0.email.hasSuffix("@example.invalid") })
    let lists = [
      DeploymentSeedLists.regions, DeploymentSeedLists.locations, DeploymentSeedLists.departments,
      DeploymentSeedLists.profiles, DeploymentSeedLists.vendors, DeploymentSeedLists.projects.map(\.id),
      DeploymentDevice.Kind.allCases.map(\.rawValue),
    ]
    #expect(lists.joined().count >= 40)
  }

  @Test("find the preload record of one serial number, however it is written, and no other")
  func preload() throws {
    let history = Self.state.history
    let serial = try #require(history.preloads.last?.serial)
    #expect(history.preloads(of: " \(serial.lowercased()) ").map(\.serial) == [serial])
    #expect(history.preloads(of: serial + "0").isEmpty)
    #expect(history.preloads(of: " ").count == history.preloads.count)
  }

  @Test("give each device a model of its own kind")
  func models() {
    for device in Self.devices {
      let names = DeploymentSeedLists.models(of: device.kind).map(\.name)
      #expect(names.contains(device.text(.model)), "\(device.serial)")
    }
  }

  @Test("leave every device where the workflow could have led it")
  func consistent() {
    for device in Self.devices {
      guard let rank = DeploymentStatus.mainLine.firstIndex(of: device.status), rank > 0 else { continue }
      let last = DeploymentStatus.mainLine[rank - 1]
      guard let step = DeploymentWorkflow.fixed.first(where: { $0.from == last && $0.to == device.status })
      else { Issue.record("no step to \(device.status)"); continue }
      let verdict = step.gate.judge(device, project: Self.state.project(of: device), exceptions: [])
      #expect(verdict.allows, "\(device.serial), \(device.status): \(verdict)")
    }
  }

  @Test("let every device go on")
  func steps() {
    for device in Self.devices where device.status != .retired {
      #expect(!DeploymentWorkflow.transitions(of: device).isEmpty)
      #expect(!device.status.isAside || device.resume != nil)
    }
  }
}
