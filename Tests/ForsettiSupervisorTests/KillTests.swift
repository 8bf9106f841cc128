import CLinux
import ForsettiCore
import ForsettiRuntime
import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// kill -9 at any moment of boot, activation and shutdown.
@Suite struct KillTests {
  @Test(
    "killed with -9 at 200 random moments: state opens, desired state is the old or the new, no module stays")
  func random() async throws {
    let scratch = try Scratch()
    let line = [
      "run", "--once", "--json", "--quiet", "--policy", Product.strictPolicy, "--state", scratch("state"),
    ]
    let begin = ContinuousClock.now
    let first = try await SupervisorProcess.run(line)
    try #require(first.status == 0, "\(first.errors)")
    // Follows what a boot takes while other tests use the machine, so that most kills strike.
    var longest = begin.duration(to: .now)
    var unfinished = 0
    for round in 1...200 {
      // Every tenth round is a first boot.
      if round % 10 == 0 { try FileManager.default.removeItem(atPath: scratch("state")) }
      let supervisor = try SupervisorProcess(line)
      // The moment is random on purpose: this is no wait for something to happen.
      try await Task.sleep(for: longest * Double.random(in: 0..<1))
      let modules = stop(supervisor.processID)
      defer { for module in modules { close(module) } }
      supervisor.send(SIGKILL)
      let end = await supervisor.end()
      if end.isSignal { unfinished += 1 }
      longest = longest * (end.isSignal ? 1.05 : 0.8)
      for module in modules {
        var ended = pollfd(fd: module, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ended, 1, 1000) == 1, "round \(round): a module outlived its supervisor by a second")
      }
      try check(scratch("state"), round)
    }
    #expect(unfinished > 100, "most kills must strike a running supervisor")
    let last = try await SupervisorProcess.run(line)
    #expect(last.status == 0, "\(last.errors)")
    #expect(try ReportedBoot(last.output).modules.map(\.moduleID) == ReportedBoot.order)
  }

  /// More by `make test-kill`.
  private static let rounds =
    ProcessInfo.processInfo.environment["FORSETTI_KILL_ROUNDS"].flatMap { Int($0) } ?? 5

  @Test("killed with -9 while its modules call without end: no module stays, state opens, and all come back")
  func underLoad() async throws {
    let scratch = try Scratch()
    let programs = ["calls_without_end", "calls_steadily"]
    try scratch.copy(Product.supervisor, to: "bin/forsetti-supervisor")
    try scratch.copy(Product.hostileHost, to: "bin/forsetti-module-host")
    for program in programs {
      try scratch.write("m/\(program).json", JSONWriter.text(callingProgram(program).jsonValue))
    }
    let policy = try scratch.write(
      "p.json", #"{"policyVersion": 1, "rules": [{"modules": "test.program.*", "grant": ["storage"]}]}"#)
    let line = ["run", "--policy", policy, "--manifests", scratch("m"), "--state", scratch("state")]
    let wanted = Set(programs.map { callingProgram($0).moduleID })
    for round in 1...Self.rounds {
      let supervisor = try SupervisorProcess(
        line + ["--log-level", "info"], executable: scratch("bin/forsetti-supervisor"))
      let heard = await supervisor.errors(containing: "1000 answers")
      #expect(heard.contains("1000 answers"), "round \(round): \(heard)")
      let modules = stop(supervisor.processID)
      defer { for module in modules { close(module) } }
      #expect(modules.count == programs.count, "round \(round)")
      supervisor.send(SIGKILL)
      _ = await supervisor.end()
      for module in modules {
        var ended = pollfd(fd: module, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ended, 1, 1000) == 1, "round \(round): a module outlived its supervisor by a second")
      }
      let state = try #require(try StateDatabase.forReading(folder: scratch("state")))
      #expect(try state.activation()?.enabledServiceModuleIDs == wanted, "round \(round)")
    }
    let last = try await SupervisorProcess.run(
      line + ["--once", "--json", "--quiet"], executable: scratch("bin/forsetti-supervisor"))
    #expect(last.status == 0, "\(last.errors)")
    #expect(Set(try ReportedBoot(last.output).modules.map(\.moduleID)) == wanted)
  }

  /// Holds the supervisor still, so that its children can be listed, and takes hold of them.
  private func stop(_ supervisor: Int32) -> [Int32] {
    kill(supervisor, SIGSTOP)
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(supervisor)/task")) ?? []
    return tasks.flatMap { task in
      let file = "/proc/\(supervisor)/task/\(task)/children"
      let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
      return text.split(separator: " ").compactMap { Int32($0) }.map { cl_pidfd_open($0) }.filter { $0 >= 0 }
    }
  }

  private func check(_ folder: String, _ round: Int) throws {
    guard let state = try StateDatabase.forReading(folder: folder) else { return }
    guard let desired = try state.activation() else {
      #expect(try !state.isFirstBootDone(), "round \(round)")
      return
    }
    #expect(desired.enabledServiceModuleIDs == Set(ReportedBoot.order.dropLast()), "round \(round)")
    #expect(desired.enabledUIModuleIDs == [ReportedBoot.order[10]], "round \(round)")
    #expect(desired.selectedUIModuleID == ReportedBoot.order[10], "round \(round)")
  }
}
