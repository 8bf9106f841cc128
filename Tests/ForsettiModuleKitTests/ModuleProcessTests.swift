import ForsettiCore
import ForsettiIPC
import ForsettiModuleKit
import Testing

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
    let supervisor = try ScriptedSupervisor(host: "forsetti-kit-probe")
    _ = try supervisor.bringUp(name)
    try supervisor.send(.start(StartMessage(grants: [])))
    #expect(try supervisor.receive { !$0.isEvent }.last == .started)
    try supervisor.send(.stop)
    #expect(
      try supervisor.receive { $0 == .stopped }.dropLast() == [
        .log(LogMessage(level: .info, message: "stopped"))
      ])
    #expect(try supervisor.waitForExit() == .exited(code: 0))
    #expect(supervisor.servedCalls == [])
  }
}

extension ProtocolMessage {
  fileprivate var isEvent: Bool {
    if case .publish = self { true } else { false }
  }
}
