internal import ForsettiModuleKit

// What changes the demo's data.
extension DeploymentDesk {
  /// Takes a step; one that is refused is a line of the audit, and a report.
  func move(_ serial: String, to name: String, reason: String) async throws(DeploymentRefusal) {
    do throws(DeploymentRefusal) {
      try await change { state throws(DeploymentRefusal) in
        try DeploymentRules.move(serial, to: name, reason: reason, in: state, at: WallClock.now())
      }
    } catch {
      let refusal = error
      await record(DeploymentRules.refusedMove(serial, to: name, refusal, at: WallClock.now()))
      await report(refusal)
      throw refusal
    }
  }

  func edit(_ fields: Fields) async throws(DeploymentRefusal) {
    guard let field = DeploymentField(named: fields["field"]) else { throw .unknownField(fields["field"]) }
    try await edit(fields["serial"], field, to: fields["value"])
  }

  func edit(_ serial: String, _ field: DeploymentField, to value: String) async throws(DeploymentRefusal) {
    try await change { state throws(DeploymentRefusal) in
      try DeploymentRules.edit(serial, field, to: value, in: state, at: WallClock.now())
    }
  }

  /// Archives the device whose serial number the word was typed for.
  func archive(_ fields: Fields) async throws(DeploymentRefusal) {
    let serial = try store.state.device(fields["serial"]).serial
    guard TypedConfirmation(of: "archive-\(serial)").isGiven(in: fields.payload) else { throw .notConfirmed }
    try await setRecord(.archived, of: serial)
  }

  func setRecord(_ record: DeploymentDevice.Record, of serial: String) async throws(DeploymentRefusal) {
    try await change { state throws(DeploymentRefusal) in
      try DeploymentRules.setRecord(record, of: serial, in: state, at: WallClock.now())
    }
  }

  func settle(_ fields: Fields) async throws(DeploymentRefusal) {
    guard let settled = DeploymentException.State(rawValue: fields["state"]) else {
      throw .unknownStatus(fields["state"])
    }
    try await settle(fields["exception"], as: settled, note: fields["note"])
  }

  func settle(_ id: String, as settled: DeploymentException.State, note: String)
    async throws(DeploymentRefusal)
  {
    try await change { state throws(DeploymentRefusal) in
      try DeploymentRules.settle(id, as: settled, note: note, in: state, at: WallClock.now())
    }
  }

  func saveLayout(_ fields: Fields) async throws(DeploymentRefusal) {
    let layout = try DeploymentLayout(name: fields["name"], list: fields["columns"])
    let kept = try await change { state throws(DeploymentRefusal) in
      try DeploymentRules.save(layout, in: state, at: WallClock.now())
    }
    if kept != nil { screen.grid.layout = layout }
  }

  func removeLayout(_ name: String) async throws(DeploymentRefusal) {
    let kept = try await change { state throws(DeploymentRefusal) in
      try DeploymentRules.removeLayout(name, in: state, at: WallClock.now())
    }
    if kept != nil, screen.grid.layout.name == name { screen.grid.layout = DeploymentLayout.builtIn[0] }
  }

  // MARK: - What would leave the machine

  func liveAction(_ fields: Fields) throws(DeploymentRefusal) -> DeploymentLiveAction {
    guard let action = DeploymentLiveAction(rawValue: fields["action"]) else {
      throw .unknownAction(fields["action"])
    }
    return action
  }

  func simulate(_ action: DeploymentLiveAction) async throws(DeploymentRefusal) {
    try await change { state throws(DeploymentRefusal) in
      try DeploymentSimulator.run(action, in: state, at: WallClock.now()).change
    }
  }

  /// A live action: refused, and recorded as such.
  func refuse(_ action: DeploymentLiveAction) async throws(DeploymentRefusal) {
    do throws(DeploymentRefusal) { try action.perform() } catch {
      let refusal = error
      await record(
        DeploymentChange(
          time: WallClock.now(), action: .liveRefused, subject: action.rawValue, detail: refusal.what))
      await report(refusal)
      throw refusal
    }
  }

  // MARK: - Refusals

  /// Adds a line to the audit that changes nothing; that it can't be kept must not hide what it is about.
  private func record(_ entry: DeploymentChange) async {
    do throws(DeploymentStore.Failure) { _ = try await store.change { _ in entry } } catch {
      context.logger.warning("a refusal is not in the audit", metadata: ["reason": "\(error)"])
    }
  }

  private func report(_ refusal: DeploymentRefusal) async {
    let report = DiagnosticReport(
      category: "workflow", severity: .warning, message: refusal.what, metadata: ["reason": refusal.code])
    do { try await context.services.diagnostics?.emit(report) } catch {
      context.logger.warning("a refused step could not be reported", error: error)
    }
  }
}
