import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("The workflow of the deployment tracker") struct DeploymentWorkflowTests {
  /// The statuses that a device reaches from one, put aside and taken up again included.
  private static func reachable(from start: DeploymentStatus) -> Set<DeploymentStatus> {
    var found: Set<DeploymentStatus> = [start]
    var waiting = [start]
    while let status = waiting.popLast() {
      var device = DeploymentTestData.device(status)
      device.resume = status.isAside ? .received : nil
      for step in DeploymentWorkflow.transitions(of: device) where found.insert(step.to).inserted {
        waiting.append(step.to)
      }
    }
    return found
  }

  @Test("has 24 statuses, each with a title of its own")
  func statuses() {
    #expect(DeploymentStatus.allCases.count == 24)
    #expect(Set(DeploymentStatus.allCases.map(\.title)).count == 24)
    #expect(DeploymentWorkflow.fixed.count >= 24)
    #expect(Set(DeploymentWorkflow.fixed.map { [$0.from, $0.to] }).count == DeploymentWorkflow.fixed.count)
  }

  @Test("leads a received device to every status", arguments: DeploymentStatus.allCases)
  func noneIsUnreachable(status: DeploymentStatus) {
    #expect(Self.reachable(from: .received).contains(status))
  }

  @Test("leads every status to both ends, but a retired device nowhere", arguments: DeploymentStatus.allCases)
  func noneIsDeadEnd(status: DeploymentStatus) {
    let found = Self.reachable(from: status)
    #expect(found == (status == .retired ? [.retired] : Set(DeploymentStatus.allCases)))
  }

  @Test("takes a device up again where it was put aside", arguments: [DeploymentStatus.onHold, .exception])
  func resumed(aside: DeploymentStatus) throws {
    var state = DeploymentTestData.state(DeploymentTestData.device(.qaPassed))
    state.apply(
      try DeploymentRules.move("demo-mac-9001 ", to: aside.rawValue, reason: "waits", in: state, at: 1))
    let device = try state.device(DeploymentTestData.serial)
    #expect(device.status == aside)
    #expect(device.resume == .qaPassed)
    for exception in state.exceptions() {
      state.apply(
        try DeploymentRules.settle(exception.id, as: .resolved, note: "", in: state, at: 2))
    }
    state.apply(
      try DeploymentRules.move(device.serial, to: "qa-passed", reason: "goes on", in: state, at: 3))
    #expect(try state.device(device.serial).status == .qaPassed)
    #expect(try state.device(device.serial).resume == nil)
    #expect(try state.device(device.serial).version == 3)
  }

  @Test("lets an exception go on only when it is settled")
  func unsettled() throws {
    var state = DeploymentTestData.state(DeploymentTestData.device(.configured))
    let serial = DeploymentTestData.serial
    state.apply(try DeploymentRules.move(serial, to: "exception", reason: "broken", in: state, at: 1))
    #expect(state.exceptions(of: serial).map(\.summary) == ["broken"])
    let refusal = #expect(throws: DeploymentRefusal.self) {
      try DeploymentRules.move(serial, to: "configured", reason: "mended", in: state, at: 2)
    }
    guard case .gateBlocked(.exceptionsSettled, _) = refusal else {
      Issue.record("\(refusal as Any)"); return
    }
  }

  private static let refusals: [(String, String, String, DeploymentRefusal)] = [
    ("NONE", "cataloged", "", .unknownDevice("NONE")),
    (DeploymentTestData.serial, "lost", "", .unknownStatus("lost")),
    (
      DeploymentTestData.serial, "complete", "", .noTransition(from: .received, to: .complete)
    ),
    (DeploymentTestData.serial, "on-hold", "  ", .reasonMissing(to: .onHold)),
    (DeploymentTestData.serial, "on-hold", "a\nb", .unfitValue(.statusReason)),
    (DeploymentTestData.serial, "on-hold", String(repeating: "x", count: 201), .unfitValue(.statusReason)),
    (
      DeploymentTestData.serial, "cataloged", "",
      .gateBlocked(.catalog, "Missing: Model; fill it in.")
    ),
  ]

  @Test("refuses a step that is none, and says what to do", arguments: refusals)
  func refused(serial: String, to: String, reason: String, refusal: DeploymentRefusal) {
    var device = DeploymentTestData.device(.received)
    device.details[.model] = nil
    let state = DeploymentTestData.state(device)
    #expect(throws: refusal) {
      try DeploymentRules.move(serial, to: to, reason: reason, in: state, at: 1)
    }
    #expect(!refusal.what.isEmpty && !refusal.advice.isEmpty)
    let entry = DeploymentRules.refusedMove(serial, to: to, refusal, at: 1)
    #expect(entry.action == .moveRefused && entry.edits.isEmpty)
  }

  @Test("takes no step with an archived device")
  func archived() throws {
    var state = DeploymentTestData.state(DeploymentTestData.device(.received))
    let serial = DeploymentTestData.serial
    state.apply(try DeploymentRules.setRecord(.archived, of: serial, in: state, at: 1))
    #expect(throws: DeploymentRefusal.archived(serial)) {
      try DeploymentRules.move(serial, to: "cataloged", reason: "", in: state, at: 2)
    }
    state.apply(try DeploymentRules.setRecord(.active, of: serial, in: state, at: 3))
    state.apply(try DeploymentRules.move(serial, to: "cataloged", reason: "", in: state, at: 4))
    #expect(state.audit.map(\.action) == [.archived, .restored, .moved])
  }

  @Test("clears what a device that came back had gone through")
  func returned() throws {
    var state = DeploymentTestData.state(DeploymentTestData.device(.returned))
    let serial = DeploymentTestData.serial
    state.apply(try DeploymentRules.move(serial, to: "received", reason: "repaired", in: state, at: 1))
    let device = try state.device(serial)
    #expect(device.business == .unchecked && device.preload == .none && device.serviceDesk == .none)
    #expect(device.text(.tracking).isEmpty && device.text(.delivery).isEmpty && device.text(.ticket).isEmpty)
  }

  @Test("leads a device of the strictest project from the dock to its user by simulated actions alone")
  func wholeLine() throws {
    var device = DeploymentTestData.device(.received)
    (device.business, device.preload, device.serviceDesk) = (.unchecked, .none, .none)
    for field in [DeploymentField.ticket, .tracking, .delivery] { device.details[field] = nil }
    var state = DeploymentTestData.state(device, rules: Set(DeploymentProject.Rule.allCases))
    let before: [DeploymentStatus: DeploymentLiveAction] = [
      .businessVerified: .businessCheck, .preloadSubmitted: .preloadSubmission,
      .preloadReconciled: .preloadReconciliation, .serviceDeskExported: .serviceDeskExport,
      .shipped: .shipment, .delivered: .delivery,
    ]
    for status in DeploymentStatus.mainLine.dropFirst() {
      if let action = before[status] {
        #expect(throws: DeploymentRefusal.self, "\(status)") {
          try DeploymentRules.move(device.serial, to: status.rawValue, reason: "", in: state, at: 1)
        }
        let outcome = try DeploymentSimulator.run(action, in: state, at: 2)
        #expect(outcome.simulation.affected == 1)
        state.apply(outcome.change)
      }
      state.apply(
        try DeploymentRules.move(device.serial, to: status.rawValue, reason: "", in: state, at: 3))
    }
    #expect(try state.device(device.serial).status == .complete)
    #expect(state.audit.count == 17 + before.count)
  }

  @Test(
    "refuses every live action, and simulates each without touching anything outside",
    arguments: DeploymentLiveAction.allCases)
  func live(action: DeploymentLiveAction) throws {
    #expect(throws: DeploymentRefusal.liveActionBlocked(action)) { try action.perform() }
    let outcome = try DeploymentSimulator.run(action, in: DeploymentSeed.state(), at: 1)
    #expect(outcome.simulation.externalDataChanged == false)
    #expect(outcome.simulation.affected > 0)
    #expect(outcome.simulation.text.contains("nothing at \(action.system)"))
    #expect(throws: DeploymentRefusal.self) {
      var state = DeploymentSeed.state()
      // Twice for the first answer of some is that they are missing.
      for _ in 0..<3 { state.apply(try DeploymentSimulator.run(action, in: state, at: 1).change) }
    }
  }

  @Test("raises an exception for a device that Apple Business doesn't know, and settles it when it does")
  func businessExceptions() throws {
    var device = DeploymentTestData.device(.businessPending, serial: "DEMO-MAC-9007")
    device.business = .unchecked
    var state = DeploymentTestData.state(device)
    state.apply(try DeploymentSimulator.run(.businessCheck, in: state, at: 1).change)
    #expect(try state.device(device.serial).business == .missing)
    #expect(state.exceptions().map(\.state) == [.open])
    state.apply(try DeploymentSimulator.run(.businessCheck, in: state, at: 2).change)
    #expect(try state.device(device.serial).business == .expected)
    #expect(state.exceptions().map(\.state) == [.resolved])
  }
}
