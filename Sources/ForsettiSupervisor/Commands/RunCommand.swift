import ForsettiCore
import ForsettiRuntime
import Glibc

/// `run`: boots, reports, stays until it is told to stop, and stops everything in reverse order.
@ReactorActor
struct RunCommand {
  let options: RunOptions
  let surroundings: Surroundings

  private let prepared: PreparedRun

  /// Prepares the run. The process has one thread still, and must end where this fails.
  nonisolated init(_ options: RunOptions, in surroundings: Surroundings) throws(CommandFailure) {
    self.options = options
    self.surroundings = surroundings
    prepared = try PreparedRun(options, in: surroundings)
  }

  private var kernel: KernelFacts {
    var facts = KernelFacts.current(userID: surroundings.userID)
    facts.reduction = prepared.reduction
    return facts
  }

  func run() async throws(CommandFailure) -> ExitStatus {
    let (policy, places) = (prepared.policy, prepared.places)
    defer { prepared.log.drain() }
    let history = LogHistory()
    let logger = try makeLogger(prepared.log, history)
    logger.info(prepared.reduction.text, moduleID: nil)
    var configuration = RuntimeConfiguration(
      policy: policy, policyFolder: WorkingFolder.parent(of: prepared.policyPath),
      manifests: ManifestInput(options.inputs, installation: surroundings.installation).source,
      stateFolder: places.state, hostPath: surroundings.installation.moduleHost,
      spinsAdaptively: options.spin == .adaptive,
      services: { () async throws(BootFailure) in
        try await HostServicesInput.open(stateFolder: places.state, policy: policy, logger: logger)
      })
    configuration.usesCgroups = true
    let auditLog = try openAuditLog(places.state, logger)
    configuration.auditLog = auditLog
    let audited = options.audit.map { audit(of: $0) }
    configuration.audit = audited?.audit
    let bootstrap: ForsettiRuntimeBootstrap
    do throws(BootFailure) {
      bootstrap = ForsettiRuntimeBootstrap(
        runtime: try await ForsettiRuntime.open(configuration, logger: logger),
        restoring: !options.noRestore)
    } catch { throw CommandFailure(error) }
    let folder = try RuntimeFolder(places.runtime)
    defer { folder.clear() }
    let control = Control(
      folder: places.runtime, policy: policy.control, logger: logger, log: history,
      crashReports: CrashReportStore(stateFolder: places.state), auditLog: auditLog)
    let reloader = Reloader(policyPath: prepared.policyPath, bootstrap: bootstrap, logger: logger)
    auditLog.record(
      AuditEvent(.started, details: ["policy": prepared.policyPath, "version": "\(ForsettiVersion.current)"]))
    let end: Result<ExitStatus, CommandFailure>
    do throws(CommandFailure) {
      end = .success(try await live(bootstrap, reloader, control: options.once ? nil : control, audited))
    } catch { end = .failure(error) }
    auditLog.record(AuditEvent(.stopped))
    await auditLog.flush()
    // Everything has ended. Whoever reads no more must not keep us from ending too.
    if let news = try audited?.news(surroundings.output.style) { surroundings.output.offer(news) }
    return try end.get()
  }

  private func audit(of moduleID: String) -> AuditedRun {
    AuditedRun(
      ModuleAudit(moduleID: moduleID, landlockABI: kernel.landlockABI), policyText: prepared.policyText,
      policyPath: surroundings.policyPath(options.inputs), json: options.json)
  }

  /// What the control socket is made of.
  private struct Control {
    let folder: String
    let policy: ControlPolicy
    let logger: RuntimeLogger
    let log: LogHistory
    let crashReports: CrashReportStore
    let auditLog: AuditLog
  }

  private func openAuditLog(
    _ state: String, _ logger: RuntimeLogger
  ) throws(CommandFailure) -> AuditLog {
    do throws(SystemError) { return try AuditLog(stateFolder: state, logger: logger) } catch {
      throw CommandFailure(status: .osError, message: "the audit log has no thread: \(error)")
    }
  }

  private func makeLogger(
    _ output: LogOutput, _ history: LogHistory
  ) throws(CommandFailure) -> RuntimeLogger {
    // At a terminal the report says what went well; elsewhere the log is the record of it.
    let standard: LogLevel = options.quiet ? .error : surroundings.errors.isTerminal ? .warning : .info
    let sink = try sink(output)
    let level = options.logLevel ?? standard
    // Whoever asks by `logs` sees what went well too.
    return RuntimeLogger(level: .lesser(level, .info), sinks: [LeveledLogSink(level, sink), history])
  }

  private func sink(_ output: LogOutput) throws(CommandFailure) -> any LogSink {
    switch options.logFormat {
    case .text: return TextLogSink(output, isColoured: output.wantsColour)
    case .json: return JSONLogSink(output)
    case .journald:
      do throws(SystemError) { return try JournalLogSink() } catch {
        throw CommandFailure(
          status: .unavailable, message: "no journal listens here: \(error); log with --log-format text")
      }
    }
  }

  // MARK: From boot to shutdown

  /// What a supervisor hears. The first two end it in good order, and so does the last where it tells of a terminal that
  /// is closed; else that one asks for a reload.
  nonisolated static let signals: [Int32] = [SIGTERM, SIGINT, SIGHUP]

  /// What `live` waits for.
  private enum Happening: Sendable {
    case signal
    case auditedEnded
    case reportFailed(CommandFailure)
  }

  private func live(
    _ bootstrap: ForsettiRuntimeBootstrap, _ reloader: Reloader, control: Control?, _ audited: AuditedRun?
  ) async throws(CommandFailure) -> ExitStatus {
    let service =
      options.once ? nil : try serviceManager().map { ServiceStatus($0, of: bootstrap.runtime) }
    defer { service?.close() }
    reloader.service = service
    let (happenings, continuation) = AsyncStream<Happening>.makeStream()
    audited?.audit.processEnded = { continuation.yield(.auditedEnded) }
    let source: SignalSource
    var count = 0
    let end: @ReactorActor () -> Void = {
      continuation.yield(.signal)
      count += 1
      if count == 1 { service?.stopping() }
      // The first asks everything to stop; whoever sends a second will not wait for it.
      if count > 1 { bootstrap.runtime.kill() }
      // A boot under way ends at once; one that is done stays for `stop` below.
      if case .booting = bootstrap.state { Task { await bootstrap.shutDown() } }
    }
    let (terminal, mayReload) = (Terminal.current(), !options.once)
    do throws(SystemError) {
      source = try SignalSource(Self.signals) { signal in
        if signal == SIGHUP, mayReload, !terminal.hasHungUp { reloader.request() } else { end() }
      }
    } catch {
      throw CommandFailure(status: .osError, message: "signals cannot be received: \(error)")
    }
    defer { source.cancel() }
    let server = try control.map { (control) throws(CommandFailure) in
      try ControlServer(
        folder: control.folder, inherited: try InheritedSocket.take(environment: surroundings.environment),
        context: ControlContext(
          bootstrap: bootstrap, policy: control.policy,
          policyPath: surroundings.policyPath(options.inputs),
          kernel: kernel, logger: control.logger, log: control.log,
          crashReports: control.crashReports, reloader: reloader, auditLog: control.auditLog, end: end))
    }
    defer { server?.close() }
    guard let (report, failure) = try await boot(bootstrap) else {
      // The signal's own shutdown may still wait for a module's stop.
      await bootstrap.shutDown()
      return try interrupted()
    }
    service?.ready()
    if options.once {
      do throws(CommandFailure) { try await show(report) } catch {
        await bootstrap.shutDown()
        throw error
      }
    } else {
      // Beside the wait: a reader that is stuck must not keep a signal from being heard.
      Task {
        do throws(CommandFailure) { try await show(report) } catch {
          continuation.yield(.reportFailed(error))
        }
      }
      do throws(CommandFailure) { try await wait(for: happenings, audited) } catch {
        await bootstrap.shutDown()
        throw error
      }
    }
    let status = try await stop(bootstrap)
    // A boot that is ready without a module is still no success for whoever asked for all of them, once.
    if options.once, let failure { throw failure }
    return status
  }

  /// Returns at a signal. An audit is told whenever a process of its module has ended.
  private func wait(
    for happenings: AsyncStream<Happening>, _ audited: AuditedRun?
  ) async throws(CommandFailure) {
    var iterator = happenings.makeAsyncIterator()
    while let happening = await iterator.next(isolation: ReactorActor.shared) {
      switch happening {
      case .signal: return
      case .reportFailed(let error): throw error
      case .auditedEnded:
        if let news = try audited?.news(surroundings.output.style) { try await write(news) }
      }
    }
  }

  /// The service manager, if one wants to hear of us.
  private func serviceManager() throws(CommandFailure) -> ServiceManager? {
    guard
      let settings = ServiceManagerSettings(environment: surroundings.environment, processID: getpid())
    else { return nil }
    do throws(SystemError) { return try ServiceManager(settings) } catch {
      throw CommandFailure(status: .osError, message: "the service manager cannot be told of us: \(error)")
    }
  }

  private func interrupted() throws(CommandFailure) -> ExitStatus {
    guard options.once else { return .success }
    throw CommandFailure(status: .temporaryFailure, message: "interrupted while booting; nothing was changed")
  }

  /// Boots; `nil` when it was told to stop meanwhile.
  private func boot(
    _ bootstrap: ForsettiRuntimeBootstrap
  ) async throws(CommandFailure) -> (report: RunReport, failure: CommandFailure?)? {
    let progress = Progress("booting", on: surroundings.errors, isQuiet: options.quiet)
    defer { progress.end() }
    let begin = ContinuousClock.now
    do throws(BootFailure) {
      let booted = try await bootstrap.bootForProduction()
      let report = RunReport(
        of: bootstrap.runtime, booted, policyPath: surroundings.policyPath(options.inputs),
        kernel: kernel)
      return (report, booted.failures.first.map { CommandFailure($0) })
    } catch {
      if error == .interrupted { return nil }
      let failure = CommandFailure(error)
      if options.json {
        let report = RunReport.failureJSON(failure, milliseconds: begin.duration(to: .now).milliseconds)
        try await write(report.line)
      }
      throw failure
    }
  }

  private func show(_ report: RunReport) async throws(CommandFailure) {
    if options.json {
      try await write(report.json.line)
    } else if !options.quiet {
      try await write(report.text(surroundings.output.style, staysUp: !options.once))
    }
  }

  /// Writes off the reactor: a terminal that was stopped with ^S, or a full pipe, must not stop the modules too.
  @concurrent
  private nonisolated func write(_ text: String) async throws(CommandFailure) {
    try surroundings.output.write(text)
  }

  private func stop(_ bootstrap: ForsettiRuntimeBootstrap) async throws(CommandFailure) -> ExitStatus {
    let begin = ContinuousClock.now
    let ends = await bootstrap.shutDown()
    guard !options.quiet, !options.json else { return .success }
    let forced = ends.filter { $0.exit.reason != .stopped }
    var text = "Stopped \(counted(ends.count, "module")) in "
    text += "\(decimalText(begin.duration(to: .now).milliseconds, places: 1)) ms.\n"
    for end in forced { text += "  \(escaped(end.moduleID)): \(escaped("\(end.exit)"))\n" }
    // Whoever reads no more must not keep us from ending.
    surroundings.output.offer(text)
    return .success
  }
}
