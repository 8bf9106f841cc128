import ForsettiCore
import ForsettiRuntime
import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// `reload` and SIGHUP of the real program, with the shipped modules in real processes.
@Suite(.timeLimit(.minutes(3))) struct ReloadTests {
  private static let scanner = "com.forsetti.jamfpro.service.scanner"

  /// A supervisor on a policy and manifests of the test's own.
  private struct Setting {
    let scratch: Scratch
    let policy: String
    let supervisor: SupervisorProcess

    init() async throws {
      scratch = try Scratch()
      policy = try scratch.copy(Product.strictPolicy, to: "policy.json")
      try scratch.copy(Product.manifests, to: "manifests")
      supervisor = try SupervisorProcess([
        "run", "--policy", policy, "--manifests", scratch("manifests"), "--state", scratch("state"),
        "--log-level", "info",
      ])
      _ = await supervisor.output(containing: "Running until")
    }

    func ask(_ arguments: String...) async throws -> SupervisorProcess.End {
      try await SupervisorProcess.run(arguments + ["--state", scratch("state")])
    }

    func processes() async throws -> [String: Int32] {
      let report = try ReportedBoot(try await ask("status", "--json").output)
      return Dictionary(report.modules.map { ($0.moduleID, Int32($0.pid ?? 0)) }) { $1 }
    }

    /// Adds a word to the rule of the scanner.
    func add(_ word: String) throws {
      let reason = #""reason": "Keeps the latest scans.","#
      let text = try String(contentsOfFile: policy, encoding: .utf8)
      try scratch.write("policy.json", text.replacing(reason, with: reason + word + ","))
    }

    func end() async {
      supervisor.send(SIGTERM)
      #expect(await supervisor.end().status == 0)
    }
  }

  @Test("a changed limit gives its module alone a new process; a dry run says so before, and changes nothing")
  func limit() async throws {
    let setting = try await Setting()
    let before = try await setting.processes()
    #expect(try await setting.ask("reload").output == "nothing has changed\n")
    try setting.add(#""rates": {"callsPerSecond": 50}"#)
    let trial = try await setting.ask("reload", "--dry-run", "--json")
    #expect(
      trial.output.hasPrefix(
        #"{"applied":false,"modules":[{"moduleID":"\#(Self.scanner)","step":"replace","changes":["rates"]}]"#),
      "\(trial.output)\(trial.errors)")
    #expect(try await setting.processes() == before)
    let done = try await setting.ask("reload")
    #expect(done.status == 0 && done.output.contains("~  \(Self.scanner)  new process  rates"), "\(done)")
    var after = try await setting.processes()
    #expect(after[Self.scanner] != before[Self.scanner])
    after[Self.scanner] = before[Self.scanner]
    #expect(after == before)
    await setting.end()
  }

  @Test(
    "a policy or manifest that is wrong, and drift that nobody accepted, leave all as it was and are told of")
  func refused() async throws {
    let setting = try await Setting()
    let before = try await setting.processes()
    let policy = try String(contentsOfFile: setting.policy, encoding: .utf8)
    try setting.scratch.write(
      "policy.json", policy.replacing(#""policyVersion": 1"#, with: #""policyVersion": 9"#))
    let wrong = try await setting.ask("reload")
    #expect(wrong.status == ForsettiSupervisor.ExitStatus.configuration.rawValue, "\(wrong)")
    #expect(wrong.errors.contains("nothing is reloaded: policy "))
    try setting.scratch.write("policy.json", policy)
    let files = try FileManager.default.contentsOfDirectory(atPath: setting.scratch("manifests"))
    let file = try #require(files.first { $0.contains("canner") })
    let manifest = try String(contentsOfFile: setting.scratch("manifests/" + file), encoding: .utf8)
    try setting.scratch.write("manifests/" + file, manifest + "x")
    #expect(try await setting.ask("reload").status == ForsettiSupervisor.ExitStatus.dataError.rawValue)
    try setting.scratch.write(
      "manifests/" + file, manifest.replacing(#""schemaVersion""#, with: #""x": 1, "schemaVersion""#))
    let drift = try await setting.ask("reload")
    #expect(drift.status == ForsettiSupervisor.ExitStatus.dataError.rawValue)
    #expect(
      drift.errors.contains("1 module would not come up") && drift.errors.contains(Self.scanner), "\(drift)")
    #expect(await setting.supervisor.errors(containing: "would not come up").contains(Self.scanner))
    #expect(try await setting.processes() == before)
    await setting.end()
  }

  @Test("SIGHUP reloads and tells the log; nobody's process changes where nothing did")
  func signal() async throws {
    let setting = try await Setting()
    let before = try await setting.processes()
    setting.supervisor.send(SIGHUP)
    _ = await setting.supervisor.errors(containing: "reloaded: nothing is different for what runs")
    let policy = try String(contentsOfFile: setting.policy, encoding: .utf8)
    try setting.scratch.write(
      "policy.json", policy.replacing(#""onDrift": "refuse""#, with: #""onDrift": "accept""#))
    setting.supervisor.send(SIGHUP)
    _ = await setting.supervisor.errors(containing: "reloaded: policy: onDrift")
    #expect(try await setting.processes() == before)
    await setting.end()
  }

  @Test("a module that the policy takes its right from stops and stays desired; given back, it starts again")
  func withdrawn() async throws {
    let setting = try await Setting()
    let policy = try String(contentsOfFile: setting.policy, encoding: .utf8)
    let before = try await setting.processes()
    let granting = #""grant": ["storage", "diagnostics"]"#
    let rule = try #require(policy.range(of: #""modules": "\#(Self.scanner)""#))
    let grant = try #require(policy.range(of: granting, range: rule.upperBound..<policy.endIndex))
    try setting.scratch.write(
      "policy.json", policy.replacingCharacters(in: grant, with: #""grant": ["storage"]"#))
    let taken = try await setting.ask("reload")
    #expect(taken.output.contains("-  \(Self.scanner)  stopped"), "\(taken)")
    #expect(try await setting.processes()[Self.scanner] == 0)
    try setting.scratch.write("policy.json", policy)
    let given = try await setting.ask("reload")
    #expect(given.output.contains("+  \(Self.scanner)  tried again"), "\(given)")
    var after = try await setting.processes()
    #expect(after[Self.scanner] != 0)
    after[Self.scanner] = before[Self.scanner]
    #expect(after == before)
    await setting.end()
  }
}

/// A reload beside a module that calls all the time.
@ReactorActor @Suite(.timeLimit(.minutes(3))) struct ReloadUnderLoadTests {
  private static let changed = callingProgram("calls_steadily").moduleID
  private static let caller = callingProgram("calls_without_end").moduleID

  private static func policy(rate: Int) throws -> Policy {
    try PolicyDecoder.decode(
      bytes: Array(
        #"""
        {"policyVersion": 1, "rules": [
          {"modules": "test.program.*", "grant": ["storage"]},
          {"modules": "\#(changed)", "rates": {"callsPerSecond": \#(rate)}}]}
        """#.utf8), file: "p.json")
  }

  @Test("twenty reloads replace one module twenty times, and its neighbour loses none of its calls")
  func neighbour() async throws {
    let scratch = try Scratch()
    for program in ["calls_steadily", "calls_without_end"] {
      try scratch.write("m/\(program).json", JSONWriter.text(callingProgram(program).jsonValue))
    }
    let live = try await LiveRuntime(
      policy: Self.policy(rate: 1_000), manifests: scratch("m"), host: Product.hostileHost, scratch: scratch)
    let neighbour = live.process(Self.caller)
    await live.heard(Self.caller, "answers")
    for rate in 1...20 {
      let before = live.process(Self.changed)
      let outcome = try await live.runtime.reload(by: try Self.policy(rate: rate))
      #expect(outcome.plan.modules.map(\.moduleID) == [Self.changed])
      #expect(live.process(Self.changed) != nil && live.process(Self.changed) != before)
      #expect(live.process(Self.caller) == neighbour)
    }
    let heard = live.log.items.count { $0.contains("answers") }
    await live.heard(Self.caller, "answers", times: heard + 5)
    let status = try #require(live.manager.status(of: Self.caller))
    #expect(status.lateAnswers == 0 && status.refusals == 0)
    #expect(!live.log.items.contains { $0.hasPrefix(Self.caller) && $0.contains("error") })
    await live.shutDown()
  }
}

/// The terminal that a supervisor was started at.
@Suite struct TerminalTests {
  @Test("a terminal has hung up once its other end is closed, not before")
  func hangUp() {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which the Glibc module lacks: unlock the other end, and say its number.
    var (lock, number): (Int32, Int32) = (0, 0)
    #expect(ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
    let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    #expect(slave >= 0)
    let terminal = Terminal(descriptor: slave)
    #expect(!terminal.hasHungUp)
    close(master)
    #expect(terminal.hasHungUp)
    #expect(!Terminal(descriptor: nil).hasHungUp)
    close(slave)
  }
}
