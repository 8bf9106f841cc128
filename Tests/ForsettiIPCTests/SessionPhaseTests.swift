import ForsettiIPC
import Testing

@Suite("Session phases")
struct SessionPhaseTests {
  /// Every legal step; what is not here is refused.
  private let table: [SessionPhase: [FrameKind: SessionPhase]] = [
    .new: [.setUp: .lockingDown],
    .lockingDown: [.locked: .locked, .refused: .ended],
    .locked: [.release: .describing],
    .describing: [.identify: .describing, .describe: .described, .describeFailed: .ended, .refused: .ended],
    .described: [.start: .starting],
    .starting: [.started: .running, .startFailed: .ended, .stop: .stoppingWhileStarting],
    .running: [.stop: .stopping],
    .stoppingWhileStarting: [.started: .stopping, .startFailed: .ended, .stopped: .ended],
    .stopping: [.stopped: .ended],
    .ended: [:],
  ]

  /// Frames that may come and lead nowhere else, by the way they go.
  private let traffic: [SessionPhase: [FrameDirection: Set<FrameKind>]] = [
    .starting: [
      .toSupervisor: [.log, .publish, .call, .cancel], .toModule: [.deliver, .dropped, .reply, .failure],
    ],
    .running: [
      .toSupervisor: [.log, .publish, .call, .cancel, .reply, .failure, .pong],
      .toModule: [.deliver, .dropped, .reply, .failure, .call, .cancel, .ping],
    ],
    .stoppingWhileStarting: [
      .toSupervisor: [.log, .publish, .call, .cancel], .toModule: [.deliver, .dropped, .reply, .failure],
    ],
    .stopping: [
      .toSupervisor: [.log, .publish, .call, .cancel, .reply, .failure, .pong],
      .toModule: [.deliver, .dropped, .reply, .failure, .cancel],
    ],
  ]

  @Test("every phase takes exactly its frames", arguments: SessionPhase.allCases)
  func cells(phase: SessionPhase) throws {
    let row = try #require(table[phase])
    for kind in FrameKind.allCases {
      for direction in FrameDirection.allCases {
        if traffic[phase]?[direction]?.contains(kind) == true {
          #expect(try phase.after(kind, direction) == phase)
        } else if direction == kind.direction, let next = row[kind] {
          #expect(try phase.after(kind, direction) == next)
        } else {
          #expect(throws: ProtocolError.unexpected(kind, phase)) { try phase.after(kind, direction) }
        }
      }
    }
  }

  @Test("stop and started may cross: both ends come to the same phase")
  func crossing() throws {
    let supervisor = try SessionPhase.starting.after(.stop, .toModule).after(.started, .toSupervisor)
    let module = try SessionPhase.starting.after(.started, .toSupervisor).after(.stop, .toModule)
    #expect(supervisor == .stopping)
    #expect(module == .stopping)
  }

  @Test("the highest version both ends speak is chosen, if there is one")
  func versions() {
    let ours = ProtocolRange(lowest: 2, highest: 4)
    #expect(ours.highestCommon(with: ProtocolRange(lowest: 3, highest: 9)) == 4)
    #expect(ours.highestCommon(with: ProtocolRange(lowest: 0, highest: 2)) == 2)
    #expect(ours.highestCommon(with: ProtocolRange(lowest: 5, highest: 6)) == nil)
    #expect(ours.highestCommon(with: ProtocolRange(lowest: 0, highest: 1)) == nil)
  }
}
