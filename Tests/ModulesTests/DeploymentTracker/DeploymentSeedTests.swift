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
