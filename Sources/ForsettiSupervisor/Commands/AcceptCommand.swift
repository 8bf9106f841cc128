import ForsettiCore
import ForsettiRuntime
import Glibc

/// `accept`: a person's word that a module may be activated as it now is.
struct AcceptCommand {
  var moduleID: String
  var inputs: Inputs
  var state: String?
  /// What the person looked at; `nil` only shows.
  var sha256: String?
  var json: Bool

  func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
    try surroundings.requireTrustedCheckout(inputs)
    let report = try report(in: surroundings)
    try surroundings.output.write(json ? report.json.line : report.text(surroundings.output.style))
    return .success
  }

  func report(in surroundings: Surroundings) throws(CommandFailure) -> AcceptReport {
    let catalog = try ManifestInput(inputs, installation: surroundings.installation).require()
    let module = try catalog.require(moduleID)
    let places = try surroundings.statePlaces(state: state)
    if let sha256, sha256 != module.sha256 {
      throw CommandFailure(
        status: .dataError,
        message: "the manifest of \(module.manifest.moduleID) has sha256 \(module.sha256), not \(sha256); "
          + "look at it again with accept, without --sha256")
    }
    do throws(StoreError) {
      let view = try RegistrationView.read(moduleID: moduleID, state: places.state)
      var report = AcceptReport(
        moduleID: module.manifest.moduleID, sha256: module.sha256,
        command: commandLine(module), standing: Self.standing(of: module, view),
        isAccepted: view.isAccepted(module))
      guard sha256 != nil, report.standing != .current, !report.isAccepted else { return report }
      // Opening it this way takes the lock, so a running supervisor refuses it.
      try StateDatabase(folder: places.state).saveAcceptance(
        Acceptance(
          moduleID: module.manifest.moduleID, manifestSHA256: module.sha256,
          origin: ModuleOrigin.builtIn.text,
          acceptedAt: Self.now()))
      report.isAccepted = true
      return report
    } catch {
      throw CommandFailure(error)
    }
  }

  private func commandLine(_ module: LoadedManifest) -> String {
    let given = [
      ("--manifests", inputs.manifests), ("--discover", inputs.discover), ("--state", state),
    ]
    let program = CommandLine.arguments.first ?? "forsetti-supervisor"
    let options = given.compactMap { name, value in value.map { " \(name) \(shellQuoted($0))" } }.joined()
    return "\(shellQuoted(program)) accept \(module.manifest.moduleID) --sha256 \(module.sha256)\(options)"
  }

  static func standing(of module: LoadedManifest, _ view: RegistrationView) -> AcceptReport.Standing {
    guard view.record != nil else { return .first }
    guard let drift = view.drift(of: module) else { return .current }
    return .drift(
      drift.changes.map { AcceptReport.Change(field: $0.field, registered: $0.old, present: $0.new) })
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
  }
}
