import ForsettiCore
import ForsettiRuntime
import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// `crashes` by the real program, on what the real program left.
@Suite("Crash reports, from the crash to the page", .timeLimit(.minutes(2))) struct CrashesTests {
  private static let id = "test.program.calls-without-end"

  private struct Site {
    let scratch: Scratch
    var state: String { scratch("state") }

    init() throws {
      scratch = try Scratch()
      try scratch.copy(Product.supervisor, to: "bin/forsetti-supervisor")
      try scratch.copy(Product.hostileHost, to: "bin/forsetti-module-host")
      try scratch.write(
        "m/a.json", JSONWriter.text(callingProgram("calls_without_end").jsonValue))
      try scratch.write(
        "p.json",
        """
        {"policyVersion": 1, "rules": [{"modules": "test.program.*", "grant": ["storage"],
                                        "restart": {"kind": "temporary"}}]}
        """)
    }

    /// Boots, crashes the module, and ends the supervisor once the report is there; what it logged.
    func crash() async throws -> String {
      let supervisor = try SupervisorProcess(
        [
          "run", "--policy", scratch("p.json"), "--manifests", scratch("m"), "--state", state, "--log-level",
          "info",
        ], executable: scratch("bin/forsetti-supervisor"))
      let heard = await supervisor.errors(containing: "1000 answers")
      let line = try #require(heard.split(separator: "\n").first { $0.contains("activated in") })
      let pid = try #require(line.split(separator: "pid=").last.flatMap { Int32($0.prefix { $0.isNumber }) })
      #expect(kill(pid, SIGSEGV) == 0)
      let log = await supervisor.errors(containing: "left crash report")
      // The same from the supervisor while it runs.
      let asked = try await SupervisorProcess.run(["crashes", "list", "--runtime-dir", state + "/run"])
      #expect(asked.output == (try await crashes("list").output), "\(asked.errors)")
      let shown = try await SupervisorProcess.run(
        ["crashes", "show", "latest", "--json", "--runtime-dir", state + "/run"])
      let report = try CrashReport(Array(shown.output.utf8))
      let file = try CrashReportStore(stateFolder: state).read(report.id)
      // The functions of its frames may have got their names in between.
      #expect(report.exit == file.exit && report.evidence.log == file.evidence.log)
      let none = try await SupervisorProcess.run(["crashes", "show", "x", "--runtime-dir", state + "/run"])
      #expect(none.status == ExitStatus.noInput.rawValue)
      supervisor.send(SIGTERM)
      #expect(await supervisor.end().status == 0)
      return log
    }

    func crashes(_ arguments: String...) async throws -> SupervisorProcess.End {
      try await SupervisorProcess.run(["crashes"] + arguments + ["--state", state])
    }
  }

  @Test("the log names the report and the command, which shows all of it after the supervisor has ended")
  func whole() async throws {
    let site = try Site()
    let log = try await site.crash()
    let command = try #require(
      log.split(separator: "`").first { $0.hasPrefix("forsetti-supervisor crashes show ") })
    let id = String(try #require(command.split(separator: " ").last))
    let shown = try await site.crashes("show", id)
    #expect(shown.status == 0, "\(shown.errors)")
    for text in [
      "\(Self.id) ended unasked: crash report \(id)", "it crashed by SIGSEGV",
      "forsetti-supervisor activate \(Self.id)",
      "stays down, as its restart policy says", "forsetti-module-host + 0x", "storage.value", " answers",
      "KiB at most",
    ] {
      #expect(shown.output.contains(text), "\(text) is not in \(shown.output)")
    }
    let json = try await site.crashes("show", "latest", "--json")
    let report = try CrashReport(Array(json.output.utf8))
    #expect(report.id.text == id)
    #expect(report.exit == ModuleExit(status: .signalled(SIGSEGV), reason: .crashed(signal: SIGSEGV)))
    #expect(report.evidence.frameHeads.count == CrashEvidence.frameHeads)
    #expect(report.grants == [.storage])
    #expect(report.uptimeMilliseconds <= report.evidence.lifetimeMilliseconds)
    let list = try await site.crashes("list")
    #expect(list.output.contains(id) && list.output.contains("crashed"))
    let listed = try JSONSerialization.jsonObject(
      with: Data(try await site.crashes("list", "--json").output.utf8))
    let entries = try #require((listed as? [String: Any])?["crashes"] as? [[String: Any]])
    #expect(entries.map { $0["id"] as? String } == [id])
  }

  @Test("a module's text reaches no terminal as it is") func escapedText() async throws {
    let site = try Site()
    let store = CrashReportStore(stateFolder: site.state)
    let bad = "\u{1B}]0;x\u{7}\u{202E}\n"
    let report = CrashReport(
      id: CrashReportID(endedAt: 1, random: 1),
      module: CrashedModule(
        moduleID: bad, displayName: bad, version: bad, type: .service, origin: bad, entryPoint: bad,
        manifestSHA256: bad, capabilitiesRequested: []),
      grants: [], endedAt: 1, uptimeMilliseconds: 0,
      exit: ModuleExit(
        status: .signalled(9),
        reason: .violation(
          Violation(
            syscall: bad, number: 1, arguments: [1], decoded: [bad], path: bad, instructionPointer: 1))),
      evidence: CrashEvidence(
        message: bad, backtrace: [CrashFrame(address: 1, file: bad, offset: 1, function: bad)],
        log: [CrashLogLine(atMilliseconds: 1, level: nil, text: bad)],
        frameHeads: [CrashFrameHead(kind: bad, callID: 1, length: 1, method: bad)], servedCalls: [bad: 1],
        missing: [bad]), ends: [1], next: .staysDown(.restartPolicy), wayOut: bad)
    try store.save(report)
    for arguments in [["show", "latest"], ["show", "latest", "--json"], ["list"], ["list", "--json"]] {
      let end = try await SupervisorProcess.run(["crashes"] + arguments + ["--state", site.state])
      #expect(end.status == 0, "\(end.errors)")
      #expect(!end.output.unicodeScalars.contains { $0 != "\n" && $0.isUnfitForDisplay }, "\(arguments)")
    }
  }

  @Test("an ID that is none, or none any more, is named with its exit status") func wrong() async throws {
    let site = try Site()
    #expect(try await site.crashes("list").output == "No module has ended unasked.\n")
    #expect(try await site.crashes("show", "latest").status == ExitStatus.noInput.rawValue)
    let store = CrashReportStore(stateFolder: site.state)
    for random: UInt32 in [1, 2] {
      let id = CrashReportID(endedAt: 1, random: random)
      try site.scratch.write("state/crashes/\(id).com.example.a.json", "{")
      #expect(try store.ids().contains(id))
    }
    chmod(store.path, 0o700)
    let both = try await site.crashes("show", "19700101T")
    #expect(both.status == ExitStatus.usage.rawValue && both.errors.contains("2 reports"))
    let damaged = try await site.crashes("show", "19700101T000000001Z-00000001")
    #expect(damaged.status == ExitStatus.dataError.rawValue && damaged.errors.contains("is no crash report"))
    #expect(try await site.crashes("list").output.contains("is no crash report"))
    let none = try await site.crashes("show", "../../etc/passwd")
    #expect(none.status == ExitStatus.noInput.rawValue)
    #expect(try await site.crashes("shwo", "x").status == ExitStatus.usage.rawValue)
    #expect(try await site.crashes("show").status == ExitStatus.usage.rawValue)
  }
}
