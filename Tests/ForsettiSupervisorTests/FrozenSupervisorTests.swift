import CLinux
import ForsettiCore
import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// What holds a module at a violation is the kernel, not the supervisor's being quick: nothing is let through while the
/// supervisor is frozen, and nobody outlives it.
@Suite(
  "A module at a violation whose supervisor is frozen or gone", .timeLimit(.minutes(1)),
  .enabled(if: geteuid() == 0, "only root may see at which call a locked process waits"))
struct FrozenSupervisorTests {
  /// What /proc/PID/syscall begins with in fork(2), on x86-64.
  private static let fork = "57 "

  /// A module that has made a forbidden call, and a supervisor that was frozen before it could hear of that.
  private struct Held {
    let scratch: Scratch
    let supervisor: SupervisorProcess
    /// The module's pidfd.
    let hold: Int32
    var state: String { scratch("state") }

    /// The supervisor's request to stop is in the module's pipe while the module is frozen; then the supervisor is frozen,
    /// and the module goes on.
    init() async throws {
      scratch = try Scratch()
      try scratch.copy(Product.supervisor, to: "bin/forsetti-supervisor")
      try scratch.copy(Product.hostileHost, to: "bin/forsetti-module-host")
      try scratch.write("m/a.json", JSONWriter.text(callingProgram("fork_in_stop", nil).jsonValue))
      let policy = try scratch.write(
        "p.json",
        """
        {"policyVersion": 1, "defaults": {"deadlineMilliseconds": {"stop": 600000, "terminate": 600000},
                                          "heartbeat": {"enabled": false}}}
        """)
      supervisor = try SupervisorProcess(
        [
          "run", "--policy", policy, "--manifests", scratch("m"), "--state", scratch("state"),
          "--log-level", "info",
        ], executable: scratch("bin/forsetti-supervisor"))
      let log = await supervisor.errors(containing: "activated in")
      let module = try #require(log.firstMatch(of: /pid=(\d+)/).flatMap { Int32($0.1) }, "\(log)")
      hold = cl_pidfd_open(module)
      try await Self.freeze(module)
      supervisor.send(SIGTERM)
      let input = open("/proc/\(module)/fd/3", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      var polled = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      #expect(poll(&polled, 1, 30_000) == 1, "the stop request is in the module's pipe")
      close(input)
      try await Self.freeze(supervisor.processID)
      kill(module, SIGCONT)
      while Self.file("syscall", of: module)?.hasPrefix(FrozenSupervisorTests.fork) != true {
        try #require(isAlive, "it was let through, or ended")
        await Task.yield()
      }
    }

    var isAlive: Bool {
      var ended = pollfd(fd: hold, events: Int16(POLLIN), revents: 0)
      return poll(&ended, 1, 0) == 0
    }

    /// Waits for the module's end.
    func end() -> Bool {
      defer { close(hold) }
      var ended = pollfd(fd: hold, events: Int16(POLLIN), revents: 0)
      return poll(&ended, 1, 30_000) == 1
    }

    private static func freeze(_ process: Int32) async throws {
      kill(process, SIGSTOP)
      // Each thread stops for itself.
      while true {
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        let states = tasks.map { task in
          file("task/\(task)/stat", of: process)?.split(separator: ")").last?.dropFirst().first
        }
        if states.allSatisfy({ $0 == "T" }) { return }
        await Task.yield()
      }
    }

    private static func file(_ name: String, of process: Int32) -> String? {
      try? String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8)
    }
  }

  @Test("frozen: it waits at the call for as long as that lasts, and then ends for it, with its report")
  func frozen() async throws {
    let held = try await Held()
    #expect(held.isAlive)
    held.supervisor.send(SIGCONT)
    #expect(held.end())
    #expect(await held.supervisor.end().status == 0)
    let shown = try await SupervisorProcess.run(
      ["crashes", "show", "latest", "--json", "--state", held.state])
    let report = try CrashReport(Array(shown.output.utf8))
    guard case .violation(let violation) = report.exit.reason else {
      Issue.record("\(report.exit)")
      return
    }
    #expect(violation.syscall == "fork")
    #expect(report.next == .staysDown(.beingStopped))
  }

  @Test("killed: it ends with its supervisor, and the call is never made") func killed() async throws {
    let held = try await Held()
    held.supervisor.send(SIGKILL)
    #expect(held.end())
    _ = await held.supervisor.end()
  }

  @Test("without CAP_SYS_PTRACE root can't hold a module, starts none, and says what is missing")
  func withoutPtrace() async throws {
    let scratch = try Scratch()
    let end = try await SupervisorProcess.run(
      [
        "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace", Product.supervisor, "run", "--once",
        "--policy",
        Product.strictPolicy, "--state", scratch("state"),
      ], executable: "/usr/bin/setpriv")
    #expect(end.status != 0)
    #expect(end.errors.contains("CAP_SYS_PTRACE"), "\(end.errors)\(end.output)")
  }
}
