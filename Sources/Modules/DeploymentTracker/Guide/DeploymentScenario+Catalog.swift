extension DeploymentScenario {
  /// All scenarios, in the order of the work.
  static let all: [DeploymentScenario] = arrival + preparation + handover + trouble

  /// A scenario by its ID.
  static func named(_ id: String) -> DeploymentScenario? { all.first { $0.id == id } }

  private static let arrival = [
    DeploymentScenario(
      id: "intake", title: "Take a device in", start: .received,
      steps: [
        Step(
          title: "Look at the grid", expected: "The device is listed as Received.", action: .open(.devices)),
        Step(
          title: "Catalog it", expected: "The gate finds serial, type and model.", action: .move(.cataloged)),
        Step(
          title: "Ask Apple Business", expected: "It waits for the check.", action: .move(.businessPending)),
        Step(title: "Look at the audit", expected: "Both steps are lines of it.", action: .open(.audit)),
      ]),
    DeploymentScenario(
      id: "apple-business", title: "Verify a device with Apple Business", start: .businessPending,
      rule: .businessCheck,
      steps: [
        Step(
          title: "Try it without a check", expected: "The gate abm is closed.",
          action: .refusedMove(.businessVerified)),
        Step(
          title: "Check, simulated", expected: "Nothing left the machine; the answer is made up.",
          action: .simulate(.businessCheck)),
        Step(title: "Verify it", expected: "The gate is open now.", action: .move(.businessVerified)),
        Step(
          title: "See who waits still", expected: "The device is not among them.", action: .open(.business)),
      ]),
    DeploymentScenario(
      id: "project", title: "Give a device to a project", start: .businessVerified,
      steps: [
        Step(title: "Fill in the project", expected: "It is in LOANER.", action: .edit(.project, "LOANER")),
        Step(title: "Assign it", expected: "The gate finds the project.", action: .move(.projectAssigned)),
        Step(
          title: "Hand it on", expected: "It waits for configuration.", action: .move(.configurationPending)),
        Step(title: "Look at the projects", expected: "LOANER counts it.", action: .open(.projects)),
      ]),
  ]

  private static let preparation = [
    DeploymentScenario(
      id: "configuration", title: "Configure a device", start: .configurationPending,
      steps: [
        Step(title: "Choose a profile", expected: "It is Developer.", action: .edit(.profile, "Developer")),
        Step(title: "Configure it", expected: "Nothing is warned of.", action: .move(.configured)),
        Step(title: "Hand it to QA", expected: "It waits for QA.", action: .move(.qaPending)),
        Step(title: "Look at the grid", expected: "Its status is QA pending.", action: .open(.devices)),
      ]),
    DeploymentScenario(
      id: "qa-passed", title: "Pass QA", start: .qaPending,
      steps: [
        Step(title: "Look for exceptions", expected: "None of it blocks.", action: .open(.exceptions)),
        Step(title: "Pass it", expected: "The gate is open.", action: .move(.qaPassed)),
        Step(title: "Make it ready", expected: "It is ready for the preload.", action: .move(.preloadReady)),
        Step(title: "Look at the preload", expected: "The file holds it.", action: .open(.preload)),
      ]),
    DeploymentScenario(
      id: "qa-failed", title: "Fail QA and come back", start: .qaPending,
      steps: [
        Step(
          title: "Fail it without a reason", expected: "A reason is wanted.", action: .refusedMove(.qaFailed)),
        Step(
          title: "Fail it with one", expected: "The reason is on its page.",
          action: .move(.qaFailed, reason: "The screen flickers")),
        Step(
          title: "Send it back", expected: "It waits for configuration again.",
          action: .move(.configurationPending, reason: "Repaired")),
        Step(title: "Configure it anew", expected: "It goes on as before.", action: .move(.configured)),
      ]),
    DeploymentScenario(
      id: "preload", title: "Submit an inventory preload", start: .preloadReady, rule: .preload,
      steps: [
        Step(
          title: "Try it without a submission", expected: "The gate is closed.",
          action: .refusedMove(.preloadSubmitted)),
        Step(
          title: "Submit, simulated", expected: "Every ready device is in the preload.",
          action: .simulate(.preloadSubmission)),
        Step(title: "Take the step", expected: "The gate is open now.", action: .move(.preloadSubmitted)),
        Step(title: "Look at the preload", expected: "It waits for reconciliation.", action: .open(.preload)),
      ]),
    DeploymentScenario(
      id: "reconcile", title: "Reconcile a preload", start: .preloadSubmitted, rule: .reconciliation,
      steps: [
        Step(
          title: "Try it before the inventory has it", expected: "The gate is closed.",
          action: .refusedMove(.preloadReconciled)),
        Step(
          title: "Reconcile, simulated", expected: "Every submitted device is found.",
          action: .simulate(.preloadReconciliation)),
        Step(title: "Take the step", expected: "The gate is open now.", action: .move(.preloadReconciled)),
        Step(
          title: "Look at the audit", expected: "The refused try stands there too.", action: .open(.audit)),
      ]),
  ]

  private static let handover = [
    DeploymentScenario(
      id: "service-desk", title: "Hand a device to the service desk", start: .preloadReconciled,
      rule: .serviceDesk,
      steps: [
        Step(
          title: "Make it ready", expected: "It needs no export for that.", action: .move(.serviceDeskReady)),
        Step(
          title: "Export, simulated", expected: "It has a made-up ticket.",
          action: .simulate(.serviceDeskExport)),
        Step(title: "Take the step", expected: "The gate is open now.", action: .move(.serviceDeskExported)),
        Step(title: "Look at the service desk", expected: "It waits no more.", action: .open(.serviceDesk)),
      ]),
    DeploymentScenario(
      id: "shipping", title: "Ship a device", start: .readyToShip, rule: .shipping,
      steps: [
        Step(
          title: "Ship it without a tracking number", expected: "The gate is closed.",
          action: .refusedMove(.shipped)),
        Step(
          title: "Order a shipment, simulated", expected: "It has a made-up tracking number.",
          action: .simulate(.shipment)),
        Step(title: "Ship it", expected: "The gate is open now.", action: .move(.shipped)),
        Step(title: "Look at the shipments", expected: "It is under way.", action: .open(.shipping)),
      ]),
    DeploymentScenario(
      id: "delivery", title: "Deliver a device and finish", start: .shipped, rule: .delivery,
      steps: [
        Step(
          title: "Deliver it without a word of it", expected: "The gate is closed.",
          action: .refusedMove(.delivered)),
        Step(
          title: "Ask the carrier, simulated", expected: "It has a made-up confirmation.",
          action: .simulate(.delivery)),
        Step(title: "Deliver it", expected: "The gate is open now.", action: .move(.delivered)),
        Step(title: "Finish", expected: "It is complete.", action: .move(.complete)),
      ]),
  ]

  private static let trouble = [
    DeploymentScenario(
      id: "return", title: "Take a device back", start: .delivered,
      steps: [
        Step(
          title: "Take it back", expected: "It is returned, for the reason given.",
          action: .move(.returned, reason: "Wrong model")),
        Step(
          title: "Receive it anew", expected: "Preload, ticket and tracking number are gone.",
          action: .move(.received, reason: "Goes to another user")),
        Step(title: "Catalog it", expected: "It goes the whole way again.", action: .move(.cataloged)),
        Step(title: "Look at the audit", expected: "All of it is there.", action: .open(.audit)),
      ]),
    DeploymentScenario(
      id: "on-hold", title: "Put a device aside", start: .configured,
      steps: [
        Step(
          title: "Put it on hold", expected: "It waits.", action: .move(.onHold, reason: "The user is away")),
        Step(
          title: "Try to skip ahead", expected: "There is no such step.", action: .refusedMove(.qaPassed)),
        Step(
          title: "Take it up again", expected: "It goes on where it was.",
          action: .move(.configured, reason: "The user is back")),
        Step(title: "Look at the audit", expected: "All of it is there.", action: .open(.audit)),
      ]),
    DeploymentScenario(
      id: "exception", title: "Raise an exception and settle it", start: .cataloged,
      steps: [
        Step(
          title: "Raise it", expected: "A blocking exception is open.",
          action: .move(.exception, reason: "The serial number doesn't match the box")),
        Step(
          title: "Try to go on", expected: "The gate is closed while it is open.",
          action: .refusedMove(.cataloged, reason: "Too early")),
        Step(title: "Resolve it", expected: "Nothing is open any more.", action: .settle),
        Step(
          title: "Go on", expected: "It goes on where it was.",
          action: .move(.cataloged, reason: "The box was another's")),
      ]),
    DeploymentScenario(
      id: "safety", title: "Try to leave the demo", start: .received,
      steps: [
        Step(
          title: "Check Apple Business for real", expected: "Refused: nothing was sent.",
          action: .live(.businessCheck)),
        Step(
          title: "Submit a preload for real", expected: "Refused: nothing was sent.",
          action: .live(.preloadSubmission)),
        Step(
          title: "Write to the service desk for real", expected: "Refused: nothing was sent.",
          action: .live(.serviceDeskExport)),
        Step(title: "Read why", expected: "The guide says what the demo is.", action: .open(.guide)),
      ]),
  ]
}
