import ForsettiCore
import ForsettiIPC
import ForsettiModuleKit
import Glibc
import Testing

private let probeHost = "forsetti-kit-probe"

/// Module processes as they ship: static, locked by the real filter, on real pipes.
///
/// The tests are synchronous: a child dies with the thread that spawned it.
@Suite(.serialized) struct ModuleProcessTests {
  @Test(
    "module code runs on one thread behind the twelve calls",
    arguments: [
      "Nothing", "Actors", "Isolation", "Order", "SleepsAreLongEnough", "AbsurdSleeps", "OwnClock",
      "ManyTimers", "Memory", "RefusedEvents", "NeverIdle",
    ])
  func probe(name: String) throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp(name)
    try supervisor.start()
    #expect(try supervisor.status("Threads") == "1")
    #expect(try supervisor.status("Seccomp") == "2")
    #expect(try supervisor.status("NoNewPrivs") == "1")
    #expect(try supervisor.stop() == [.log(LogMessage(level: .info, message: "stopped"))])
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.stopped.rawValue))
    #expect(supervisor.servedCalls == [])
  }

  @Test("a running module answers each ping, behind the jobs that wait", arguments: ["Nothing", "NeverIdle"])
  func heartbeat(name: String) throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp(name)
    try supervisor.start()
    for _ in 1...3 {
      try supervisor.send(.ping)
      #expect(try supervisor.receive() == .pong)
    }
    #expect(try supervisor.stop() == [.log(LogMessage(level: .info, message: "stopped"))])
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.stopped.rawValue))
  }

  @Test("a job of no actor is not taken for one of the main actor's") func falseIsolation() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("FalseIsolation")
    try supervisor.send(.start(StartMessage(grants: [])))
    let status = try supervisor.waitForExit()
    #expect([.signalled(SIGILL), .signalled(SIGTRAP)].contains(status))
  }

  @Test("a start that throws says why and ends the process") func startThrows() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("Throws")
    try supervisor.send(.start(StartMessage(grants: [])))
    #expect(try supervisor.receive() == .startFailed(StartFailedMessage(reason: "it does not want to")))
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.startFailed.rawValue))
  }

  @Test("a stop while start runs cancels it, and the process ends stopped") func stopWhileStarting() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("Stubborn")
    try supervisor.send(.start(StartMessage(grants: [])))
    #expect(try supervisor.receive() == .log(LogMessage(level: .info, message: "waiting")))
    #expect(try supervisor.stop() == [])
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.stopped.rawValue))
  }

  @Test("an entry point that nobody registered is described as such") func unknownEntryPoint() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    try supervisor.send(.setUp(try ScriptedSupervisor.setUp("Nobody")))
    try supervisor.release(try supervisor.receiveLocked())
    #expect(
      try supervisor.receive() == .describeFailed(DescribeFailedMessage(entryPoint: "Nobody")))
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.noSuchModule.rawValue))
    #expect(supervisor.output().contains("Nobody"))
  }

  @Test("no version in common is refused with the versions this host speaks") func versions() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    let future = ProtocolRange(lowest: 2, highest: 9)
    try supervisor.send(.setUp(try ScriptedSupervisor.setUp("Nothing", versions: future)))
    #expect(try supervisor.receive() == .refused(.version(.current)))
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.refused.rawValue))
  }

  @Test("a layer that can't be had is named with its errno, and no module code runs")
  func refusedLayer() throws {
    for (change, step, number): ((inout LockdownRequest) -> Void, SandboxLayer, Int32) in [
      ({ $0.filter = [] }, .seccomp, EINVAL), ({ $0.supervisorPID = 1 }, .parentDeathSignal, ESRCH),
    ] {
      let supervisor = try ScriptedSupervisor(host: probeHost)
      var message = try ScriptedSupervisor.setUp("Nothing")
      change(&message.lockdown)
      try supervisor.send(.setUp(message))
      #expect(try supervisor.receive() == .refused(.lockdown(step: step, errno: number)))
      #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.refused.rawValue))
    }
  }

  @Test("a host that nobody gave pipes says what starts it") func startedByHand() throws {
    let supervisor = try ScriptedSupervisor(host: "forsetti-module-host", withPipes: false)
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.pipeFailed.rawValue))
    #expect(supervisor.output().contains("forsetti-supervisor starts this program"))
  }

  @Test("what a module prints goes to its log pipe line by line") func printing() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("Printing")
    try supervisor.start()
    supervisor.kill()
    #expect(try supervisor.waitForExit() == .signalled(SIGKILL))
    #expect(supervisor.output() == "a line on stdout\n")
  }
}

/// A supervisor that goes away, or does not keep to the protocol, at every moment of a module's life.
@Suite(.serialized) struct SupervisorFaultTests {
  enum Moment: CaseIterable {
    case beforeSetUp, locked, described, starting, running

    func reach(_ supervisor: ScriptedSupervisor) throws {
      if self == .beforeSetUp { return }
      if self == .locked {
        try supervisor.send(.setUp(try ScriptedSupervisor.setUp("Nothing")))
        _ = try supervisor.receiveLocked()
        return
      }
      _ = try supervisor.bringUp(self == .starting ? "Stubborn" : "Nothing")
      if self == .running { try supervisor.start() }
      if self == .starting {
        try supervisor.send(.start(StartMessage(grants: [])))
        _ = try supervisor.receive()
      }
    }
  }

  @Test("the end of input ends the process at once", arguments: Moment.allCases)
  func hangUp(moment: Moment) throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    try moment.reach(supervisor)
    supervisor.hangUp()
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.supervisorGone.rawValue))
  }

  @Test("bytes that are no frame end the process with a code of their own", arguments: Moment.allCases)
  func garbage(moment: Moment) throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    try moment.reach(supervisor)
    try supervisor.send(bytes: [UInt8](repeating: 0xff, count: 64))
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.protocolViolation.rawValue))
  }

  @Test("a frame at the wrong moment ends the process too", arguments: Moment.allCases)
  func wrongMoment(moment: Moment) throws {
    let wrong: ProtocolMessage = moment == .locked ? .start(StartMessage(grants: [])) : .release
    let supervisor = try ScriptedSupervisor(host: probeHost)
    try moment.reach(supervisor)
    try supervisor.send(wrong)
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.protocolViolation.rawValue))
  }

  @Test("a frame that only modules send is none for a module") func wrongDirection() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("Nothing")
    try supervisor.send(.started)
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.protocolViolation.rawValue))
  }

  @Test("a set-up cut into single bytes is one set-up") func byteByByte() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    for byte in try ProtocolMessage.setUp(try ScriptedSupervisor.setUp("Nothing")).encoded() {
      try supervisor.send(bytes: [byte])
    }
    _ = try supervisor.receiveLocked()
  }
}

/// More than the other end reads.
@Suite(.serialized) struct FloodTests {
  @Test("records that nobody reads are dropped and counted, never waited for") func logFlood() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("LogFlood")
    try supervisor.send(.start(StartMessage(grants: [])))
    let records = try supervisor.receive { $0 == .started }.dropLast() + supervisor.stop()
    var kept: [Int] = []
    var dropped = 0
    for case .log(let record) in records {
      if record.message.hasPrefix("record ") { kept += [Int(record.message.dropFirst(7)) ?? -1] }
      if record.level == .warning {
        dropped += record.message.split(separator: " ").first.flatMap { Int($0) } ?? 0
      }
    }
    #expect(kept.count + dropped == 20_000)
    #expect(kept == kept.sorted())
  }

  @Test("events wait for room: all arrive, once and in order") func eventFlood() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("EventFlood")
    try supervisor.send(.start(StartMessage(grants: [])))
    let numbers = try supervisor.receive { $0 == .started }.compactMap(\.eventNumber)
    #expect(numbers == Array(0..<20_000))
    #expect(try supervisor.status("VmHWM").flatMap { Int($0.prefix { $0.isNumber }) } ?? .max < 32 << 10)
  }

  @Test(
    "a module whose queue is full, by bytes or by count, sleeps, and still hears that it shall stop",
    arguments: ["Talkative", "TalkativeInBrief"])
  func stopBehindAFullPipe(name: String) throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp(name)
    try supervisor.start()
    try supervisor.waitUntilAsleep()
    let numbers = try supervisor.stop().compactMap(\.eventNumber)
    #expect(numbers.count > 1000)
    #expect(numbers == Array(0..<numbers.count))
    #expect(try supervisor.waitForExit() == .exited(code: ModuleHostExit.stopped.rawValue))
  }

  @Test("a supervisor that stops reading and hangs up is not waited for") func hangUpBehindAFullPipe() throws
  {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("Talkative")
    try supervisor.start()
    try supervisor.waitUntilAsleep()
    try supervisor.send(.stop)
    supervisor.hangUp()
    // Which of the two it minds first is the scheduler's affair.
    let codes = [ModuleHostExit.stopped, .supervisorGone].map { ProcessStatus.exited(code: $0.rawValue) }
    #expect(codes.contains(try supervisor.waitForExit()))
  }

  @Test("a record too long for a frame is cut, and an error's own words win") func longRecord() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("LongRecord")
    try supervisor.send(.start(StartMessage(grants: [])))
    guard case .log(let long) = try supervisor.receive(), case .log(let error) = try supervisor.receive()
    else { throw ScriptedSupervisor.Failure.ended }
    #expect(long.message == String(repeating: "å", count: ProtocolLimits.message / 2))
    #expect(long.metadata.keys.sorted() == (10..<42).map { "key \($0)" })
    #expect(long.metadata.values.allSatisfy { $0.utf8.count == ProtocolLimits.text })
    let metadata = ["errorDescription": "because", "errorType": "Mismatch", "a": "b"]
    #expect(error == LogMessage(level: .error, message: "it failed", metadata: metadata))
  }
}

extension ScriptedSupervisor {
  /// Starts the module; what came before `started`.
  @discardableResult
  func start(grants: [Capability] = []) throws -> [ProtocolMessage] {
    try send(.start(StartMessage(grants: grants)))
    return try receive {
      if case .startFailed = $0 { true } else { $0 == .started }
    }.dropping(.started)
  }

  /// Stops the module; what came before `stopped`.
  func stop() throws -> [ProtocolMessage] {
    try send(.stop)
    return try receive { $0 == .stopped }.dropLast()
  }

  func receiveLocked() throws -> LockedMessage {
    guard case .locked(let locked) = try receive() else { throw Failure.ended }
    return locked
  }
}

extension [ProtocolMessage] {
  /// Without the last element, which must be this one.
  fileprivate func dropping(_ wanted: ProtocolMessage) -> [ProtocolMessage] {
    #expect(last == wanted)
    return dropLast()
  }
}

extension ProtocolMessage {
  /// The number that the probes give each event.
  fileprivate var eventNumber: Int? {
    guard case .publish(let event) = self, event.type == "com.example.probe.event" else { return nil }
    return event.payload["n"].flatMap { Int($0) }
  }
}
