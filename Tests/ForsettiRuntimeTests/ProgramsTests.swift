import CLinux
import ForsettiCore
import ForsettiIPC
import ForsettiSandbox
import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime

/// A program of `forsetti-hostile-host`, and how it ends under the strict plan.
struct ProgramCase: Sendable, CustomTestStringConvertible {
  enum End: Sendable, Equatable {
    /// It starts, and publishes this text; `nil`: any text.
    case publishes(String?)
    case startFails(String)
    case ends(ProcessStatus, ExitReason)
    /// It is ended for this call, with this path where one could be read.
    case violates(String, path: String? = nil)
  }

  let name: String
  let end: End
  /// A line that standard output or error must carry.
  var says: String?

  init(_ name: String, _ end: End, says: String? = nil) {
    self.name = name
    self.end = end
    self.says = says
  }

  var testDescription: String { name }
}

@ReactorActor @Suite("Programs under the strict plan", .timeLimit(.minutes(2)), .serialized)
struct ProgramsTests {
  nonisolated static let hosts = buildFolders().map { $0 + "/forsetti-hostile-host" }.filter {
    access($0, X_OK) == 0
  }

  @Test("an ordinary program does what it does outside", arguments: hosts, ProgramCase.ordinary)
  func ordinary(host: String, program: ProgramCase) async throws { try await check(program, host: host) }

  @Test("a program that crashes ends with its true signal", arguments: hosts, ProgramCase.crashing)
  func crashing(host: String, program: ProgramCase) async throws { try await check(program, host: host) }

  @Test(
    "a program that asks for more is ended, and the call is named", arguments: hosts, ProgramCase.forbidden)
  func forbidden(host: String, program: ProgramCase) async throws { try await check(program, host: host) }

  @Test(
    "a sleep goes on after SIGSTOP and SIGCONT", arguments: hosts,
    [("sleep_long", true), ("task_sleep_long", false)] as [(String, Bool)])
  func stopAndContinue(host: String, program: (name: String, isServed: Bool)) async throws {
    let subject = try Subject(host: host) { $0.entryPoint = program.name }
    _ = try await subject.process.launch()
    let before = try #require(await subject.process.observe()).servedCalls
    async let start: Void = subject.process.start(grants: [])
    await subject.output.wait { $0.contains(.line("asleep", droppedBytes: 0)) }
    // The kernel restarts a sleep that was let through by restart_syscall(2), which is served too.
    while program.isServed, try #require(await subject.process.observe()).servedCalls == before {
      await Task.yield()
    }
    let pid = try #require(subject.process.process?.pid)
    kill(pid, SIGSTOP)
    // Returns once it has stopped; it is the child of this process.
    var state = siginfo_t()
    #expect(waitid(P_PID, id_t(pid), &state, WSTOPPED) == 0)
    kill(pid, SIGCONT)
    try await start
    #expect(subject.published.items.map(\.payload) == [["text": "slept"]])
    let served = try #require(await subject.process.observe()).servedCalls - before
    #expect(served == (program.isServed ? 2 : 0))
    _ = await subject.process.stop()
  }

  @Test("threads are a violation, and with the policy's own grant they run", arguments: hosts)
  func threads(host: String) async throws {
    try await check(ProgramCase("threads", .violates("rt_sigaction")), host: host)
    let plan = SandboxPlan.derive(grants: [], policy: SandboxPolicy(direct: [.threads]))
    let program = try FilterCompiler.compile(plan)
    try await check(ProgramCase("threads", .publishes("four threads")), host: host) {
      $0.plan = plan
      $0.lockdown = plan.lockdownRequest(filter: program, supervisorPID: getpid(), userID: moduleUser)
    }
    try await check(ProgramCase("try_clone", .violates("clone")), host: host) {
      $0.plan = plan
      $0.lockdown = plan.lockdownRequest(filter: program, supervisorPID: getpid(), userID: moduleUser)
    }
  }

  @Test("a flood of served calls is answered late, and counted", arguments: hosts)
  func flood(host: String) async throws {
    let subject = try Subject(host: host) { $0.entryPoint = "served_flood" }
    _ = try await subject.process.launch()
    try await subject.process.start(grants: [])
    let info = try #require(await subject.process.observe())
    #expect(info.servedCalls >= 200)
    // How many depends on how fast the machine lets it flood.
    #expect(info.delayedCalls > 0)
    _ = await subject.process.stop()
  }

  private func check(
    _ program: ProgramCase, host: String, adjust: (inout LaunchSpec) -> Void = { _ in }
  ) async throws {
    let subject = try Subject(host: host) {
      $0.entryPoint = program.name
      adjust(&$0)
    }
    _ = try await subject.process.launch()
    do throws(ModuleManagerError) {
      try await subject.process.start(grants: [])
    } catch {
      expect(error, for: program)
      #expect(subject.exits.items.count == 1)
    }
    if subject.exits.items.isEmpty {
      // Whatever the program returned, it returned: nothing but publishing is fine then.
      let text = try #require(subject.published.items.first?.payload["text"])
      switch program.end {
      case .publishes(let expected?): #expect(text == expected)
      case .publishes(nil): #expect(!text.isEmpty)
      default: Issue.record("\(program.name) went on: \(text)")
      }
      let exit = await subject.process.stop()
      #expect(exit == ModuleExit(status: .exited(code: 0), reason: .stopped))
    }
    guard let line = program.says else { return }
    #expect(
      subject.output.items.contains {
        if case .line(let said, _) = $0 { said.contains(line) } else { false }
      }, "\(program.name) said \(subject.output.items)")
  }

  private func expect(_ error: ModuleManagerError, for program: ProgramCase) {
    switch (program.end, error) {
    case (.startFails(let reason), .startFailed(_, let given)): #expect(given == reason)
    case (.ends(let status, let reason), .crashedDuringStart(_, let exit)):
      #expect(exit == ModuleExit(status: status, reason: reason))
    case (.violates(let call, let path), .crashedDuringStart(_, let exit)):
      guard case .violation(let violation) = exit.reason else {
        Issue.record("\(program.name) ended otherwise: \(exit)")
        return
      }
      #expect(exit.status == .signalled(SIGKILL))
      #expect(violation.syscall == call)
      if let path { #expect(violation.path == path) }
      #expect(!violation.decoded.contains { $0.contains("\"\"") }, "a path that nobody could read is no path")
      #expect(violation.instructionPointer != 0)
    default: Issue.record("\(program.name) failed: \(error)")
    }
  }
}

/// The folders of this build and of the other configuration, if it was built.
private func buildFolders() -> [String] {
  var buffer = [CChar](repeating: 0, count: 4096)
  let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
  let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  let own = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
  let above = own.dropLast().joined(separator: "/")
  return [above + "/debug", above + "/release"]
}
