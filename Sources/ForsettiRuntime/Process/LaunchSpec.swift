public import ForsettiCore
public import ForsettiIPC
public import ForsettiSandbox
import Glibc

/// All that one launch of a module needs to know.
public struct LaunchSpec: Sendable {
  /// Who it is.
  public var moduleID: String
  /// Which module of the host it is.
  public var entryPoint: String
  /// The module host's executable.
  public var hostPath: String
  /// The same, open; `nil` where it can't be read or nobody will ask for the names of its functions.
  public var host: HostExecutable?
  /// What takes the host's place once it is locked; `nil` for a module of the host itself.
  public let executable: SealedExecutable?
  /// What holds it.
  public var plan: SandboxPlan
  /// What the child applies before any module code; made from the plan.
  public var lockdown: LockdownRequest
  /// How long each phase may take.
  public var deadlines: PhaseDeadlines
  /// How it is stopped.
  public var ladder: StopLadder
  /// How many records and lines it may say: 1,000 at once, then 500 a second.
  public var outputLimit = TokenBucket(burst: 1000, interval: 2_000_000)
  /// How it is asked whether its executor still turns; `nil` when it is not.
  public var heartbeat: HeartbeatPolicy?
  /// How long it keeps to the processors that are set aside once it is active, since it crashed lately; `nil` when it did
  /// not.
  public var convalescence: Duration?
  /// Its own cgroup, where there is one.
  var cgroup: ModuleCgroup?
  /// Records what a plan lets through for an audit; without it such a plan ends the process instead.
  var audit: ModuleAudit?
  /// Whether its loop may look for input a few microseconds longer before it sleeps, where that pays.
  public var spins = false
  /// Protocol versions to offer.
  public var versions = ProtocolRange.current

  /// Makes a specification for a child of this process.
  /// - Parameters:
  ///   - filter: the plan's program, compiled once for all modules of that plan.
  ///   - userID: user and group to drop to; `nil` when the supervisor is no root.
  ///   - deadlines: of the phases, and of the usual stop ladder.
  public init(
    moduleID: String, entryPoint: String, hostPath: String, plan: SandboxPlan, filter: FilterProgram,
    userID: UInt32? = nil, deadlines: PhaseDeadlines = PhaseDeadlines(), executable: SealedExecutable? = nil
  ) {
    self.executable = executable
    self.moduleID = moduleID
    self.entryPoint = entryPoint
    self.hostPath = hostPath
    self.plan = plan
    self.deadlines = deadlines
    ladder = StopLadder(deadlines)
    lockdown = plan.lockdownRequest(filter: filter, supervisorPID: getpid(), userID: userID)
    if executable != nil {
      lockdown.executable = SandboxPlan.executableDescriptor
      lockdown.lastDescriptor = SandboxPlan.executableDescriptor
    }
  }

  /// What the executable hears first; `nil` for a module of the host, which hears it in `setUp`.
  var identify: IdentifyMessage? {
    executable.map { _ in
      IdentifyMessage(versions: versions, moduleID: moduleID, entryPoint: entryPoint)
    }
  }

  /// Where that lies which the process runs in the end.
  var programPath: String { executable?.path ?? hostPath }

  /// What the process runs in the end; by the open file where there is one, which is what it runs whatever lies at the
  /// path now.
  var program: ProcessRemains.Executable {
    var status = stat()
    let file = executable?.number ?? host?.number
    let isThere = (file.map { fstat($0, &status) } ?? stat(programPath, &status)) == 0
    return ProcessRemains.Executable(
      path: programPath, bytes: isThere ? UInt64(clamping: status.st_size) : 0, isBundle: executable != nil)
  }

  var setUp: SetUpMessage {
    SetUpMessage(versions: versions, moduleID: moduleID, entryPoint: entryPoint, lockdown: lockdown)
  }
}

extension LaunchSpec {
  /// What a launch or start that ended so is called.
  func error(for exit: ModuleExit, failure: ModuleLifecycle.Failure?) -> ModuleManagerError {
    switch failure {
    case .hostSpeaks(let range) where executable != nil:
      return .executableUnavailable(
        moduleID: moduleID, path: executable?.path ?? "",
        reason: "it speaks protocol versions \(range.text), this supervisor \(versions.text)")
    case .hostSpeaks(let range):
      return unavailable("it speaks protocol versions \(range.text), this supervisor \(versions.text)")
    case .badSetUp(let reason): return unavailable("it refused its set-up: \(reason)")
    case .entryPointNotRegistered:
      return .entryPointNotRegistered(moduleID: moduleID, entryPoint: entryPoint)
    case .startFailed(let reason): return .startFailed(moduleID: moduleID, reason: reason)
    case nil: break
    }
    switch exit.reason {
    case .sandboxFailed(let step, let errno):
      return .sandboxFailed(moduleID: moduleID, step: step, errno: errno)
    case .timedOut(let phase):
      return .startTimedOut(moduleID: moduleID, phase: phase, milliseconds: deadlines[phase])
    default: return .crashedDuringStart(moduleID: moduleID, exit: exit)
    }
  }

  func unavailable(_ reason: String) -> ModuleManagerError {
    .hostUnavailable(moduleID: moduleID, path: hostPath, reason: reason)
  }
}

extension ProtocolRange {
  /// The range for people.
  var text: String { lowest == highest ? "\(lowest)" : "\(lowest) to \(highest)" }
}
