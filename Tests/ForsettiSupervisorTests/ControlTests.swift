import ForsettiCore
import ForsettiIPC
import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// The control socket of the real program, by its own commands and by clients that misbehave.
@Suite struct ControlTests {
  private static let scanner = "com.forsetti.jamfpro.service.scanner"

  private static func ask(_ scratch: Scratch, _ arguments: String...) async throws -> SupervisorProcess.End {
    try await SupervisorProcess.run(arguments + ["--state", scratch("state")])
  }

  private static func status(_ scratch: Scratch) async throws -> ReportedBoot {
    let end = try await ask(scratch, "status", "--json")
    #expect(end.status == 0, "\(end.errors)")
    return try ReportedBoot(end.output)
  }

  @Test("status has the shape of run --once, modules are steered by a part of their names, shutdown ends it")
  func steers() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    let boot = try await Self.status(scratch)
    #expect(boot.state == "ready")
    #expect(boot.modules.map(\.moduleID) == ReportedBoot.order)
    #expect(boot.modules.allSatisfy { $0.threads == 1 && $0.openFileDescriptors == 5 })
    #expect(boot.surface?.toolbar.count == 4)

    let stopped = try await Self.ask(scratch, "deactivate", "scanner")
    #expect(stopped.output == "\(Self.scanner) is discovered\n", "\(stopped.errors)")
    #expect(try await Self.status(scratch).modules.count == 10)
    #expect(try await Self.ask(scratch, "activate", "scanner").output == "\(Self.scanner) is active\n")
    let before = try await Self.status(scratch).modules.first { $0.moduleID == Self.scanner }?.pid
    #expect(try await Self.ask(scratch, "restart", "scanner").status == 0)
    let after = try await Self.status(scratch).modules.first { $0.moduleID == Self.scanner }?.pid
    #expect(before != nil && after != nil && before != after)

    let unclear = try await Self.ask(scratch, "restart", "com.forsetti.jamfpro.service")
    #expect(unclear.status == ForsettiSupervisor.ExitStatus.usage.rawValue)
    #expect(unclear.errors.contains("could be com.forsetti.jamfpro.service.diagnostics, "))
    let log = try await Self.ask(scratch, "logs", "scanner", "-n", "1")
    #expect(log.output.contains("activated in") && log.output.split(separator: "\n").count == 1)
    let surface = try await Self.ask(scratch, "surface")
    #expect(surface.output.hasPrefix("com.forsetti.jamfpro.retail.ui\n"))

    #expect(try await Self.ask(scratch, "shutdown").status == 0)
    #expect(await supervisor.end().status == 0)
    #expect(!FileManager.default.fileExists(atPath: scratch("state/run/control.sock")))
  }

  @Test(
    "without a supervisor a command says so and how to start one, also beside a socket that was left behind")
  func absent() async throws {
    let scratch = try Scratch()
    let none = try await Self.ask(scratch, "status")
    #expect(none.status == ForsettiSupervisor.ExitStatus.unavailable.rawValue)
    #expect(none.errors.contains("forsetti-supervisor run"))
    let operands: [CommandName: [String]] = [
      .activate: ["a"], .deactivate: ["a"], .restart: ["a"], .reset: ["a"], .selectUI: ["none"],
      .call: ["api", "request"], .publish: ["a", "b.c"], .render: ["v"],
    ]
    for command in CommandName.controls {
      let arguments = [command.rawValue] + (operands[command] ?? []) + ["--state", scratch("state")]
      let absent = try await SupervisorProcess.run(arguments)
      #expect(absent.status == ForsettiSupervisor.ExitStatus.unavailable.rawValue, "\(command)")
      #expect(absent.errors.contains("start one with forsetti-supervisor run"), "\(command)")
    }
    let explain = try await Self.ask(scratch, "explain", "a", "--running")
    #expect(explain.status == ForsettiSupervisor.ExitStatus.unavailable.rawValue)
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    supervisor.send(SIGKILL)
    #expect(await supervisor.end().isSignal)
    #expect(FileManager.default.fileExists(atPath: scratch("state/run/control.sock")))
    #expect(
      try await Self.ask(scratch, "modules").status == ForsettiSupervisor.ExitStatus.unavailable.rawValue)
    let again = try await SupervisorProcess.booted(in: scratch)
    #expect(try await Self.status(scratch).state == "ready")
    again.send(SIGTERM)
    #expect(await again.end().status == 0)
  }

  @Test("status --ready is a health check: 0 when it is ready, 75 when it is not yet, 69 where none runs")
  func readiness() async throws {
    let scratch = try Scratch()
    let none = try await Self.ask(scratch, "status", "--ready")
    #expect(none.status == ForsettiSupervisor.ExitStatus.unavailable.rawValue)
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    let ready = try await Self.ask(scratch, "status", "--ready")
    #expect(ready.status == 0 && ready.output == "ready\n", "\(ready)")
    #expect(
      try await Self.ask(scratch, "status", "--ready", "--json").output.hasPrefix(
        #"{"state":"ready","ready":true,"failure":null,"#))
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
    // One whose boot has not begun.
    let harness = try await ControlHarness()
    let early = try await SupervisorProcess.run([
      "status", "--ready", "--state", scratch("state"), "--runtime-dir", harness.folder,
    ])
    #expect(early.status == ForsettiSupervisor.ExitStatus.temporaryFailure.rawValue)
    #expect(early.output == "notStarted\n", "\(early)")
    await harness.close()
  }

  @Test("logs -f shows what comes, and killed in the middle it costs the supervisor nothing")
  func follows() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    let logs = try SupervisorProcess(["logs", "-f", "scanner", "--state", scratch("state")])
    // It follows from before it reads the past, so nothing can fall between.
    _ = await logs.output(containing: "activated in")
    #expect(try await Self.ask(scratch, "deactivate", "scanner").status == 0)
    #expect(await logs.output(containing: "deactivated").contains("module=\(Self.scanner)] deactivated"))
    logs.send(SIGKILL)
    #expect(await logs.end().isSignal)
    #expect(try await Self.status(scratch).modules.count == 10)
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }

  @Test("another user is refused by name, whatever it asks", .enabled(if: geteuid() == 0))
  func stranger() async throws {
    let scratch = try Scratch()
    // A policy that names somebody opens folder and socket; this user is not that somebody.
    let policy = try scratch.write(
      "policy.json",
      String(contentsOfFile: Product.strictPolicy, encoding: .utf8).replacing(
        #""policyVersion": 1,"#, with: #""policyVersion": 1, "control": { "read": [{ "uid": 4711 }] },"#))
    chmod(scratch.path, 0o711)
    let supervisor = try await SupervisorProcess.booted(
      in: scratch, policy: policy, ["--runtime-dir", scratch("run")])
    func ask(_ user: Int, _ command: String...) async throws -> SupervisorProcess.End {
      try await SupervisorProcess.run(
        ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", Product.supervisor] + command
          + ["--runtime-dir", scratch("run"), "--state", "/nonexistent"], executable: "/usr/bin/setpriv")
    }
    let refused = try await ask(4712, "status")
    #expect(refused.status == ForsettiSupervisor.ExitStatus.noPermission.rawValue, "\(refused.errors)")
    #expect(refused.errors.contains("user 4712 has no right"))
    let reader = try await ask(4711, "status", "--json")
    #expect(reader.status == 0, "\(reader.errors)")
    for command in [["restart", "scanner"], ["reload"], ["call", "api", "request", #"{"path": "/"}"#]] {
      let changer = try await SupervisorProcess.run(
        ["--reuid=4711", "--regid=4711", "--clear-groups", Product.supervisor] + command
          + ["--runtime-dir", scratch("run"), "--state", "/nonexistent"], executable: "/usr/bin/setpriv")
      #expect(changer.status == ForsettiSupervisor.ExitStatus.noPermission.rawValue, "\(command)")
      #expect(changer.errors.contains("the right \"change\""), "\(command)")
    }
    #expect(try await ask(4711, "entitlements").status == 0)
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }
}
