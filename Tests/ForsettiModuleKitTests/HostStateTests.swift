import ForsettiCore
import ForsettiIPC
import Testing

@testable import ForsettiModuleKit

private let setUp = SetUpMessage(
  versions: .current, moduleID: "com.example.a", entryPoint: "A",
  lockdown: LockdownRequest(
    filter: [], supervisorPID: 1, userID: nil, limits: SandboxLimits(), mayBeMissing: []))
private let identify = IdentifyMessage(versions: .current, moduleID: "com.example.a", entryPoint: "A")
private let start = StartMessage(grants: [.storage])

/// Every kind of event once.
private let events: [HostEvent] = [
  .setUp(setUp), .identify(identify), .release, .start(start), .stop, .ping, .startReturned,
  .startThrew("no"),
  .stopReturned,
  .endOfInput, .pipeFailed, .malformed,
]

/// The cells that lead on; all others end the process.
private let cells: [HostState: [HostEvent: (HostState, [HostAction])]] = [
  .awaitingSetUp: [.setUp(setUp): (.awaitingRelease, [.lock(setUp, version: 1)])],
  .awaitingIdentify: [.identify(identify): (.awaitingStart, [.describe(identify, version: 1)])],
  .awaitingRelease: [.release: (.awaitingStart, [.finishLockAndDescribe])],
  .awaitingStart: [.start(start): (.starting, [.startModule(start)])],
  .starting: [
    .startReturned: (.running, [.send(.started)]),
    .startThrew("no"): (
      .ended, [.send(.startFailed(StartFailedMessage(reason: "no"))), .exit(.startFailed)]
    ),
    .stop: (.abandoning, [.cancelStart]),
  ],
  .abandoning: [
    .startReturned: (.stopping, [.stopModule]),
    .startThrew("no"): (.ended, [.send(.stopped), .exit(.stopped)]),
  ],
  .running: [.stop: (.stopping, [.stopModule]), .ping: (.running, [.answerPing])],
  .stopping: [.stopReturned: (.ended, [.send(.stopped), .exit(.stopped)])],
]

@Suite struct HostStateTests {
  @Test("every pair of state and event does what the table says", arguments: HostState.allCases)
  func table(state: HostState) {
    for event in events {
      let (next, actions) = state.next(event)
      let wanted: (HostState, [HostAction]) =
        switch (state, event) {
        case (.ended, _): (.ended, [])
        case (_, .endOfInput): (.ended, [.exit(.supervisorGone)])
        case (_, .pipeFailed): (.ended, [.exit(.pipeFailed)])
        default: cells[state]?[event] ?? (.ended, [.exit(.protocolViolation)])
        }
      #expect(next == wanted.0, "\(state) × \(event)")
      #expect(actions == wanted.1, "\(state) × \(event)")
    }
  }

  @Test("what a host takes and sends, the protocol's own table allows") func agreesWithTheProtocol() throws {
    let lives: [[HostEvent]] = [
      [.setUp(setUp), .release, .start(start), .startReturned, .ping, .stop, .stopReturned],
      [.setUp(setUp), .release, .start(start), .startThrew("no")],
      [.setUp(setUp), .release, .start(start), .stop, .startReturned, .stopReturned],
      [.setUp(setUp), .release, .start(start), .stop, .startThrew("cancelled")],
    ]
    // A third party's executable, from the moment it takes over.
    let lateLives: [[HostEvent]] = [
      [.identify(identify), .start(start), .startReturned, .stop, .stopReturned],
      [.identify(identify), .start(start), .startThrew("no")],
    ]
    for life in lives + lateLives {
      let isLate = lateLives.contains(life)
      var (state, phase) =
        isLate ? (HostState.awaitingIdentify, SessionPhase.describing) : (.awaitingSetUp, .new)
      for event in life {
        if let kind = event.kind { phase = try phase.after(kind, .toModule) }
        let (next, actions) = state.next(event)
        state = next
        for kind in actions.flatMap(\.sent) { phase = try phase.after(kind, .toSupervisor) }
      }
      #expect(state == .ended)
      #expect(phase == .ended)
    }
  }

  @Test("the highest version both ends speak is chosen; none is refused") func versions() {
    var message = setUp
    message.versions = ProtocolRange(lowest: 0, highest: 9)
    #expect(HostState.awaitingSetUp.next(.setUp(message)).actions == [.lock(message, version: 1)])
    message.versions = ProtocolRange(lowest: 2, highest: 9)
    #expect(
      HostState.awaitingSetUp.next(.setUp(message)).actions
        == [.send(.refused(.version(.current))), .exit(.refused)])
    var late = identify
    late.versions = ProtocolRange(lowest: 0, highest: 9)
    #expect(HostState.awaitingIdentify.next(.identify(late)).actions == [.describe(late, version: 1)])
    late.versions = ProtocolRange(lowest: 2, highest: 9)
    #expect(
      HostState.awaitingIdentify.next(.identify(late)).actions
        == [.send(.refused(.version(.current))), .exit(.refused)])
  }

  @Test("a frame that only modules send is malformed for a host") func directions() {
    #expect(HostEvent(.started) == .malformed)
    #expect(HostEvent(.stop) == .stop)
  }
}

extension HostEvent {
  fileprivate var kind: FrameKind? {
    switch self {
    case .setUp: .setUp
    case .identify: .identify
    case .release: .release
    case .start: .start
    case .stop: .stop
    case .ping: .ping
    default: nil
    }
  }
}

extension HostAction {
  /// The frames that the action sends when all goes well.
  fileprivate var sent: [FrameKind] {
    switch self {
    case .lock: [.locked]
    case .finishLockAndDescribe, .describe: [.describe]
    case .answerPing: [.pong]
    case .send(let message): [message.kind]
    default: []
    }
  }
}
