import ForsettiCore
import ForsettiSandbox

// Reports on processes that ended unasked. What a process left is kept from its end until it is known what follows.
extension ModuleManager {
  /// How a process ended and what it left.
  struct Remains {
    let exit: ModuleExit
    let evidence: CrashEvidence
    /// What it ran, for the names of its functions.
    let program: ModuleProgram?
    /// Whose process it was, and what it was started by: not what a reload has made of them since.
    let module: LoadedManifest
    let policy: Policy

    /// What an instance left; `nil` for one that was asked to end and did.
    @ReactorActor
    init?(of instance: any ModuleInstance, _ module: LoadedManifest, by policy: Policy, _ exit: ModuleExit) {
      guard let evidence = instance.evidence else { return nil }
      self.exit = exit
      self.evidence = evidence
      program = instance.program
      self.module = module
      self.policy = policy
    }
  }

  /// Notes that a process has ended, and says what it left.
  func noteEnd(
    of instance: any ModuleInstance, _ module: LoadedManifest, by policy: Policy, _ exit: ModuleExit
  ) -> Remains? {
    auditEnd(module.manifest.moduleID, exit)
    return Remains(of: instance, module, by: policy, exit)
  }

  /// Ends what is left of a start that came to nothing, and keeps what the process left until it is known what follows.
  /// Of one module only one start is under way; the process that serves beside it in a reload is told of by itself.
  func endFailedStart(
    of instance: any ModuleInstance, _ module: LoadedManifest, by policy: Policy
  ) async {
    failedStarts[module.manifest.moduleID] = noteEnd(of: instance, module, by: policy, await instance.stop())
  }

  /// Waits until every report on an end so far is on disk.
  public func finishCrashReports() async { await environment.crashReporter?.finish() }

  /// Writes the report on a start that came to nothing and that is not tried again by itself. One end is told of once.
  func reportFailedStart(of id: String) {
    report(failedStarts.removeValue(forKey: id), next: .staysDown(.activationFailed))
  }

  /// Writes the report on what a process left, if anything, once it is known what follows.
  /// - Parameter history: the module's, with this end in it.
  func report(
    _ left: Remains?, uptimeMilliseconds: Int64 = 0, history: RestartHistory? = nil, next: CrashSequel
  ) {
    guard let left, let reporter = environment.crashReporter else { return }
    let endedAt = environment.wallClock()
    let (module, policy, id) = (left.module, left.policy, left.module.manifest.moduleID)
    let grants = policy.grants(for: module.manifest, origin: module.origin).granted
    reporter.keep(
      CrashReport(
        id: CrashReportID(endedAt: endedAt, random: .random(in: 0...UInt32.max)),
        module: CrashedModule(module.manifest, origin: module.origin, manifestSHA256: module.sha256),
        grants: grants, endedAt: endedAt, uptimeMilliseconds: uptimeMilliseconds, exit: left.exit,
        evidence: left.evidence, ends: (history ?? histories[id])?.ends ?? [], next: next,
        wayOut: left.exit.reason.wayOut(
          grants: Set(grants), policy: policy.sandbox(for: id, origin: module.origin))),
      of: left.program)
  }
}

extension ExitReason {
  /// What a policy would have to say for the module not to end like this; `nil` where its own fault ended it.
  func wayOut(grants: Set<Capability>, policy: SandboxPolicy) -> String? {
    switch self {
    case .violation(let violation): violation.wayOut(grants: grants, policy: policy)
    case .outOfMemory:
      "the policy lets it have more with larger \"addressSpaceBytes\" and \"dataBytes\" in its \"limits\", or "
        + "\"memoryBytes\" in its \"cgroup\""
    case .cpuLimit: "the policy lets it have more with a larger \"cpuSeconds\" in its \"limits\""
    case .fileSizeLimit: "the policy lets it write more with a larger \"fileSizeBytes\" in its \"limits\""
    case .timedOut(let phase):
      "the policy gives it more time with a larger \"\(phase.rawValue)\" in its \"deadlineMilliseconds\""
    case .heartbeatLost:
      "the policy gives it more time with a larger \"timeoutMilliseconds\" in its \"heartbeat\""
    case .stopped, .crashed, .aborted, .exitedEarly, .protocolError, .sandboxFailed, .stopForced, .killed,
      .supervisorShutdown:
      nil
    }
  }
}
