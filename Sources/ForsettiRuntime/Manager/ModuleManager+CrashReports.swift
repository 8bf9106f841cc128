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
  }

  /// Keeps what an instance left, in place of anything earlier; one that was asked to end leaves nothing to tell.
  func keepRemains(of instance: any ModuleInstance, _ id: String, _ exit: ModuleExit) {
    remains[id] = instance.evidence.map { Remains(exit: exit, evidence: $0, program: instance.program) }
  }

  /// Waits until every report on an end so far is on disk.
  public func finishCrashReports() async { await environment.crashReporter?.finish() }

  /// Writes the report on a module's end, once it is known what follows. One end is told of once.
  /// - Parameter history: the module's, with this end in it.
  func reportCrash(
    of id: String, uptimeMilliseconds: Int64 = 0, history: RestartHistory? = nil, next: CrashSequel
  ) {
    guard let left = remains.removeValue(forKey: id), let reporter = environment.crashReporter,
      let module = catalog[id]
    else { return }
    let endedAt = environment.wallClock()
    let policy = self.policy
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
