import ForsettiCore
import ForsettiRuntime

/// `accept`: a person's word that a module may be activated as it now is.
struct AcceptCommand {
  let options: AcceptOptions

  init(_ options: AcceptOptions) { self.options = options }

  func run(in surroundings: Surroundings) async throws(CommandFailure) -> ExitStatus {
    try surroundings.requireTrustedCheckout(options.inputs)
    let report = try await report(in: surroundings)
    try surroundings.output.write(options.json ? report.json.line : report.text(surroundings.output.style))
    return .success
  }

  func report(in surroundings: Surroundings) async throws(CommandFailure) -> AcceptReport {
    let policyPath = surroundings.policyPath(options.inputs)
    let policy = try PolicyInput.require(policyPath)
    let places = try surroundings.statePlaces(state: options.state)
    let catalog = try ManifestInput(options.inputs, installation: surroundings.installation)
      .require(with: BundleFolder(policy: policy, at: policyPath, state: places.state))
    let module = try catalog.require(options.moduleID)
    try checkHash(of: module)
    let view: RegistrationView
    do { view = try RegistrationView.read(moduleID: options.moduleID, state: places.state) } catch {
      throw CommandFailure(error)
    }
    var report = AcceptReport(
      moduleID: module.manifest.moduleID, sha256: module.acceptedSHA256,
      command: commandLine(module), standing: Self.standing(of: module, view),
      isOriginChanged: view.drift(of: module)?.isOriginChanged ?? false,
      isAccepted: view.isAccepted(module))
    guard options.sha256 != nil, report.standing != .current, !report.isAccepted else { return report }
    try checkData(isOriginChanged: report.isOriginChanged)
    let acceptance = Self.acceptance(of: module, data: options.data)
    if let locked = try await save(acceptance, instead: view.record, state: places.state) {
      do throws(CommandFailure) { try askRunning(acceptance, report.sha256, in: surroundings) } catch {
        // Whoever holds it is no supervisor that can be asked.
        throw error.status == .unavailable ? locked : error
      }
    }
    report.isAccepted = true
    return report
  }

  private func checkHash(of module: LoadedManifest) throws(CommandFailure) {
    guard let sha256 = options.sha256, sha256 != module.acceptedSHA256 else { return }
    throw CommandFailure(
      status: .dataError,
      message: "\(module.manifest.moduleID) has sha256 \(module.acceptedSHA256), not \(sha256); "
        + "look at it again with accept, without --sha256")
  }

  private func checkData(isOriginChanged: Bool) throws(CommandFailure) {
    if isOriginChanged, options.data == nil {
      throw CommandFailure(
        status: .usage,
        message: "\(options.moduleID) comes from elsewhere now; say what becomes of its data: --data keep "
          + "gives it to the new one, --data erase deletes it")
    }
    if !isOriginChanged, options.data != nil {
      throw CommandFailure(
        status: .usage,
        message: "\(options.moduleID) comes from where it came from: its data stay, without --data")
    }
  }

  /// The supervisor that holds the state keeps the person's word itself, if the person may give it.
  private func askRunning(
    _ acceptance: Acceptance, _ sha256: String, in surroundings: Surroundings
  ) throws(CommandFailure) {
    if acceptance.data == .erase {
      throw CommandFailure(
        status: .temporaryFailure,
        message: "the data of \(acceptance.moduleID) may be in use: stop the supervisor to erase them")
    }
    var client = try ControlPlace(state: options.state).connect(in: surroundings)
    var request = AcceptRequest()
    request.moduleID = acceptance.moduleID
    request.sha256 = sha256
    request.keepsData = acceptance.data == .keep
    _ = try client.call(ControlOperations.accept, request)
  }

  /// Erases first, where that was asked for: the other way round a crash could leave data that nobody would erase.
  /// - Returns: why nothing is saved where another process holds the state.
  private func save(
    _ acceptance: Acceptance, instead record: ModuleRegistrationRecord?, state: String
  ) async throws(CommandFailure) -> CommandFailure? {
    // Opening it this way takes the lock, which a running supervisor holds.
    let database: StateDatabase
    do throws(StoreError) { database = try StateDatabase(folder: state) } catch {
      guard case .locked = error else { throw CommandFailure(error) }
      return CommandFailure(error)
    }
    if acceptance.data == .erase, let record {
      try await ModuleData.erase(
        moduleID: record.moduleID, origin: record.dataOrigin ?? record.origin, state: state)
    }
    do { try database.saveAcceptance(acceptance) } catch { throw CommandFailure(error) }
    try CommandAudit.keep(.accepted, acceptance.moduleID, acceptance.auditDetails, state: state)
    return nil
  }

  private static func acceptance(of module: LoadedManifest, data: DataChoice?) -> Acceptance {
    Acceptance(
      moduleID: module.manifest.moduleID, manifestSHA256: module.sha256,
      executableSHA256: module.origin.executableSHA256, origin: module.origin.text,
      data: data.map { $0 == .keep ? .keep : .erase }, acceptedAt: wallMilliseconds())
  }

  private func commandLine(_ module: LoadedManifest) -> String {
    let inputs = options.inputs
    let given = [
      ("--policy", inputs.policy), ("--manifests", inputs.manifests), ("--discover", inputs.discover),
      ("--state", options.state),
    ]
    let program = CommandLine.arguments.first ?? "forsetti-supervisor"
    let rest = given.compactMap { name, value in value.map { " \(name) \($0.shellWord)" } }.joined()
    return
      "\(program.shellWord) accept \(module.manifest.moduleID) --sha256 \(module.acceptedSHA256)\(rest)"
  }

  static func standing(of module: LoadedManifest, _ view: RegistrationView) -> AcceptReport.Standing {
    guard view.record != nil else { return .first }
    guard let drift = view.drift(of: module) else { return .current }
    return .drift(
      drift.changes.map { AcceptReport.Change(field: $0.field, registered: $0.old, present: $0.new) })
  }
}

extension Acceptance {
  /// For the audit log.
  var auditDetails: [String: String] {
    [
      "sha256": manifestSHA256, "executableSHA256": executableSHA256 ?? "", "origin": origin,
      "data": data?.rawValue ?? "",
    ]
  }
}
