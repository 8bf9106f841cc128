import ForsettiCore
import ForsettiIPC
import Glibc
import Testing

@testable import ForsettiRuntime

/// Every cell of the table of states and events. Events that a state does not know have one answer for all states,
/// stated in `expectation`; every other cell is written down.
@Suite("The life of a module process")
struct LifecycleTests {
  typealias State = ModuleLifecycle.State
  typealias Event = ModuleLifecycle.Event
  typealias Action = ModuleLifecycle.Action
  typealias Cell = (state: State, actions: [Action])

  static let lifecycle = ModuleLifecycle(ladder: StopLadder())
  static let violation = Violation(
    syscall: "socket", number: 41, arguments: [1, 2, 3, 0, 0, 0], path: nil, instructionPointer: 1)
  static let record = LogMessage(level: .info, message: "m")
  static let event = PublishMessage(type: "t")

  static let states: [State] = [
    .created, .settingUp, .locked, .releasing, .describing, .described, .starting, .active,
    .stopping(step: 0),
    .stopping(step: 1), .stopping(step: 2), .unreachable(errno: EBADF), .ending(nil),
    .ending(.timedOut(.start)),
    .ended(ModuleExit(status: .exited(code: 0), reason: .stopped)),
  ]
  static let messages: [ProtocolMessage] = [
    .setUp(
      SetUpMessage(
        versions: .current, moduleID: "m", entryPoint: "e",
        lockdown: LockdownRequest(
          filter: [], supervisorPID: 1, userID: nil, limits: SandboxLimits(), mayBeMissing: []))),
    .locked(LockedMessage(version: 1, listener: 5, landlockABI: 7)),
    .locked(LockedMessage(version: 2, listener: 5, landlockABI: 7)),
    .refused(.lockdown(step: .landlock, errno: EPERM)),
    .refused(.version(ProtocolRange(lowest: 3, highest: 4))), .refused(.badSetUp("why")), .release,
    .describe(description), .describeFailed(DescribeFailedMessage(entryPoint: "e")),
    .start(StartMessage(grants: [])), .started, .startFailed(StartFailedMessage(reason: "why")), .stop,
    .stopped, .ping, .pong,
    .log(record), .publish(event),
  ]

  static let events: [Event] =
    messages.map { .message($0) } + [
      .spawned, .protocolError("why"), .listenerTaken, .listenerLost(errno: EBADF), .tailPassed,
      .sandboxFailed(step: .listener, errno: EBADF), .startRequested([.storage]), .stopRequested,
      .violation(violation), .heartbeatLost(milliseconds: 9), .usedUp(.memory), .usedUp(.processorTime),
      .hungUp,
      .deadline(.phase(.lockdown)),
      .deadline(.phase(.describe)),
      .deadline(.phase(.start)), .deadline(.stopStep(0)), .deadline(.stopStep(1)), .deadline(.leave),
      .exited(.exited(code: 0)), .exited(.exited(code: 3)), .exited(.signalled(SIGSEGV)),
      .exited(.signalled(SIGABRT)), .exited(.signalled(SIGSYS)), .exited(.signalled(SIGTERM)),
      .exited(.signalled(SIGKILL)), .exited(.signalled(SIGHUP)),
      .exited(.signalled(SIGXCPU)), .exited(.signalled(SIGXFSZ)),
    ]

  @Test("every event in every state leads where the table says", arguments: states)
  func everyCell(_ state: State) {
    for event in Self.events {
      let cell = Self.lifecycle.next(state, event)
      let expected = Self.expectation(state, event)
      #expect(cell.state == expected.state, "\(event)")
      #expect(cell.actions == expected.actions, "\(event)")
    }
  }

  static func expectation(_ state: State, _ event: Event) -> Cell {
    if let cell = written(state, event) { return cell }
    switch state {
    case .created, .ended, .ending, .unreachable: return (state, [])
    default: break
    }
    switch event {
    case .message(let message):
      return killed(.protocolError("sent \(message.kind) while \(state.name)"))
    default: return (state, [])
    }
  }

  static func killed(_ reason: ExitReason) -> Cell { (.ending(reason), [.disarm, .kill(SIGKILL)]) }
  static func ended(_ status: ProcessStatus, _ reason: ExitReason) -> Cell {
    let exit = ModuleExit(status: status, reason: reason)
    return (.ended(exit), [.disarm, .finish(exit)])
  }

  /// The cells that are more than "no such thing now".
  static func written(_ state: State, _ event: Event) -> Cell? {
    switch (state, event) {
    case (.created, .spawned): return (.settingUp, [.arm(.phase(.lockdown))])
    case (.created, .stopRequested):
      let exit = ModuleExit(status: .exited(code: 0), reason: .stopped)
      return (.ended(exit), [.finish(exit)])
    case (.created, _), (.ended, _): return nil
    case (.ending(let cause), _): return ending(cause, event)
    case (.unreachable(let errno), .exited(let status)):
      return status == .signalled(SIGKILL)
        ? ended(status, .sandboxFailed(step: .listener, errno: errno)) : exited(status, .locked)
    case (.unreachable, _): return nil
    case (_, .message(let message)): return said(message, state)
    case (_, .exited(let status)): return exited(status, state)
    case (_, .protocolError(let why)): return killed(.protocolError(why))
    case (_, .violation(let violation)): return killed(.violation(violation))
    case (_, .sandboxFailed(let step, let errno)): return killed(.sandboxFailed(step: step, errno: errno))
    case (_, .stopRequested): return stopRequested(state)
    case (_, .hungUp): return state.isStopping ? nil : (.ending(nil), [.arm(.leave)])
    case (_, .usedUp(.memory)): return (.ending(.outOfMemory), [.disarm])
    case (.stopping(step: 2), .usedUp(.processorTime)): return nil
    case (_, .usedUp(.processorTime)): return (.ending(.cpuLimit), [.disarm])
    case (.active, .heartbeatLost(let milliseconds)):
      return killed(.heartbeatLost(milliseconds: milliseconds))
    case (.locked, .listenerLost(let errno)):
      return (.unreachable(errno: errno), [.disarm, .kill(SIGKILL)])
    case (.locked, .listenerTaken): return (.releasing, [.send(.release)])
    case (.releasing, .tailPassed): return (.describing, [.arm(.phase(.describe))])
    case (.described, .startRequested(let grants)):
      return (.starting, [.send(.start(StartMessage(grants: grants))), .arm(.phase(.start))])
    case (.settingUp, .deadline(.phase(.lockdown))), (.locked, .deadline(.phase(.lockdown))),
      (.releasing, .deadline(.phase(.lockdown))):
      return killed(.timedOut(.lockdown))
    case (.describing, .deadline(.phase(.describe))): return killed(.timedOut(.describe))
    case (.starting, .deadline(.phase(.start))): return killed(.timedOut(.start))
    case (.stopping(0), .deadline(.stopStep(0))):
      return (.stopping(step: 1), [.kill(SIGTERM), .arm(.stopStep(1))])
    case (.stopping(1), .deadline(.stopStep(1))): return (.stopping(step: 2), [.disarm, .kill(SIGKILL)])
    default: return nil
    }
  }

  static func said(_ message: ProtocolMessage, _ state: State) -> Cell? {
    switch (state, message) {
    case (.settingUp, .locked(let locked)):
      return locked.version == 1
        ? (.locked, [.takeListener(5)])
        : killed(.protocolError("chose protocol version 2, which was not offered"))
    case (.settingUp, .refused(.lockdown)), (.releasing, .refused(.lockdown)):
      return (.ending(.sandboxFailed(step: .landlock, errno: EPERM)), [.arm(.leave)])
    case (.settingUp, .refused(.version(let range))), (.releasing, .refused(.version(let range))):
      return (.ending(nil), [.fail(.hostSpeaks(range)), .arm(.leave)])
    case (.settingUp, .refused(.badSetUp)), (.releasing, .refused(.badSetUp)):
      return (.ending(nil), [.fail(.badSetUp("why")), .arm(.leave)])
    case (.describing, .describe): return (.described, [.disarm, .described(description)])
    case (.describing, .describeFailed):
      return (.ending(nil), [.fail(.entryPointNotRegistered), .arm(.leave)])
    case (.starting, .started): return (.active, [.disarm, .started])
    case (.starting, .startFailed): return (.ending(nil), [.fail(.startFailed("why")), .arm(.leave)])
    case (.stopping, .started), (.stopping, .startFailed), (.stopping, .stopped): return (state, [])
    case (.active, .pong), (.stopping, .pong): return (state, [.heartbeatAnswered])
    case (.starting, .log), (.active, .log), (.stopping, .log): return (state, [.record(record)])
    case (.starting, .publish), (.active, .publish), (.stopping, .publish): return (state, [.publish(event)])
    default: return nil
    }
  }

  static func stopRequested(_ state: State) -> Cell {
    switch state {
    case .starting, .active: (.stopping(step: 0), [.send(.stop), .arm(.stopStep(0))])
    case .stopping: (state, [])
    default: killed(.stopped)
    }
  }

  static func ending(_ cause: ExitReason?, _ event: Event) -> Cell? {
    switch event {
    case .deadline(.leave):
      return killed(cause ?? .protocolError("said its last word or closed its pipe, and did not end"))
    case .violation(let violation): return cause == nil ? killed(.violation(violation)) : nil
    case .protocolError(let reason): return cause == nil ? killed(.protocolError(reason)) : nil
    case .usedUp(.memory): return cause == nil ? (.ending(.outOfMemory), []) : nil
    case .usedUp(.processorTime): return cause == nil ? (.ending(.cpuLimit), []) : nil
    case .sandboxFailed(let step, let errno):
      return cause == nil ? killed(.sandboxFailed(step: step, errno: errno)) : nil
    case .exited(let status): return cause.map { ended(status, $0) } ?? exited(status, .ending(nil))
    default: return nil
    }
  }

  static func exited(_ status: ProcessStatus, _ state: State) -> Cell {
    let reason: ExitReason =
      switch (status, state) {
      case (.exited(0), .stopping): .stopped
      case (.exited(let code), _): .exitedEarly(code: code)
      case (.signalled(SIGABRT), _): .aborted
      case (.signalled(SIGXCPU), _): .cpuLimit
      case (.signalled(SIGXFSZ), _): .fileSizeLimit
      case (.signalled(SIGSYS), .settingUp): .crashed(signal: SIGSYS)
      case (.signalled(SIGSYS), _): .violation(.foreignArchitecture)
      case (.signalled(SIGSEGV), _): .crashed(signal: SIGSEGV)
      case (.signalled(SIGTERM), .stopping(1)), (.signalled(SIGTERM), .stopping(2)):
        .stopForced(signal: SIGTERM)
      case (.signalled(SIGKILL), .stopping(2)): .stopForced(signal: SIGKILL)
      case (.signalled(let signal), _): .killed(signal: signal)
      }
    return ended(status, reason)
  }

  @Test("the first cause wins over what comes after it")
  func firstCause() {
    var state = State.active
    let story: [Event] = [
      .violation(Self.violation), .protocolError("later"), .hungUp, .stopRequested, .deadline(.leave),
      .exited(.signalled(SIGKILL)),
    ]
    for event in story { state = Self.lifecycle.next(state, event).state }
    #expect(
      state == .ended(ModuleExit(status: .signalled(SIGKILL), reason: .violation(Self.violation))))
  }

  @Test("a ladder without steps is SIGKILL at once, and any ladder ends in it")
  func ladders() {
    let empty = ModuleLifecycle(ladder: StopLadder(steps: []))
    #expect(empty.next(.active, .stopRequested).actions == [.disarm, .kill(SIGKILL)])
    let long = StopLadder(steps: [
      .init(.signal(SIGHUP), time: .seconds(1)), .init(.stopFrame, time: .seconds(1)),
      .init(.signal(SIGTERM), time: .seconds(1)),
    ])
    let lifecycle = ModuleLifecycle(ladder: long)
    var state = lifecycle.next(.active, .stopRequested).state
    var done: [Action] = []
    for step in 0..<long.steps.count {
      let cell = lifecycle.next(state, .deadline(.stopStep(step)))
      state = cell.state
      done += cell.actions
    }
    #expect(
      done == [
        .send(.stop), .arm(.stopStep(1)), .kill(SIGTERM), .arm(.stopStep(2)), .disarm, .kill(SIGKILL),
      ])
    #expect(
      lifecycle.next(state, .exited(.signalled(SIGKILL))).state
        == .ended(ModuleExit(status: .signalled(SIGKILL), reason: .stopForced(signal: SIGKILL))))
  }
}
