/// One step that a device may take.
struct DeploymentTransition: Sendable, Hashable {
  var from: DeploymentStatus
  var to: DeploymentStatus
  /// What must hold for it.
  var gate: DeploymentGate
  /// Whether the step wants a word why, whatever its target wants.
  var wantsReason = false

  /// Whether a word why must be given.
  var needsReason: Bool { wantsReason || to.needsReason }
}

/// All steps. Whatever happens to a device, a chain of them leads to an end: complete or retired.
enum DeploymentWorkflow {
  /// The steps that depend on the status alone.
  static let fixed: [DeploymentTransition] = forward + repairs + aside

  private static let forward: [DeploymentTransition] = [
    step(.received, .cataloged, .catalog),
    step(.cataloged, .businessPending, .businessReadiness),
    step(.businessPending, .businessVerified, .business),
    step(.businessVerified, .projectAssigned, .project),
    step(.projectAssigned, .configurationPending, .open),
    step(.configurationPending, .configured, .configuration),
    step(.configured, .qaPending, .open),
    step(.qaPending, .qaPassed, .quality),
    step(.qaPassed, .preloadReady, .preloadReadiness),
    step(.preloadReady, .preloadSubmitted, .preloadSubmission),
    step(.preloadSubmitted, .preloadReconciled, .reconciliation),
    step(.preloadReconciled, .serviceDeskReady, .serviceDeskReadiness),
    step(.serviceDeskReady, .serviceDeskExported, .serviceDeskExport),
    step(.serviceDeskExported, .readyToShip, .open),
    step(.readyToShip, .shipped, .shipping),
    step(.shipped, .delivered, .delivery),
    step(.delivered, .complete, .completion),
  ]

  private static let repairs: [DeploymentTransition] = [
    step(.businessPending, .businessException, .open),
    step(.businessException, .businessPending, .open, why: true),
    step(.businessException, .returned, .open),
    step(.qaPending, .qaFailed, .open),
    step(.qaFailed, .configurationPending, .open, why: true),
    step(.qaFailed, .retired, .records),
    step(.shipped, .returned, .open),
    step(.delivered, .returned, .open),
    step(.complete, .returned, .open),
    step(.returned, .received, .open, why: true),
    step(.returned, .retired, .records),
    step(.exception, .retired, .records),
  ]

  /// Off the main line, from wherever work is going on.
  private static let aside: [DeploymentTransition] = DeploymentStatus.allCases
    .filter { !$0.isTerminal && !$0.isAside && $0 != .returned }
    .flatMap { [step($0, .onHold, .open), step($0, .exception, .open)] }

  /// The steps that a device may take from where it is.
  static func transitions(of device: DeploymentDevice) -> [DeploymentTransition] {
    let steps = fixed.filter { $0.from == device.status }
    guard device.status.isAside, let back = device.resume else { return steps }
    let gate: DeploymentGate = device.status == .exception ? .exceptionsSettled : .open
    return [DeploymentTransition(from: device.status, to: back, gate: gate, wantsReason: true)] + steps
  }

  private static func step(
    _ from: DeploymentStatus, _ to: DeploymentStatus, _ gate: DeploymentGate, why: Bool = false
  ) -> DeploymentTransition {
    DeploymentTransition(from: from, to: to, gate: gate, wantsReason: why)
  }
}
