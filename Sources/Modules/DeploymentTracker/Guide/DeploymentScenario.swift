/// A walk through a part of the work, done with a device of the demo by its real rules.
struct DeploymentScenario: Sendable, Hashable {
  /// One thing that is done.
  struct Step: Sendable, Hashable {
    enum Action: Sendable, Hashable {
      case open(DeploymentWorkspace)
      /// A step of the workflow.
      case move(DeploymentStatus, reason: String = "")
      /// A step of the workflow that a gate, or a step that isn't there, refuses.
      case refusedMove(DeploymentStatus, reason: String = "")
      case edit(DeploymentField, String)
      case simulate(DeploymentLiveAction)
      /// A live action, which the demo refuses.
      case live(DeploymentLiveAction)
      /// Resolves the device's open exceptions one by one.
      case settle
    }

    var title: String
    /// What is to be seen then.
    var expected: String
    var action: Action
  }

  var id: String
  var title: String
  /// Where its device stands at first.
  var start: DeploymentStatus
  /// What the device's project must ask for, so that the walk shows something.
  var rule: DeploymentProject.Rule?
  var steps: [Step]

  /// The device that it is done with: the first that stands at its beginning, with nothing against it.
  func device(in state: DeploymentState) throws(DeploymentRefusal) -> DeploymentDevice {
    let found = state.activeDevices.first { device in
      device.status == start && !state.exceptions(of: device.serial).contains(where: \.blocks)
        && (rule.map { state.project(of: device)?.rules.contains($0) ?? false } ?? true)
    }
    guard let found else { throw .nothingToDo("No device stands at \(start.title) for this.") }
    return found
  }
}

/// How far somebody is in a scenario.
struct DeploymentScenarioRun: Sendable, Hashable {
  var scenario: DeploymentScenario
  var serial: String
  /// Steps that are done.
  var done = 0

  /// The step to do next; nothing when all are done.
  var next: DeploymentScenario.Step? {
    scenario.steps.indices.contains(done) ? scenario.steps[done] : nil
  }
}
