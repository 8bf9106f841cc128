import ForsettiCore
import ForsettiRuntime
import Glibc

/// `packages`: bundles of third parties, into the bundles folder and out of it. No module is started.
struct PackagesCommand {
  let options: PackagesOptions

  init(_ options: PackagesOptions) { self.options = options }

  func run(in surroundings: Surroundings) async throws(CommandFailure) -> ExitStatus {
    try surroundings.requireTrustedCheckout(options.inputs)
    let policyPath = surroundings.policyPath(options.inputs)
    let policy = try PolicyInput.require(policyPath)
    let places = try surroundings.statePlaces(state: options.state)
    let manager = ModulePackageManager(BundleFolder(policy: policy, at: policyPath, state: places.state))
    switch options.action {
    case .install(let path): try install(path, manager, policy, places.state, surroundings)
    case .list:
      let report = PackageList(manager.list())
      try surroundings.output.write(options.json ? report.json.line : report.text(surroundings.output.style))
    case .remove(let moduleID): try await remove(moduleID, manager, places.state, surroundings)
    case .statement(let path):
      let statement: BundleStatement
      do { statement = try manager.statement(of: path) } catch { throw CommandFailure(error) }
      try surroundings.output.write(statement.text)
    }
    return .success
  }

  // MARK: Installing

  private func install(
    _ path: String, _ manager: ModulePackageManager, _ policy: Policy, _ state: String,
    _ surroundings: Surroundings
  ) throws(CommandFailure) {
    let builtIns: [String]
    do {
      builtIns = try ManifestInput(options.inputs, installation: surroundings.installation).source.load()
        .manifests.map(\.manifest.moduleID)
    } catch { throw CommandFailure(error) }
    let offer: ModulePackageManager.Offer
    do { offer = try manager.offer(path, builtIns: builtIns) } catch { throw CommandFailure(error) }
    var report = PackageReport(offer, policy: policy)
    // Shown before anything is done, whatever comes of it.
    if !options.json { try surroundings.output.write(report.text(surroundings.output.style)) }
    if case .other(let why, _) = offer.installed, !options.replaces {
      throw CommandFailure(.wouldReplace(moduleID: report.moduleID, why: why))
    }
    if report.isNew {
      try confirm("Install it?", surroundings)
      do { try manager.install(offer, replacing: options.replaces) } catch { throw CommandFailure(error) }
      try CommandAudit.keep(
        .installed, report.moduleID,
        [
          "path": path, "origin": report.origin, "sha256": report.manifestSHA256,
          "executableSHA256": report.executableSHA256,
        ], state: state)
    }
    report.isInstalled = true
    let done =
      report.isNew ? "installed; a supervisor that runs knows it after `reload`" : "installed already"
    try surroundings.output.write(
      options.json ? report.json.line : "\(surroundings.output.style.pass) \(done)\n")
  }

  /// A person's word, at a terminal or by `--yes`.
  private func confirm(_ question: String, _ surroundings: Surroundings) throws(CommandFailure) {
    if options.isConfirmed { return }
    guard isatty(STDIN_FILENO) == 1, surroundings.errors.isTerminal else {
      throw CommandFailure(status: .usage, message: "nobody is here to be asked; say --yes")
    }
    try surroundings.errors.write("\(question) [y/N] ")
    guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
      throw CommandFailure(status: .temporaryFailure, message: "nothing was changed")
    }
  }

  // MARK: Removing

  private func remove(
    _ moduleID: String, _ manager: ModulePackageManager, _ state: String, _ surroundings: Surroundings
  ) async throws(CommandFailure) {
    let what = options.erasesData ? "delete its data too" : "keep its data and registration"
    try confirm("Remove \(escaped(moduleID)) and \(what)?", surroundings)
    // Held until the data are gone, so that no module writes any meanwhile.
    let held = options.erasesData ? try heldState(state) : nil
    let origins = try held.map { (held) throws(CommandFailure) in try dataOrigins(of: moduleID, manager, held)
    }
    do { try manager.remove(moduleID) } catch { throw CommandFailure(error) }
    try CommandAudit.keep(
      .removed, moduleID, ["data": options.erasesData ? "erase" : "keep"], state: state)
    for origin in origins ?? [] {
      try await ModuleData.erase(moduleID: moduleID, origin: origin, state: state)
    }
    withExtendedLifetime(held) {}
    let report = JSONValue.record([
      "moduleID": .string(moduleID), "removed": .bool(true), "dataErased": .bool(options.erasesData),
    ])
    let data = options.erasesData ? "its data are deleted" : "its data stay (--erase-data deletes them)"
    let text = "\(surroundings.output.style.pass) removed; \(data), and its registration stays\n"
    try surroundings.output.write(options.json ? report.line : text)
  }

  private func heldState(_ folder: String) throws(CommandFailure) -> StateDatabase {
    do { return try StateDatabase(folder: folder) } catch { throw CommandFailure(error) }
  }

  /// Under which origins a module has data.
  private func dataOrigins(
    of moduleID: String, _ manager: ModulePackageManager, _ state: StateDatabase
  ) throws(CommandFailure) -> [String] {
    let record: ModuleRegistrationRecord?
    do { record = try state.record(moduleID: moduleID) } catch { throw CommandFailure(error) }
    let installed = manager.list().modules.first { $0.manifest.moduleID == moduleID }?.origin.text
    return Set([record.map { $0.dataOrigin ?? $0.origin }, installed].compactMap { $0 }).sorted()
  }
}
