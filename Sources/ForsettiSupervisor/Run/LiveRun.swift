import ForsettiCore
import ForsettiRuntime
import Glibc

/// A run from boot to shutdown: what it hears (signals, the control socket), whom it tells (the service manager, whoever
/// reads its output), and in which order it ends.
@ReactorActor final class LiveRun {
  private enum Happening: Sendable {
    case signal
    case retry
    case auditedEnded
    /// Something is written, or could not be.
    case told(CommandFailure?)
  }

  private let options: RunOptions
  private let surroundings: Surroundings
  private let kernel: KernelFacts
  private let bootstrap: ForsettiRuntimeBootstrap
  private let reloader: Reloader
  private let audited: AuditedRun?
  private let output: RunOutput
  private let service: ServiceStatus?
  private let happenings: AsyncStream<Happening>
  private let happen: AsyncStream<Happening>.Continuation
  private var signals: SignalSource?
  private var server: ControlServer?
  /// What is written last of all that is to be.
  private var telling: Task<Void, Never>?
  /// What is to be written and was not heard of since.
  private var untold = 0
  private var isAuditUntold = false
  private var endCount = 0
  /// Whether a failed boot waits for a person, who sees it and may have it tried again, rather than end the run.
  var waitsForRetry = false

  /// Hears signals from now on, until `close`.
  init(
    _ options: RunOptions, in surroundings: Surroundings, kernel: KernelFacts,
    _ bootstrap: ForsettiRuntimeBootstrap, _ reloader: Reloader, audited: AuditedRun?
  ) throws(CommandFailure) {
    self.options = options
    self.surroundings = surroundings
    self.kernel = kernel
    self.bootstrap = bootstrap
    self.reloader = reloader
    self.audited = audited
    output = RunOutput(options: options, output: surroundings.output)
    service =
      options.once
      ? nil : try Self.serviceManager(surroundings).map { ServiceStatus($0, of: bootstrap.runtime) }
    (happenings, happen) = AsyncStream<Happening>.makeStream()
    reloader.service = service
    audited?.audit.processEnded = { [happen] in happen.yield(.auditedEnded) }
    do throws(SystemError) {
      let terminal = Terminal.current()
      signals = try SignalSource(RunCommand.signals) { [weak self] in self?.hear($0, at: terminal) }
    } catch {
      throw CommandFailure(status: .osError, message: "signals cannot be received: \(error)")
    }
  }

  /// The service manager, if one wants to hear of us.
  private static func serviceManager(_ surroundings: Surroundings) throws(CommandFailure) -> ServiceManager? {
    guard
      let settings = ServiceManagerSettings(environment: surroundings.environment, processID: getpid())
    else { return nil }
    do throws(SystemError) { return try ServiceManager(settings) } catch {
      throw CommandFailure(status: .osError, message: "the service manager cannot be told of us: \(error)")
    }
  }

  /// Answers on the control socket from now on, until `close`.
  /// - Parameters:
  ///   - folder: the runtime folder.
  ///   - sockets: what the service manager hands over.
  func listen(
    in folder: String, or sockets: InheritedSockets, _ context: ControlContext
  ) throws(CommandFailure) {
    let inherited = try sockets.takeControl(at: folder + "/" + ControlSocket.name)
    server = try ControlServer(folder: folder, inherited: inherited, context: context)
  }

  /// A connection to the control socket for the web console.
  func consoleConnection(_ processID: Int32) throws(SystemError) -> Descriptor {
    guard let server else { throw SystemError("connect", ECONNREFUSED) }
    return try server.connection(.console, for: processID)
  }

  /// Lets go of the signals, the control socket and the service manager.
  func close() {
    server?.close()
    signals?.cancel()
    service?.close()
  }

  // MARK: What it hears

  private func hear(_ signal: Int32, at terminal: Terminal) {
    if signal == SIGHUP, !options.once, !terminal.hasHungUp { reloader.request() } else { end() }
  }

  /// Has a failed boot tried again.
  func retry() { happen.yield(.retry) }

  /// Ends the run in good order; asked twice, at once.
  func end() {
    happen.yield(.signal)
    endCount += 1
    if endCount == 1 { service?.stopping() }
    // The first asks everything to stop; whoever sends a second will not wait for it.
    if endCount > 1 { bootstrap.runtime.kill() }
    // A boot under way ends at once; one that is done stays for `stop` below.
    if case .booting = bootstrap.state { Task { await bootstrap.shutDown() } }
  }

  // MARK: From boot to shutdown

  /// Boots, reports, stays until it is told to stop (unless it runs once), and stops everything in reverse order.
  func run() async throws(CommandFailure) -> ExitStatus {
    guard let (report, failure) = try await boot() else {
      // The signal's own shutdown may still wait for a module's stop.
      await bootstrap.shutDown()
      return try interrupted("while booting; nothing was changed")
    }
    // Told to stop while the report was made: no service manager is to hear of "ready" after "stopping".
    guard endCount == 0 else {
      await bootstrap.shutDown()
      return try interrupted("as soon as it had booted")
    }
    service?.ready()
    do throws(CommandFailure) {
      tell { [output] () throws(CommandFailure) in try await output.show(report) }
      if !options.once {
        try await stay()
      } else if try await !told() {
        throw CommandFailure(
          status: .temporaryFailure, message: "interrupted before anybody had read what it has to report")
      }
    } catch {
      await bootstrap.shutDown()
      throw error
    }
    let begin = ContinuousClock.now
    output.offer(await bootstrap.shutDown(), after: begin.duration(to: .now))
    // A boot that is ready without a module is still no success for whoever asked for all of them, once.
    if options.once, let failure { throw failure }
    return .success
  }

  /// Boots, again as often as somebody asks for it; `nil` when it was told to stop meanwhile.
  private func boot() async throws(CommandFailure) -> (report: RunReport, failure: CommandFailure?)? {
    while true {
      do throws(CommandFailure) { return try await bootOnce() } catch {
        guard waitsForRetry else {
          _ = try await told()
          throw error
        }
        surroundings.errors.offer(error.text)
        guard await isRetried() else { throw error }
      }
    }
  }

  /// Waits until somebody wants the boot again, or the end.
  private func isRetried() async -> Bool {
    var iterator = happenings.makeAsyncIterator()
    while let happening = await iterator.next(isolation: ReactorActor.shared) {
      switch happening {
      case .retry: return true
      case .signal: return false
      // Whoever reads nothing can still have it tried again.
      case .told: untold -= 1
      case .auditedEnded: continue
      }
    }
    return false
  }

  private func bootOnce() async throws(CommandFailure) -> (report: RunReport, failure: CommandFailure?)? {
    let progress = Progress("booting", on: surroundings.errors, isQuiet: options.quiet)
    defer { progress.end() }
    let begin = ContinuousClock.now
    do throws(BootFailure) {
      let booted = try await bootstrap.bootForProduction()
      let report = await RunReport(
        of: bootstrap.runtime, booted, policyPath: surroundings.policyPath(options.inputs), kernel: kernel)
      return (report, booted.failures.first.map { CommandFailure($0) })
    } catch {
      if error == .interrupted { return nil }
      let failure = CommandFailure(error)
      let duration = begin.duration(to: .now)
      tell { [output] () throws(CommandFailure) in try await output.show(failure, after: duration) }
      throw failure
    }
  }

  private func interrupted(_ when: String) throws(CommandFailure) -> ExitStatus {
    guard options.once else { return .success }
    throw CommandFailure(status: .temporaryFailure, message: "interrupted \(when)")
  }

  /// Waits until all that was to be told is; false where a signal came first, as it may before a reader that is stuck.
  private func told() async throws(CommandFailure) -> Bool {
    var iterator = happenings.makeAsyncIterator()
    while untold > 0, let happening = await iterator.next(isolation: ReactorActor.shared) {
      switch happening {
      case .signal: return false
      case .told(let error): try noteTold(error)
      case .retry, .auditedEnded: continue
      }
    }
    return true
  }

  /// Returns at a signal. An audit is told whenever a process of its module has ended.
  private func stay() async throws(CommandFailure) {
    var iterator = happenings.makeAsyncIterator()
    while let happening = await iterator.next(isolation: ReactorActor.shared) {
      switch happening {
      case .signal: return
      case .retry: continue
      case .told(let error): try noteTold(error)
      case .auditedEnded: tellAudit()
      }
    }
  }

  private func noteTold(_ error: CommandFailure?) throws(CommandFailure) {
    untold -= 1
    if let error { throw error }
  }

  /// What has come since it was last told; of ends that wait for their turn one tells of all.
  private func tellAudit() {
    guard !isAuditUntold else { return }
    isAuditUntold = true
    tell { [output, audited] () throws(CommandFailure) in
      self.isAuditUntold = false
      try await output.show(audited)
    }
  }

  /// Writes beside the wait, one after the other: a reader that is stuck must not keep a signal from being heard.
  private func tell(_ write: @escaping @ReactorActor () async throws(CommandFailure) -> Void) {
    untold += 1
    telling = Task { [telling, happen] in
      await telling?.value
      do throws(CommandFailure) {
        try await write()
        happen.yield(.told(nil))
      } catch { happen.yield(.told(error)) }
    }
  }
}
