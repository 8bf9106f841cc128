import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime

/// Module processes that are asked whether they turn.
@ReactorActor @Suite("Heartbeats", .timeLimit(.minutes(1)))
struct HeartbeatProcessTests {
  private static let policy = HeartbeatPolicy(intervalMilliseconds: 1_000, timeoutMilliseconds: 400)
  private static let answered = ProtocolMessage.log(LogMessage(level: .info, message: "answered"))

  /// A subject that is active, answers so many pings, and then none.
  private func active(answers: Int, _ clock: FakeClock, then steps: [ScriptedChild.Step] = [.hang])
    async throws
    -> Subject
  {
    let answering = (0..<answers).flatMap { _ -> [ScriptedChild.Step] in
      [.awaitFrame, .send(.pong), .send(Self.answered)]
    }
    let subject = try Subject(
      ScriptedChild.describing(description) + [.awaitFrame, .send(.started)] + answering + steps, clock: clock
    ) { $0.heartbeat = Self.policy }
    _ = try await subject.process.launch()
    try await subject.process.start(grants: [])
    return subject
  }

  @Test("one that answers stays; from its first silence on it has the timeout, and then it is ended for that")
  func silence() async throws {
    let clock = FakeClock()
    let subject = try await active(answers: 2, clock)
    for count in 1...2 {
      clock.advance(by: .milliseconds(1_200))
      await subject.output.wait(count: count)
    }
    clock.advance(by: .milliseconds(1_200))
    #expect(subject.process.state == .active)
    clock.advance(by: .milliseconds(800))
    let exit = await subject.process.exit()
    #expect(exit == ModuleExit(status: .signalled(SIGKILL), reason: .heartbeatLost(milliseconds: 400)))
    #expect(clock.pending == 0)
  }

  @Test("a supervisor that was stopped for an hour blames nobody for it")
  func stoppedSupervisor() async throws {
    let clock = FakeClock()
    let subject = try await active(answers: 2, clock)
    for count in 1...2 {
      clock.jump(by: .seconds(3_600))
      // Again, before the answer that may lie in the pipe is read.
      clock.jump(by: .seconds(3_600))
      #expect(subject.process.state == .active)
      await subject.output.wait(count: count)
      // The look that finds the answer.
      clock.jump(by: .seconds(3_600))
    }
    subject.process.kill()
    _ = await subject.process.exit()
  }

  @Test("an answer that nobody asked for breaks the protocol")
  func unasked() async throws {
    let subject = try await active(answers: 0, FakeClock(), then: [.send(.pong), .awaitEnd])
    #expect(await subject.process.exit().reason == .protocolError("answered a ping that was not sent"))
  }

  @Test("a module that is stopped meanwhile is asked no more, and its late answer is no fault")
  func stopped() async throws {
    let clock = FakeClock()
    let subject = try await active(
      answers: 0, clock, then: [.awaitFrame, .awaitFrame, .send(.pong), .send(.stopped)])
    clock.advance(by: .milliseconds(1_100))
    #expect(await subject.process.stop().reason == .stopped)
  }

  @Test("the looks of many fall together")
  func together() async throws {
    let clock = FakeClock()
    var dues: Set<UInt64> = []
    for _ in 0..<50 {
      clock.advance(by: .milliseconds(1))
      let watch = HeartbeatWatch(
        Self.policy, clock: clock, ping: { dues.insert(clock.now).inserted || true }, heldCalls: { 0 },
        lost: { _ in })
      watch.start()
      watches.add(watch)
    }
    clock.advance(by: .milliseconds(1_200))
    #expect(dues.count == 1)
  }
  private let watches = Log<HeartbeatWatch>()

  @Test("a module that is lost in a loop is ended for its silence, by the real clock and the real kit")
  func busy() async throws {
    let subject = try Subject(host: try builtProgram("forsetti-kit-probe")) {
      $0.entryPoint = "Busy"
      $0.heartbeat = HeartbeatPolicy(intervalMilliseconds: 100, timeoutMilliseconds: 200)
    }
    _ = try await subject.process.launch()
    try await subject.process.start(grants: [])
    #expect(await subject.process.exit().reason == .heartbeatLost(milliseconds: 200))
  }
}
