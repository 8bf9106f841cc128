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
