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
  private let begin = ReactorClock.shared.now
  private let end: @ReactorActor () -> Void

  /// - Parameter end: ends the supervisor in good order, as SIGTERM does.
  init(
    bootstrap: ForsettiRuntimeBootstrap, policy: ControlPolicy, policyPath: String, kernel: KernelFacts,
    logger: any ForsettiLogger, log: LogHistory, crashReports: CrashReportStore, reloader: Reloader,
    auditLog: any AuditRecorder = NoAudit(), end: @escaping @ReactorActor () -> Void
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
    self.end = end
  }

  /// Milliseconds since the supervisor began to listen.
  var uptimeMilliseconds: Int { Int(clamping: (ReactorClock.shared.now &- begin) / 1_000_000) }

  /// Ends the supervisor.
  func shutDown() { end() }
}
