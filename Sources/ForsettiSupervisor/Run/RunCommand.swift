import ForsettiCore
import ForsettiRuntime
import Glibc

/// `run`: makes the parts of a run out of the options and the policy, and lives it.
@ReactorActor
struct RunCommand {
  /// What a supervisor hears. The first two end it in good order, and so does the last where it tells of a terminal that
  /// is closed; else that one asks for a reload.
  nonisolated static let signals: [Int32] = [SIGTERM, SIGINT, SIGHUP]

  let options: RunOptions
  let surroundings: Surroundings

  private let prepared: PreparedRun
  private let kernel: KernelFacts

  /// Prepares the run. The process has one thread still, and must end where this fails.
  nonisolated init(_ options: RunOptions, in surroundings: Surroundings) throws(CommandFailure) {
    self.options = options
    self.surroundings = surroundings
    prepared = try PreparedRun(options, in: surroundings)
    var kernel = KernelFacts.current(userID: surroundings.userID)
    kernel.reduction = prepared.reduction
    self.kernel = kernel
  }

  func run() async throws(CommandFailure) -> ExitStatus {
    defer { prepared.log.drain() }
    let history = LogHistory()
    let log = try RunLog(
      options, to: prepared.log, history, errorsAreTerminal: surroundings.errors.isTerminal)
    let logger = log.logger
    logger.info(prepared.reduction.text, moduleID: nil)
    let auditLog = try openAuditLog(logger)
    let audited = options.audit.map(audit(of:))
    var configuration = configuration(logger)
    configuration.auditLog = auditLog
    configuration.audit = audited?.audit
    let bootstrap: ForsettiRuntimeBootstrap
    do throws(BootFailure) {
      bootstrap = ForsettiRuntimeBootstrap(
        runtime: try await ForsettiRuntime.open(configuration, logger: logger),
        restoring: !options.noRestore)
    } catch { throw CommandFailure(error) }
    let folder = try RuntimeFolder(prepared.places.runtime)
    defer { folder.clear() }
    auditLog.record(
      AuditEvent(.started, details: ["policy": prepared.policyPath, "version": "\(ForsettiVersion.current)"]))
    let end: Result<ExitStatus, CommandFailure>
    do throws(CommandFailure) {
      end = .success(try await live(bootstrap, logger, history, auditLog, audited))
    } catch { end = .failure(error) }
    auditLog.record(AuditEvent(.stopped))
    await auditLog.flush()
    // Everything has ended. Whoever reads no more must not keep us from ending too.
    if let news = try audited?.news(for: surroundings.output) { surroundings.output.offer(news) }
    return try end.get()
  }

  private func live(
    _ bootstrap: ForsettiRuntimeBootstrap, _ logger: RuntimeLogger, _ history: LogHistory,
    _ auditLog: AuditLog, _ audited: AuditedRun?
  ) async throws(CommandFailure) -> ExitStatus {
    let reloader = Reloader(policyPath: prepared.policyPath, bootstrap: bootstrap, logger: logger)
    let live = try LiveRun(
      options, in: surroundings, kernel: kernel, bootstrap, reloader, audited: audited)
    defer { live.close() }
    let keeper = try prepared.console?.keeper(
      in: surroundings, logger: logger
    ) { [weak live] (processID) throws(SystemError) in
      guard let live else { throw SystemError("connect", ECONNREFUSED) }
      return try live.consoleConnection(processID)
    }
    defer { keeper?.stop() }
    if !options.once {
      try live.listen(
        in: prepared.places.runtime, or: prepared.sockets,
        ControlContext(
          bootstrap: bootstrap, policy: prepared.policy.control,
          policyPath: surroundings.policyPath(options.inputs), kernel: kernel, logger: logger, log: history,
          crashReports: CrashReportStore(stateFolder: prepared.places.state), reloader: reloader,
          auditLog: auditLog, console: prepared.console?.access, retry: { [weak live] in live?.retry() },
          end: { [weak live] in live?.end() }))
    }
    keeper?.start()
    if let access = prepared.console?.access {
      live.waitsForRetry = true
      // Its token is for the person at the terminal, not for a log.
      logger.info("the web console is at \(access.address)", moduleID: nil)
      if surroundings.output.isTerminal, !options.json, !options.quiet {
        surroundings.output.offer("The web console is at \(access.url)\n")
      }
    }
    return try await live.run()
  }

  // MARK: Parts

  private func configuration(_ logger: RuntimeLogger) -> RuntimeConfiguration {
    let (policy, state, network) = (prepared.policy, prepared.places.state, prepared.network)
    var configuration = RuntimeConfiguration(
      policy: policy, policyFolder: WorkingFolder.parent(of: prepared.policyPath),
      manifests: ManifestInput(options.inputs, installation: surroundings.installation).source,
      stateFolder: state, hostPath: surroundings.installation.moduleHost,
      spinsAdaptively: options.spin == .adaptive,
      services: { () async throws(BootFailure) in
        try await HostServicesInput.open(stateFolder: state, policy: policy, network: network, logger: logger)
      })
    configuration.cgroup = prepared.cgroup
    return configuration
  }

  private func audit(of moduleID: String) -> AuditedRun {
    AuditedRun(
      ModuleAudit(moduleID: moduleID, landlockABI: kernel.landlockABI), policyText: prepared.policyText,
      policyPath: surroundings.policyPath(options.inputs), json: options.json)
  }

  private func openAuditLog(_ logger: RuntimeLogger) throws(CommandFailure) -> AuditLog {
    do throws(SystemError) {
      return try AuditLog(stateFolder: prepared.places.state, logger: logger)
    } catch {
      throw CommandFailure(status: .osError, message: "the audit log has no thread: \(error)")
    }
  }
}
