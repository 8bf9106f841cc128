import ForsettiCore
import ForsettiHostileSet
import ForsettiRuntime
import Glibc

/// `crash-test`: hostile modules beside the user's, under the user's policy, in a state of their own.
@ReactorActor
struct CrashTestCommand {
  let options: CrashTestOptions
  let surroundings: Surroundings

  nonisolated init(_ options: CrashTestOptions, in surroundings: Surroundings) {
    self.options = options
    self.surroundings = surroundings
  }

  func run() async throws(CommandFailure) -> ExitStatus {
    try surroundings.requireTrustedCheckout(options.inputs)
    let cases = try chosenCases()
    let policyPath = WorkingFolder.absolute(surroundings.policyPath(options.inputs))
    let policy = try PolicyInput.require(policyPath)
    let manifests = ManifestInput(options.inputs, installation: surroundings.installation)
    // Read, and never written: the bundles are there, unless the policy names another folder.
    let places = try surroundings.statePlaces(state: options.state)
    let bundles = BundleFolder(policy: policy, at: policyPath, state: places.state)
    let userModules = try manifests.require(with: bundles)
    try requirePrograms()
    let folder = try CrashTestFolder(environment: surroundings.environment)
    defer { folder.remove() }
    let observations = Observations(clock: ReactorClock.shared)
    let setUp = CrashTestSetUp(
      policy: policy, policyFolder: WorkingFolder.parent(of: policyPath), manifests: manifests.source,
      userModules: userModules, bundleFolder: access(bundles.path, F_OK) == 0 ? bundles.path : nil,
      moduleHost: surroundings.installation.moduleHost,
      networkWorker: surroundings.installation.networkWorker,
      hostileHost: surroundings.installation.hostileHost,
      hostileProbe: surroundings.installation.hostileProbe,
      folder: folder, cases: cases)
    let bootstrap = try await setUp.open(observations)
    var report = try await perform(
      CrashTest(
        bootstrap, observations, clock: ReactorClock.shared,
        reports: CrashReportStore(stateFolder: setUp.folder.state)
      ) { setUp.tamper(with: $0) }, cases)
    if options.syscalls, !report.isInterrupted {
      report.syscalls = try await syscallMatrix(policy, userModules)
    }
    try surroundings.output.write(options.json ? report.json.line : report.text(surroundings.output.style))
    if let path = options.junit { try JUnitFile.write(report, to: path) }
    return report.status
  }

  // MARK: Before

  /// What an installation without the package of the hostile modules does not have.
  private func requirePrograms() throws(CommandFailure) {
    let host = surroundings.installation.hostileHost
    guard access(host, X_OK) == 0 else {
      let remedy =
        surroundings.installation.checkout == nil
        ? "they are in the package forsetti-crash-test" : "make children builds them"
      throw CommandFailure(
        status: .unavailable,
        message: "\(host) is not there: crash-test needs the hostile modules; \(remedy)")
    }
    let probe = surroundings.installation.syscallProbe
    if options.syscalls, access(probe, X_OK) != 0 {
      throw CommandFailure(
        status: .unavailable, message: "\(probe) is not there: --syscalls needs it; make build builds it")
    }
  }

  private func chosenCases() throws(CommandFailure) -> [HostileCase] {
    guard !options.cases.isEmpty else { return HostileSuite.cases }
    var cases: [HostileCase] = []
    for name in options.cases {
      guard let found = HostileSuite.named(name) else {
        let hint = NearestName.hint(for: name, among: HostileSuite.cases.map(\.name))
        throw CommandFailure(status: .usage, message: "there is no case \(name.quoted())\(hint)")
      }
      cases.append(found)
    }
    return cases
  }

  /// Off the reactor: the probe blocks.
  @concurrent
  private nonisolated func syscallMatrix(
    _ policy: Policy, _ catalog: ForsettiModuleCatalog
  ) async throws(CommandFailure) -> [SyscallMatrix.Row] {
    // An installation may have left some of them out.
    let shipped = try surroundings.installation.shippedPolicies.filter { access($0, F_OK) == 0 }.map {
      (path) throws(CommandFailure) in try PolicyInput.require(path)
    }
    let subjects =
      SyscallMatrix.subjects(of: policy, catalog: catalog)
      + (([policy] + shipped).flatMap { SyscallMatrix.subjects(of: $0) }) + SyscallMatrix.directGrants
    do throws(SyscallMatrixError) {
      return try SyscallMatrix(probePath: surroundings.installation.syscallProbe).run(subjects)
    } catch { throw CommandFailure(status: .unavailable, message: error.description) }
  }

  // MARK: The test

  private func perform(
    _ test: CrashTest, _ cases: [HostileCase]
  ) async throws(CommandFailure) -> CrashTestReport {
    let signals: SignalSource
    do throws(SystemError) {
      signals = try SignalSource(RunCommand.signals) { _ in test.interrupt() }
    } catch {
      throw CommandFailure(status: .osError, message: "signals cannot be received: \(error)")
    }
    defer { signals.cancel() }
    let progress = ProgressLine(on: surroundings.errors)
    defer { progress.end() }
    do throws(BootFailure) {
      return try await test.run(cases, storm: options.storm) { progress.show($0) }
    } catch { throw CommandFailure(error) }
  }
}
