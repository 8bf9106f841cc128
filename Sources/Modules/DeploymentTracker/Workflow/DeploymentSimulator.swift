internal import ForsettiModuleKit

/// What other systems would have done, done to the demo's data alone.
enum DeploymentSimulator {
  /// A change, and what to say of it.
  struct Outcome: Sendable, Hashable {
    var change: DeploymentChange
    var simulation: DeploymentSimulation
  }

  /// Does an action to all devices, or to those of one project, that wait for it.
  static func run(
    _ action: DeploymentLiveAction, project: String? = nil, in state: DeploymentState, at time: Int64
  ) throws(DeploymentRefusal) -> Outcome {
    let waiting = state.activeDevices.filter { device in
      (project == nil || device.project == project) && waits(device, for: action, in: state)
    }
    guard !waiting.isEmpty else {
      throw .nothingToDo("No device waits for this: \(action.title).")
    }
    var edits: [DeploymentEdit] = []
    var raised = 0
    for device in waiting {
      var device = DeploymentRules.touched(device, at: time)
      switch action {
      case .businessCheck:
        device.business = answer(on: device)
        edits += exceptions(after: device, raised: &raised, in: state)
      case .preloadSubmission: device.preload = .submitted
      case .preloadReconciliation: device.preload = .reconciled
      case .serviceDeskExport:
        device.serviceDesk = .exported
        device.details[.ticket] = "DEMO-SD-" + device.serial.suffix(4)
      case .shipment: device.details[.tracking] = "DEMO-TRK-\(device.serial)"
      case .delivery: device.details[.delivery] = "DEMO-POD-\(device.serial)"
      }
      edits.append(.device(device))
    }
    let simulation = DeploymentSimulation(action: action, affected: waiting.count)
    let change = DeploymentChange(
      time: time, action: .simulated, subject: action.rawValue, detail: simulation.text, edits: edits)
    return Outcome(change: change, simulation: simulation)
  }

  /// Whether an action is what a device's next step needs.
  static func waits(
    _ device: DeploymentDevice, for action: DeploymentLiveAction, in state: DeploymentState
  ) -> Bool {
    switch action {
    case .businessCheck:
      device.status == .businessPending && device.business != .expected
    case .preloadSubmission:
      device.status == .preloadReady && device.preload == .none
        && PreloadFile.faults(of: device, in: state).isEmpty
    case .preloadReconciliation: device.status == .preloadSubmitted && device.preload == .submitted
    case .serviceDeskExport: device.status == .serviceDeskReady && device.serviceDesk == .none
    case .shipment: device.status == .readyToShip && device.text(.tracking).isEmpty
    case .delivery: device.status == .shipped && device.text(.delivery).isEmpty
    }
  }

  /// What Apple Business would say: at first it doesn't know every tenth device, and then it does.
  private static func answer(on device: DeploymentDevice) -> DeploymentDevice.Business {
    device.business == .unchecked && device.serial.hasSuffix("7") ? .missing : .expected
  }

  /// A device that is missing gets an exception, which takes the place of an older one of the kind; one that was found
  /// has its exception resolved.
  private static func exceptions(
    after device: DeploymentDevice, raised: inout Int, in state: DeploymentState
  ) -> [DeploymentEdit] {
    let isMissing = device.business == .missing
    var edits: [DeploymentEdit] = state.exceptions(of: device.serial)
      .filter { $0.isOpen && $0.code == "abm-verification" }
      .map { exception in
        var exception = exception
        exception.state = isMissing ? .superseded : .resolved
        return .exception(exception)
      }
    guard isMissing else { return edits }
    edits.append(
      .exception(
        DeploymentException(
          id: state.exceptionID(after: raised), serial: device.serial, code: "abm-verification",
          severity: .blocking, summary: "Apple Business doesn't know the device")))
    raised += 1
    return edits
  }
}
