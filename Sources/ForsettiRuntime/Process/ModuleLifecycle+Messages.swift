import ForsettiCore
import ForsettiIPC
import Glibc

extension ModuleLifecycle {
  /// A frame from the module: each has its moments, at any other it is a protocol error.
  func receive(_ message: ProtocolMessage, in state: State) -> (State, [Action]) {
    switch message {
    case .locked(let locked) where state == .settingUp: return lock(locked)
    // The last steps of the lockdown come after `release`.
    case .refused(let refusal) where state == .settingUp || state == .releasing: return refuse(refusal)
    // What an exec came to is heard only after it was let through.
    case .refused(.lockdown(.execute, let errno)) where state == .describing && identify != nil:
      return refuse(.lockdown(step: .execute, errno: errno))
    case .refused(.version(let range)) where state == .describing && identify != nil:
      return refuse(.version(range))
    case .describe(let description) where state == .describing: return describe(description)
    case .describeFailed where state == .describing: return leave(.entryPointNotRegistered)
    case .started where state == .starting: return (.active, [.disarm, .started])
    case .startFailed(let failure) where state == .starting: return leave(.startFailed(failure.reason))
    // The module may have answered `start` before it read `stop`.
    case .started where state.isStopping, .startFailed where state.isStopping,
      .stopped where state.isStopping:
      return (state, [])
    // It may have been asked before it was stopped.
    case .pong where state == .active || state.isStopping: return (state, [.heartbeatAnswered])
    case .log(let record) where state.hasContext: return (state, [.record(record)])
    case .publish(let event) where state.hasContext: return (state, [.publish(event)])
    default: return outOfPlace(message, in: state)
    }
  }

  private func lock(_ locked: LockedMessage) -> (State, [Action]) {
    guard (versions.lowest...versions.highest).contains(locked.version) else {
      return outOfPlace("chose protocol version \(locked.version), which was not offered")
    }
    return (.locked, [.takeListener(locked.listener)])
  }

  /// A third party's executable chooses the version here, for the host that chose one is gone.
  private func describe(_ description: DescribeMessage) -> (State, [Action]) {
    guard let version = description.version else {
      guard identify == nil else { return outOfPlace("said what it is without a protocol version") }
      return (.described, [.disarm, .described(description)])
    }
    guard identify != nil, (versions.lowest...versions.highest).contains(version) else {
      return outOfPlace("chose protocol version \(version), which was not offered")
    }
    return (.described, [.disarm, .described(description)])
  }

  private func refuse(_ refusal: RefusedMessage) -> (State, [Action]) {
    switch refusal {
    case .lockdown(let step, let errno):
      return (.ending(.sandboxFailed(step: step, errno: errno)), [.arm(.leave)])
    case .version(let range): return leave(.hostSpeaks(range))
    case .badSetUp(let reason): return leave(.badSetUp(reason))
    }
  }

  private func leave(_ failure: Failure) -> (State, [Action]) {
    (.ending(nil), [.fail(failure), .arm(.leave)])
  }

  private func outOfPlace(_ message: ProtocolMessage, in state: State) -> (State, [Action]) {
    outOfPlace("sent \(message.kind) while \(state.name)")
  }

  private func outOfPlace(_ reason: String) -> (State, [Action]) {
    (.ending(.protocolError(reason)), [.disarm, .kill(SIGKILL)])
  }

  /// Why a process ended whose status is all there is to go by.
  func reason(_ status: ProcessStatus, in state: State) -> ExitReason {
    switch status {
    case .exited(let code): return code == 0 && state.isStopping ? .stopped : .exitedEarly(code: code)
    case .signalled(SIGABRT): return .aborted
    case .signalled(SIGXCPU): return .cpuLimit
    case .signalled(SIGXFSZ): return .fileSizeLimit
    case .signalled(SIGSYS) where state.isLocked: return .violation(.foreignArchitecture)
    case .signalled(let signal) where ModuleLifecycle.faults.contains(signal): return .crashed(signal: signal)
    case .signalled(let signal):
      return sent(signal, in: state) ? .stopForced(signal: signal) : .killed(signal: signal)
    }
  }

  private static let faults: Set<Int32> = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS]

  /// Whether the ladder has sent this signal by now.
  func sent(_ signal: Int32, in state: State) -> Bool {
    guard case .stopping(let step) = state else { return false }
    if signal == SIGKILL { return step >= ladder.steps.count }
    return ladder.steps.prefix(step + 1).contains { $0.means == .signal(signal) }
  }
}

extension ModuleLifecycle.State {
  var isStopping: Bool {
    if case .stopping = self { true } else { false }
  }

  /// It will not come back, and what it says no longer counts.
  var isEnding: Bool {
    switch self {
    case .unreachable, .ending: true
    default: false
    }
  }

  /// The filter is on.
  var isLocked: Bool { self != .created && self != .settingUp }

  /// The module has its context, and so its logger and its event bus, from `start` on.
  var hasContext: Bool {
    switch self {
    case .starting, .active, .stopping: true
    default: false
    }
  }

  /// One word or two, for messages.
  public var name: String {
    switch self {
    case .created: "created"
    case .settingUp: "setting up"
    case .locked: "locked"
    case .releasing: "releasing"
    case .describing: "describing"
    case .described: "described"
    case .starting: "starting"
    case .active: "active"
    case .stopping: "stopping"
    case .unreachable, .ending: "ending"
    case .ended: "ended"
    }
  }
}

extension Violation {
  /// A call of another architecture or x32, which the filter itself ends: which one, the kernel does not say.
  static let foreignArchitecture = Violation(
    syscall: "foreign_architecture", number: -1, arguments: [], path: nil, instructionPointer: 0)
}
