// Walks through the work.
extension DeploymentDesk {
  func startScenario(_ id: String) throws(DeploymentRefusal) {
    guard let scenario = DeploymentScenario.named(id) else { throw .unknownScenario(id) }
    let device = try scenario.device(in: store.state)
    screen.run = DeploymentScenarioRun(scenario: scenario, serial: device.serial)
  }

  /// Does the next step as its button on the other pages would. A refusal that the step is there to show counts as done.
  func nextStep() async throws(DeploymentRefusal) {
    guard var run = screen.run, let step = run.next else { return }
    switch step.action {
    case .open(let workspace): show(workspace.rawValue)
    case .move(let target, let reason): try await move(run.serial, to: target.rawValue, reason: reason)
    case .refusedMove(let target, let reason):
      try await expectRefusal { () async throws(DeploymentRefusal) in
        try await move(run.serial, to: target.rawValue, reason: reason)
      }
    case .live(let action):
      try await expectRefusal { () async throws(DeploymentRefusal) in try await refuse(action) }
    case .edit(let field, let value): try await edit(run.serial, field, to: value)
    case .simulate(let action): try await simulate(action)
    case .settle:
      let open = store.state.exceptions(of: run.serial).first(where: \.isOpen)
      guard let open else { throw .nothingToDo("The device has no open exception.") }
      try await settle(open.id, as: .resolved, note: "Settled in a scenario")
    }
    guard screen.notice?.tone != .error else { return }
    run.done += 1
    screen.run = run
  }

  private func expectRefusal(_ body: () async throws(DeploymentRefusal) -> Void)
    async throws(DeploymentRefusal)
  {
    do throws(DeploymentRefusal) { try await body() } catch {
      screen.notice = DeploymentScreen.Notice(error)
    }
  }
}
