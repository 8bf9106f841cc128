internal import ForsettiIPC

/// Where a module process is in its life. One pure function leads on from each state; `ModuleHost` does what it says.
enum HostState: Hashable, CaseIterable {
  /// Nothing but the `setUp` frame may come.
  case awaitingSetUp
  /// Locked by the host whose place this program took; nothing but the `identify` frame may come.
  case awaitingIdentify
  /// Locked; the supervisor takes the listener and the /proc files.
  case awaitingRelease
  /// The module is made and has described itself.
  case awaitingStart
  /// `start(context:)` runs.
  case starting
  /// `start(context:)` runs, and was asked to give up.
  case abandoning
  case running
  /// `stop(context:)` runs.
  case stopping
  case ended
}

/// What can happen to a module process.
enum HostEvent: Hashable {
  case setUp(SetUpMessage)
  case identify(IdentifyMessage)
  case release
  case start(StartMessage)
  case stop
  case ping
  case startReturned
  /// With the error's text.
  case startThrew(String)
  case stopReturned
  case endOfInput
  case pipeFailed
  /// A frame that does not decode, or one that only modules send.
  case malformed
}

extension HostEvent {
  /// What a frame from the supervisor means; frames that only modules send are malformed.
  init(_ message: ProtocolMessage) {
    self =
      switch message {
      case .setUp(let message): .setUp(message)
      case .identify(let message): .identify(message)
      case .release: .release
      case .start(let message): .start(message)
      case .stop: .stop
      case .ping: .ping
      default: .malformed
      }
  }
}

/// What is to be done about it, in order.
enum HostAction: Hashable {
  case lock(SetUpMessage, version: UInt16)
  case finishLockAndDescribe
  /// Say what it is, in this version of the protocol.
  case describe(IdentifyMessage, version: UInt16)
  case startModule(StartMessage)
  case cancelStart
  case stopModule
  /// Answer as a job of the module's own executor, behind the jobs that wait there.
  case answerPing
  case send(ProtocolMessage)
  /// Send what waits, then end the process.
  case exit(ModuleHostExit)
}

extension HostState {
  /// What the protocol calls the states in which calls and events may come; `nil` for the others.
  var phase: SessionPhase? {
    switch self {
    case .starting: .starting
    case .abandoning: .stoppingWhileStarting
    case .running: .running
    case .stopping: .stopping
    case .awaitingSetUp, .awaitingIdentify, .awaitingRelease, .awaitingStart, .ended: nil
    }
  }

  /// The next state and what to do, for every pair of state and event.
  func next(_ event: HostEvent) -> (state: HostState, actions: [HostAction]) {
    switch (self, event) {
    case (.ended, _): (.ended, [])
    case (_, .endOfInput): (.ended, [.exit(.supervisorGone)])
    case (_, .pipeFailed): (.ended, [.exit(.pipeFailed)])
    case (.awaitingSetUp, .setUp(let message)): Self.settingUp(message)
    case (.awaitingIdentify, .identify(let message)): Self.identifying(message)
    case (.awaitingRelease, .release): (.awaitingStart, [.finishLockAndDescribe])
    case (.awaitingStart, .start(let message)): (.starting, [.startModule(message)])
    case (.starting, .startReturned): (.running, [.send(.started)])
    case (.starting, .startThrew(let reason)):
      (.ended, [.send(.startFailed(StartFailedMessage(reason: reason))), .exit(.startFailed)])
    case (.running, .ping): (.running, [.answerPing])
    case (.starting, .stop): (.abandoning, [.cancelStart])
    case (.running, .stop), (.abandoning, .startReturned): (.stopping, [.stopModule])
    // A module whose start threw has nothing to stop.
    case (.abandoning, .startThrew), (.stopping, .stopReturned): (.ended, [.send(.stopped), .exit(.stopped)])
    default: (.ended, [.exit(.protocolViolation)])
    }
  }

  private static func identifying(_ message: IdentifyMessage) -> (state: HostState, actions: [HostAction]) {
    guard let version = message.versions.highestCommon(with: .current) else {
      return (.ended, [.send(.refused(.version(.current))), .exit(.refused)])
    }
    return (.awaitingStart, [.describe(message, version: version)])
  }

  private static func settingUp(_ message: SetUpMessage) -> (state: HostState, actions: [HostAction]) {
    guard let version = message.versions.highestCommon(with: .current) else {
      return (.ended, [.send(.refused(.version(.current))), .exit(.refused)])
    }
    return (.awaitingRelease, [.lock(message, version: version)])
  }
}
