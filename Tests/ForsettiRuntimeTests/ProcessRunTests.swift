import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime

/// What a process that is active may do, and what becomes of it.
@ReactorActor @Suite("A running module process", .timeLimit(.minutes(1)))
struct ProcessRunTests {
  @Test("it has descriptors 0 to 4, a session of its own, two variables and no argument")
  func surroundings() async throws {
    let subject = try await active([
      .python("numbers = sorted(int(n) for n in os.listdir('/proc/self/fd'))[:-1]"),
      .python("print(numbers, os.readlink('/proc/self/fd/0'), os.getsid(0) == os.getpid(), flush=True)"),
      // Not from /proc/self/environ, which an undumpable process of an ordinary user can't read. Python itself
      // adds LC_CTYPE.
      .python("variables = [f'{k}={v}' for k, v in os.environ.items() if k != 'LC_CTYPE']"),
      .python("print(variables, flush=True)"),
    ])
    let lines = await self.lines(subject, 2)
    #expect(
      lines == [
        "[0, 1, 2, 3, 4] /dev/null True", "['SWIFT_BACKTRACE=enable=no', 'SWIFT_ROOT=/']",
      ])
    _ = await subject.process.stop()
  }

  @Test("it starts with no signal blocked or ignored, whatever the supervisor does")
  func signals() async throws {
    let script = try ScriptedChild(text: "#!/bin/sh\nexec /bin/cat /proc/self/status\n")
    let subject = try Subject(host: script.path)
    _ = await subject.launchError()
    let lines = subject.output.items.compactMap { if case .line(let text, _) = $0 { text } else { nil } }
    // 32 and 33 are glibc's own, which posix_spawn always leaves ignored.
    #expect(lines.contains { $0 == "SigIgn:\t0000000000000000" || $0 == "SigIgn:\t0000000180000000" })
    #expect(lines.contains("SigBlk:\t0000000000000000"))
  }

  @Test("a call outside the plan is recorded with its path and ends the process before it happens")
  func violation() async throws {
    let subject = try await active(
      [.call(83, ["b'/tmp/forsetti\\n\\xff-never\\0'", "0o755"]), .hang], notifying: [83])
    let exit = await subject.process.exit()
    #expect(exit.status == .signalled(SIGKILL))
    guard case .violation(let violation) = exit.reason else {
      Issue.record("\(exit.reason)")
      return
    }
    #expect(violation.syscall == "mkdir")
    #expect(violation.number == 83)
    #expect(violation.arguments[1] == 0o755)
    #expect(violation.path == "/tmp/forsetti\\n\\u{FFFD}-never")
    #expect(violation.instructionPointer != 0)
    #expect(access("/tmp/forsetti\n", F_OK) != 0)
  }

  @Test("a call outside the plan before the description is a crash during start that says so")
  func violationWhileDescribing() async throws {
    let subject = try Subject([
      .awaitFrame, .lock(notifying: [41]), .awaitFrame, .finishSetUp, .call(41, ["2", "1", "0"]), .hang,
    ])
    guard case .crashedDuringStart(_, let exit) = await subject.launchError(),
      case .violation(let violation) = exit.reason
    else {
      Issue.record("no violation")
      return
    }
    #expect(violation.syscall == "socket")
    #expect(violation.path == nil)
  }

  @Test("the set-up tail passes once; the same call later is a violation")
  func tailOnce() async throws {
    let subject = try await active([.call(157, ["4", "0", "0", "0", "0"]), .hang])
    guard case .violation(let violation) = await subject.process.exit().reason else {
      Issue.record("no violation")
      return
    }
    #expect(violation.syscall == "prctl")
  }

  @Test("served calls give their true results: a continued one, a refused one, a descriptor")
  func served() async throws {
    let subject = try await active(
      [
        .python("print(system(39) == int(os.readlink('/proc/self')), flush=True)"),
        .python("print(system(435, 0, 0), ctypes.get_errno(), flush=True)"),
        .python("f = system(257, -100, b'/dev/urandom\\0', 0, 0); print(len(os.read(f, 16)), flush=True)"),
      ], notifying: [39, 435, 257])
    #expect(await lines(subject, 3) == ["True", "-1 \(ENOSYS)", "16"])
    #expect(await subject.process.observe()?.servedCalls == 4)
    _ = await subject.process.stop()
  }

  @Test("past its budget a served call waits for its turn: the process sleeps, and is counted")
  func servedBudget() async throws {
    let clock = FakeClock()
    let subject = try await active(
      [.python("for _ in range(100): system(39)"), .python("print('done', flush=True)")], notifying: [39],
      clock: clock)
    while subject.output.items.isEmpty {
      // Time moves only for a call that waits, so that what is counted does not depend on this machine's speed.
      if clock.pending > 0 { clock.advance(by: .milliseconds(1)) }
      await settle()
    }
    let info = try #require(await subject.process.observe())
    #expect(info.servedCalls == 101)
    // 64 at once, the set-up tail among them.
    #expect(info.delayedCalls == 37)
    _ = await subject.process.stop()
  }

  @Test("a line without end costs 8 KiB, is cut and marked, and blocks nothing")
  func endlessLine() async throws {
    let subject = try await active([
      .python("os.write(1, b'x' * (1 << 20))"), .python("os.write(2, b'y\\xff\\nlast')"),
      .send(.log(LogMessage(level: .info, message: "after"))),
    ])
    await subject.output.wait { $0.contains(.record(LogMessage(level: .info, message: "after"))) }
    _ = await subject.process.stop()
    let expected = [UInt8](repeating: UInt8(ascii: "x"), count: LogLines.maximumLength)
    #expect(
      subject.output.items.filter { if case .line = $0 { true } else { false } } == [
        .line(
          String(decoding: expected, as: UTF8.self),
          droppedBytes: (1 << 20) + 2 - LogLines.maximumLength),
        .line("last", droppedBytes: 0),
      ])
  }

  @Test(
    "a flood of lines and records is thinned to its rate; what is dropped is counted, none is lost unsaid")
  func floodOfOutput() async throws {
    let subject = try await active(
      [
        .python("for n in range(20000): os.write(1, b'%d\\n' % n)"),
        .send(.publish(PublishMessage(type: "com.example.done"))),
      ]
    ) { $0.outputLimit = TokenBucket(burst: 100, interval: 1_000_000_000) }
    await subject.published.wait(count: 1)
    _ = await subject.process.stop()
    var told = 0
    for output in subject.output.items {
      if case .dropped(let count) = output { told += count } else { told += 1 }
    }
    #expect(told == 20000)
    #expect(subject.output.items.count < 200)
  }

  @Test(
    "a module that floods its pipe keeps no other from becoming active, and its frames all arrive in order")
  func floodOfFrames() async throws {
    let frame = try ProtocolMessage.publish(PublishMessage(type: "com.example.flood")).encoded()
    let text = frame.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let subject = try await active([
      .python("data = b'\(text)' * 1000"),
      .python(
        "for _ in range(100):\n  rest = data\n  while rest:\n    select.select([], [4], [])\n    rest = rest[os.write(4, rest):]"
      ),
      .send(.publish(PublishMessage(type: "com.example.last"))),
    ])
    await subject.published.wait(count: 1)
    let other = try await active([])
    #expect(other.process.state == .active)
    _ = await other.process.stop()
    await subject.published.wait(count: 100_001)
    #expect(subject.published.items.last?.type == "com.example.last")
    _ = await subject.process.stop()
  }

  @Test("frames written just before the end are heard before the end is")
  func lastFrames() async throws {
    let subject = try await active([
      .python("os.set_blocking(4, True)"),
      .send(.log(LogMessage(level: .error, message: "last words"))), .print("and a line\n"), .exit(9),
    ])
    let exit = await subject.process.exit()
    #expect(exit == ModuleExit(status: .exited(code: 9), reason: .exitedEarly(code: 9)))
    #expect(
      Set(subject.output.items) == [
        .record(LogMessage(level: .error, message: "last words")), .line("and a line", droppedBytes: 0),
      ])
  }

  @Test("a module that breaks the protocol while active is ended alone, with the reason")
  func protocolErrorWhileActive() async throws {
    let bystander = try await active([])
    let subject = try await active([.send(.started), .hang])
    #expect(
      await subject.process.exit()
        == ModuleExit(status: .signalled(SIGKILL), reason: .protocolError("sent started while active")))
    #expect(bystander.process.state == .active)
    _ = await bystander.process.stop()
  }

  @Test("how it ended is told apart: crash, abort, a kill from outside")
  func ends() async throws {
    for (signal, reason) in [
      (SIGSEGV, ExitReason.crashed(signal: SIGSEGV)), (SIGILL, .crashed(signal: SIGILL)), (SIGABRT, .aborted),
      (SIGTERM, .killed(signal: SIGTERM)), (SIGKILL, .killed(signal: SIGKILL)),
    ] {
      let subject = try await active([.python("os.kill(os.getpid(), \(signal))"), .hang])
      #expect(await subject.process.exit() == ModuleExit(status: .signalled(signal), reason: reason))
    }
    let killed = try await active([])
    killed.process.kill()
    #expect(
      await killed.process.exit() == ModuleExit(status: .signalled(SIGKILL), reason: .supervisorShutdown))
  }

  @Test("the stop ladder climbs past a module that does not heed it, step by step")
  func stopLadder() async throws {
    let deaf = try await active([.hang]) { $0.ladder.steps[0].time = .milliseconds(20) }
    #expect(
      await deaf.process.stop()
        == ModuleExit(status: .signalled(SIGTERM), reason: .stopForced(signal: SIGTERM)))
    let stubborn = try await active([.ignore(SIGTERM), .send(.publish(PublishMessage(type: "t"))), .hang]) {
      spec in
      spec.ladder.steps[0].time = .milliseconds(20)
      spec.ladder.steps[1].time = .milliseconds(20)
    }
    await stubborn.published.wait(count: 1)
    #expect(
      await stubborn.process.stop()
        == ModuleExit(status: .signalled(SIGKILL), reason: .stopForced(signal: SIGKILL)))
  }

  @Test(
    "a module that says stopped and stays, and one that ends with a code, are told apart from a proper stop")
  func improperStops() async throws {
    let stays = try await active([.awaitFrame, .send(.stopped), .hang]) {
      $0.ladder.steps[0].time = .milliseconds(20)
    }
    #expect(await stays.process.stop().reason == .stopForced(signal: SIGTERM))
    let fails = try await active([.awaitFrame, .exit(4)])
    #expect(await fails.process.stop().reason == .exitedEarly(code: 4))
    let silent = try await active([.awaitFrame, .exit(0)])
    #expect(await silent.process.stop().reason == .stopped)
  }

  @Test("many may wait for one stop, and each hears the same exit")
  func manyStops() async throws {
    let subject = try await active([])
    async let first = subject.process.stop()
    async let second = subject.process.stop()
    async let third = subject.process.exit()
    let exits = await [first, second, third]
    #expect(Set(exits).count == 1)
    #expect(subject.exits.items.count == 1)
  }

  @Test("a process that its owner drops is still seen to its end")
  func dropped() async throws {
    let exits = Log<ModuleExit>()
    let child = try ScriptedChild(ScriptedChild.describing(description) + [.exit(5)])
    var process: ModuleProcess? = ModuleProcess(
      try spec(host: child.path), handlers: ModuleProcess.Handlers(ended: { exits.add($0) }))
    weak let weakly = process
    _ = try await process?.launch()
    process = nil
    await exits.wait(count: 1)
    await settle()
    #expect(weakly == nil)
  }

  /// A subject that is active, then does `steps`, then waits for the end of its input.
  private func active(
    _ steps: [ScriptedChild.Step], notifying calls: [Int32] = [],
    clock: any RuntimeClock = ReactorClock.shared, adjust: (inout LaunchSpec) -> Void = { _ in }
  ) async throws -> Subject {
    let subject = try Subject(
      ScriptedChild.describing(description, notifying: calls) + [.awaitFrame, .send(.started)] + steps
        + [.awaitFrame, .send(.stopped)], clock: clock, adjust: adjust)
    _ = try await subject.process.launch()
    try await subject.process.start(grants: [])
    return subject
  }

  private func lines(_ subject: Subject, _ count: Int) async -> [String] {
    await subject.output.wait(count: count)
    return subject.output.items.compactMap { if case .line(let text, _) = $0 { text } else { nil } }
  }
}
