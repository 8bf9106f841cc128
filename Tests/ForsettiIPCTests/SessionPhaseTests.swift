import ForsettiIPC
import Testing

@Suite("Session phases")
struct SessionPhaseTests {
  /// Every legal step; what is not here is refused.
  private let table: [SessionPhase: [FrameKind: SessionPhase]] = [
    .new: [.setUp: .lockingDown],
    .lockingDown: [.locked: .locked, .refused: .ended],
    .locked: [.release: .describing],
    .describing: [.describe: .described, .describeFailed: .ended, .refused: .ended],
    .described: [.start: .starting],
    .starting: [
      .started: .running, .startFailed: .ended, .stop: .stoppingWhileStarting, .log: .starting,
      .publish: .starting,
    ],
    .running: [.stop: .stopping, .log: .running, .publish: .running],
    .stoppingWhileStarting: [
      .started: .stopping, .startFailed: .ended, .stopped: .ended, .log: .stoppingWhileStarting,
      .publish: .stoppingWhileStarting,
    ],
    .stopping: [.stopped: .ended, .log: .stopping, .publish: .stopping],
    .ended: [:],
  ]

  @Test("every phase takes exactly its frames", arguments: SessionPhase.allCases)
  func cells(phase: SessionPhase) throws {
    let row = try #require(table[phase])
    for kind in FrameKind.allCases {
      for direction in FrameDirection.allCases {
        if direction == kind.direction, let next = row[kind] {
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
