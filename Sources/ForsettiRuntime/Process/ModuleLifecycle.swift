public import ForsettiCore
public import ForsettiIPC
import Glibc

/// The whole life of a module process as one pure function: state and event in, state and actions out.
/// `ModuleProcess` turns the kernel's events into these and carries the actions out; it decides nothing.
public struct ModuleLifecycle: Sendable {
  /// Where a process stands.
  public enum State: Sendable, Hashable {
    /// No process yet.
    case created
    /// It reads `setUp` and locks itself.
    case settingUp
    /// It says it is locked; the supervisor takes the listener and opens its /proc files.
    case locked
    /// `release` is sent; it closes the listener and makes itself undumpable, which the supervisor checks.
    case releasing
    /// Module code runs, for the first time: it is to say what it is.
    case describing
    /// It waits for the verdict.
    case described
    /// `start` runs.
    case starting
    /// It runs.
    case active
    /// It is being stopped; the number is the ladder's step, `steps.count` when SIGKILL is sent.
    case stopping(step: Int)
    /// Its listener could not be taken, for this reason: it is false, or the process is just ending by itself.
    case unreachable(errno: Int32)
    /// It must end. With a cause it is known why, without one the status will tell.
    case ending(ExitReason?)
    /// It has ended.
    case ended(ModuleExit)
  }

  /// What happens to a process.
  public enum Event: Sendable, Hashable {
    case spawned
    case message(ProtocolMessage)
    /// Bytes that are no frame, with the decoder's reason.
    case protocolError(String)
    case listenerTaken
    case listenerLost(errno: Int32)
    /// The set-up tail was checked and let through.
    case tailPassed
    /// A layer is not what it must be.
    case sandboxFailed(step: SandboxLayer, errno: Int32)
    case startRequested([Capability])
    case stopRequested
    /// The supervisor can't wait for it any longer.
    case killRequested
    case violation(Violation)
    /// Its executor has not answered for so long.
    case heartbeatLost(milliseconds: Int)
    /// It ended because it had as much of this as it may; `exited` follows.
    case usedUp(Resource)
    /// Its end of the frame pipe is closed.
    case hungUp
    case deadline(Deadline)
    case exited(ProcessStatus)
  }

  /// What a process may use up so that its status alone does not tell why it ended.
  public enum Resource: Sendable, Hashable {
    /// Memory was refused it, or it was ended for what it had.
    case memory
    /// CPU seconds.
    case processorTime

    fileprivate var reason: ExitReason {
      switch self {
      case .memory: .outOfMemory
      case .processorTime: .cpuLimit
      }
    }
  }

  /// The one deadline that can be armed at a time.
  public enum Deadline: Sendable, Hashable {
    case phase(ModulePhase)
    case stopStep(Int)
    case leave
  }

  /// What is to be done, in order.
  public enum Action: Sendable, Hashable {
    case send(ProtocolMessage)
    /// Take this descriptor of the child by pidfd_getfd(2), and open its /proc files.
    case takeListener(Int32)
    /// Arm this deadline in place of any other.
    case arm(Deadline)
    case disarm
    /// Send a signal through the pidfd.
    case kill(Int32)
    case described(DescribeMessage)
    case started
    /// Why launch or start will fail, once the process is gone; the first one counts.
    case fail(Failure)
    case heartbeatAnswered
    case record(LogMessage)
    case publish(PublishMessage)
    case finish(ModuleExit)
  }

  /// What a child said kept it from going on. Other reasons are in the exit.
  public enum Failure: Sendable, Hashable {
    case hostSpeaks(ProtocolRange)
    case badSetUp(String)
    case entryPointNotRegistered
    case startFailed(String)
  }

  /// How it is stopped.
  public let ladder: StopLadder
  /// What the supervisor offered.
  public let versions: ProtocolRange
  /// Whether the module's loop may spin.
  public let spins: Bool
  /// What a third party's executable hears first; `nil` for a module of the host.
  public let identify: IdentifyMessage?

  /// Makes the function for one way of stopping.
  public init(
    ladder: StopLadder, versions: ProtocolRange = .current, spins: Bool = false,
    identify: IdentifyMessage? = nil
  ) {
    self.identify = identify
    self.ladder = ladder
    self.versions = versions
    self.spins = spins
  }

  /// The next state and what to do.
  public func next(_ state: State, _ event: Event) -> (state: State, actions: [Action]) {
    switch state {
    case .created: create(event)
    case .ended: (state, [])
    case .ending(let cause): end(cause, event)
    case .unreachable(let errno): reach(errno, event)
    default: live(state, event)
    }
  }

  private func create(_ event: Event) -> (State, [Action]) {
    switch event {
    case .spawned: return (.settingUp, [.arm(.phase(.lockdown))])
    case .stopRequested, .killRequested:
      let exit = ModuleExit(status: .exited(code: 0), reason: .stopped)
      return (.ended(exit), [.finish(exit)])
    default: return (.created, [])
    }
  }

  /// Already on its way out: only its end matters, and the first cause stands.
  private func end(_ cause: ExitReason?, _ event: Event) -> (State, [Action]) {
    switch event {
    case .exited(let status):
      return finish(ModuleExit(status: status, reason: cause ?? reason(status, in: .ending(nil))))
    case .deadline(.leave):
      return kill(cause ?? .protocolError("said its last word or closed its pipe, and did not end"))
    case .killRequested: return kill(cause ?? .supervisorShutdown)
    case .violation(let violation) where cause == nil: return kill(.violation(violation))
    case .protocolError(let reason) where cause == nil: return kill(.protocolError(reason))
    case .usedUp(let resource) where cause == nil: return (.ending(resource.reason), [])
    case .sandboxFailed(let step, let errno) where cause == nil:
      return kill(.sandboxFailed(step: step, errno: errno))
    default: return (.ending(cause), [])
    }
  }

  /// SIGKILL does not change the status of a process that was ending already, so the status tells which it was.
  private func reach(_ errno: Int32, _ event: Event) -> (State, [Action]) {
    guard case .exited(let status) = event else { return (.unreachable(errno: errno), []) }
    let isFalse = status == .signalled(SIGKILL)
    return finish(
      ModuleExit(
        status: status,
        reason: isFalse ? .sandboxFailed(step: .listener, errno: errno) : reason(status, in: .locked)))
  }

  private func live(_ state: State, _ event: Event) -> (State, [Action]) {
    switch event {
    case .message(let message): return receive(message, in: state)
    case .protocolError(let reason): return kill(.protocolError(reason))
    case .violation(let violation): return kill(.violation(violation))
    case .sandboxFailed(let step, let errno): return kill(.sandboxFailed(step: step, errno: errno))
    case .exited(let status): return finish(ModuleExit(status: status, reason: reason(status, in: state)))
    case .stopRequested: return stop(state)
    case .killRequested: return kill(.supervisorShutdown)
    case .hungUp: return hangUp(state)
    case .deadline(let deadline): return expire(deadline, in: state)
    case .listenerLost(let errno) where state == .locked:
      return (.unreachable(errno: errno), [.disarm, .kill(SIGKILL)])
    case .listenerTaken where state == .locked: return (.releasing, [.send(.release)])
    case .tailPassed where state == .releasing:
      let greeting = identify.map { [Action.send(.identify($0))] } ?? []
      return (.describing, greeting + [.arm(.phase(.describe))])
    case .startRequested(let grants) where state == .described:
      return (.starting, [.send(.start(StartMessage(grants: grants, spin: spins))), .arm(.phase(.start))])
    // The ladder's last step, not the kernel, ended one that was told to stop.
    case .usedUp(.processorTime) where sent(SIGKILL, in: state): return (state, [])
    case .usedUp(let resource): return (.ending(resource.reason), [.disarm])
    case .heartbeatLost(let milliseconds) where state == .active:
      return kill(.heartbeatLost(milliseconds: milliseconds))
    case .spawned, .listenerTaken, .listenerLost, .tailPassed, .startRequested, .heartbeatLost:
      return (state, [])
    }
  }

  /// Before its own `start` a module has nothing to tidy, so nothing is gained by asking it.
  private func stop(_ state: State) -> (State, [Action]) {
    switch state {
    case .starting, .active: climb(to: 0)
    case .stopping: (state, [])
    default: kill(.stopped)
    }
  }

  private func climb(to step: Int) -> (State, [Action]) {
    guard step < ladder.steps.count else {
      return (.stopping(step: step), [.disarm, .kill(SIGKILL)])
    }
    let action: Action =
      switch ladder.steps[step].means {
      case .stopFrame: .send(.stop)
      case .signal(let signal): .kill(signal)
      }
    return (.stopping(step: step), [action, .arm(.stopStep(step))])
  }

  /// Pipes close a moment before the process is gone, so the end of one says little by itself.
  private func hangUp(_ state: State) -> (State, [Action]) {
    if case .stopping = state { return (state, []) }
    return (.ending(nil), [.arm(.leave)])
  }

  private func expire(_ deadline: Deadline, in state: State) -> (State, [Action]) {
    switch (deadline, state) {
    case (.phase(.lockdown), .settingUp), (.phase(.lockdown), .locked), (.phase(.lockdown), .releasing):
      kill(.timedOut(.lockdown))
    case (.phase(.describe), .describing): kill(.timedOut(.describe))
    case (.phase(.start), .starting): kill(.timedOut(.start))
    case (.stopStep(let due), .stopping(let step)) where due == step: climb(to: step + 1)
    default: (state, [])
    }
  }

  private func kill(_ cause: ExitReason) -> (State, [Action]) {
    (.ending(cause), [.disarm, .kill(SIGKILL)])
  }

  private func finish(_ exit: ModuleExit) -> (State, [Action]) {
    (.ended(exit), [.disarm, .finish(exit)])
  }
}
