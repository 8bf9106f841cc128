import ForsettiCore
import ForsettiRuntime

/// What the operations of the control socket work on.
@ReactorActor final class ControlContext {
  let bootstrap: ForsettiRuntimeBootstrap
  let policy: ControlPolicy
  let policyPath: String
  let kernel: KernelFacts
  let logger: any ForsettiLogger
  let log: LogHistory
  /// What is kept of modules that ended unasked.
  let crashReports: CrashReportStore
  let reloader: Reloader
  /// Keeps who changed what.
  let auditLog: any AuditRecorder
  /// The way into the web console that the supervisor keeps; `nil` where it keeps none.
  let console: ConsoleAccess?
  /// What is kept of the tables of all modules.
  let tables = ModuleTables()
  private let begin = ReactorClock.shared.now
  private let retry: @ReactorActor () -> Void
  private let end: @ReactorActor () -> Void

  /// - Parameters:
  ///   - retry: boots again after a failed boot.
  ///   - end: ends the supervisor in good order, as SIGTERM does.
  init(
    bootstrap: ForsettiRuntimeBootstrap, policy: ControlPolicy, policyPath: String, kernel: KernelFacts,
    logger: any ForsettiLogger, log: LogHistory, crashReports: CrashReportStore, reloader: Reloader,
    auditLog: any AuditRecorder = NoAudit(), console: ConsoleAccess? = nil,
    retry: @escaping @ReactorActor () -> Void = {}, end: @escaping @ReactorActor () -> Void
  ) {
    self.bootstrap = bootstrap
    self.policy = policy
    self.policyPath = policyPath
    self.kernel = kernel
    self.logger = logger
    self.log = log
    self.crashReports = crashReports
    self.reloader = reloader
    self.auditLog = auditLog
    self.console = console
    self.retry = retry
    self.end = end
  }

  /// Milliseconds since the supervisor began to listen.
  var uptimeMilliseconds: Int { Int(clamping: (ReactorClock.shared.now &- begin) / 1_000_000) }

  /// The same of a time of the runtime's clock, which may be before that.
  func milliseconds(at time: UInt64) -> Int { Int(Int64(bitPattern: time &- begin) / 1_000_000) }

  /// Boots again.
  func retryBoot() { retry() }

  /// Ends the supervisor.
  func shutDown() { end() }
}
