import CLinux
import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// The whole: the program, the strict policy, eleven real processes.
@Suite struct BootTests {
  private func arguments(_ scratch: Scratch, _ more: String...) -> [String] {
    ["run", "--policy", Product.strictPolicy, "--state", scratch("state")] + more
  }

  @Test("run --once boots eleven locked modules, reports them and leaves no process") func once() async throws
  {
    let scratch = try Scratch()
    let end = try await SupervisorProcess.run(arguments(scratch, "--once", "--json"))
    #expect(end.status == 0, "\(end.errors)")
    let boot = try ReportedBoot(end.output)
    #expect(boot.state == "ready")
    #expect(boot.selectedUIModuleID == "com.forsetti.jamfpro.retail.ui")
    #expect(boot.modules.map(\.moduleID) == ReportedBoot.order)
    for module in boot.modules {
      #expect(module.state == "active" && module.failure == nil)
      #expect(module.threads == 1)
      #expect(module.openFileDescriptors == 5)
      #expect((1...12).contains(Set(module.kernelSyscalls).count))
      #expect((1...16).contains(Set(module.servedSyscalls).count))
      // Of a debug host, whose code is larger: a released one holds little more than 1 MiB.
      #expect(try #require(module.pssKiB) <= 3072, "\(module.moduleID)")
      #expect(try #require(module.activationMilliseconds) > 0)
      #expect(Proc.isRunning(try #require(module.pid)) == false)
    }
    #expect(!FileManager.default.fileExists(atPath: scratch("state/run/supervisor.pid")))
    let surface = try #require(boot.surface)
    #expect(surface.toolbar.map(\.itemID) == ["refresh", "export", "diagnostics", "settings"])
    #expect(
      surface.injections.mapValues(\.count) == ["main": 1, "diagnostics-drawer": 1, "settings-sheet": 2])
    #expect(surface.overlays?.routes.count == 11)
    #expect(surface.themeMask == nil, "strict strips it")
  }

  @Test(
    "the kernel agrees that every module is locked, and SIGTERM stops them in reverse order",
    arguments: [SIGTERM, SIGINT])
  func stays(signal: Int32) async throws {
    let scratch = try Scratch()
    let supervisor = try SupervisorProcess(arguments(scratch))
    let report = await supervisor.output(containing: "Running until")
    #expect(report.hasPrefix("✓ Forsetti "), "\(report)")
    let children = Proc.children(of: supervisor.processID)
    #expect(children.count == 11)
    for child in children {
      #expect(Proc.status(child, "Seccomp") == "2")
      #expect(Proc.status(child, "NoNewPrivs") == "1")
      #expect(Proc.status(child, "Threads") == "1")
      #expect(Proc.status(child, "CapEff") == "0000000000000000")
      #expect(Proc.status(child, "CoreDumping") == "0")
    }
    if geteuid() == 0 {
      let users = Set(children.compactMap { Proc.status($0, "Uid") })
      #expect(users.count == 11, "each module has a user ID of its own")
    }
    supervisor.send(signal)
    let end = await supervisor.end()
    #expect(end.status == 0 && !end.isSignal)
    #expect(end.output.contains("Stopped 11 modules"))
    let stops = end.errors.split(separator: "\n").filter { $0.hasSuffix("] deactivated") }
    let order = stops.compactMap { line in ReportedBoot.order.first { line.contains("module=\($0)]") } }
    #expect(order == ReportedBoot.order.reversed())
    #expect(children.allSatisfy { !Proc.isRunning($0) })
  }

  @Test("killed with -9, the supervisor takes its modules along and the state opens again") func killed()
    async throws
  {
    let scratch = try Scratch()
    let supervisor = try SupervisorProcess(arguments(scratch))
    _ = await supervisor.output(containing: "Running until")
    let handles = Proc.children(of: supervisor.processID).map { cl_pidfd_open($0) }
    defer { for handle in handles where handle >= 0 { close(handle) } }
    supervisor.send(SIGKILL)
    #expect(await supervisor.end().isSignal)
    for handle in handles {
      var ended = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
      #expect(poll(&ended, 1, 1000) == 1, "a module outlived its supervisor by a second")
    }
    let again = try await SupervisorProcess.run(arguments(scratch, "--once", "--json"))
    #expect(try ReportedBoot(again.output).modules.map(\.moduleID) == ReportedBoot.order)
  }

  @Test("a second supervisor on the same state is refused while the first runs") func second() async throws {
    let scratch = try Scratch()
    let first = try SupervisorProcess(arguments(scratch))
    _ = await first.output(containing: "Running until")
    let second = try await SupervisorProcess.run(arguments(scratch, "--once"))
    #expect(second.status == ForsettiSupervisor.ExitStatus.temporaryFailure.rawValue)
    #expect(second.errors.contains("process \(first.processID)"), "\(second.errors)")
    let shown = try await SupervisorProcess.run([
      "explain", ReportedBoot.order[0], "--state", scratch("state"),
    ])
    #expect(shown.status == 0)
    #expect(shown.output.contains("✓  registration   agrees with its record"))
    first.send(SIGTERM)
    #expect(await first.end().status == 0)
  }

  @Test("a second boot restores what the first made desired") func restore() async throws {
    let scratch = try Scratch()
    for _ in 1...2 {
      let end = try await SupervisorProcess.run(arguments(scratch, "--once", "--json", "--quiet"))
      #expect(try ReportedBoot(end.output).modules.map(\.moduleID) == ReportedBoot.order)
      #expect(end.errors == "")
    }
  }

  @Test("log lines are JSON objects when asked for") func jsonLog() async throws {
    let end = try await SupervisorProcess.run(arguments(Scratch(), "--once", "--log-format", "json"))
    let lines = end.errors.split(separator: "\n")
    #expect(lines.count >= 22)
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["level"] as? String == "info")
    }
  }
}
