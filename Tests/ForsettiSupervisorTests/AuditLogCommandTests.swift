import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// The audit log of the real program, from start to stop.
@Suite struct AuditLogCommandTests {
  private static func verify(_ scratch: Scratch, _ more: String...) async throws -> SupervisorProcess.End {
    try await SupervisorProcess.run(["audit", "verify", "--state", scratch("state")] + more)
  }

  private static func log(_ scratch: Scratch) throws -> [[String: Any]] {
    let text = try String(contentsOfFile: scratch("state/audit-log/audit.jsonl"), encoding: .utf8)
    return try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test("keeps grants, who changed what, and ends, in a chain that is whole while it is written and after")
  func keeps() async throws {
    let scratch = try Scratch()
    let none = try await Self.verify(scratch)
    #expect(none.status == ForsettiSupervisor.ExitStatus.noInput.rawValue)
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    #expect(try await SupervisorProcess.run(["restart", "scanner", "--state", scratch("state")]).status == 0)
    #expect(try await Self.verify(scratch).status == 0)
    let status = try await SupervisorProcess.run(["status", "--json", "--state", scratch("state")])
    let scanner = "com.forsetti.jamfpro.service.scanner"
    let pid = try #require(try ReportedBoot(status.output).modules.first { $0.moduleID == scanner }?.pid)
    kill(pid_t(pid), SIGKILL)
    let log = try SupervisorProcess(["logs", "-f", "scanner", "--state", scratch("state")])
    _ = await log.output(containing: "is started again in")
    log.send(SIGKILL)
    _ = await log.end()
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)

    let lines = try Self.log(scratch)
    let events = lines.compactMap { $0["event"] as? String }
    #expect(events.first == "started" && events.last == "stopped")
    #expect(events.filter { $0 == "granted" }.count >= 12)
    let change = try #require(lines.first { $0["event"] as? String == "changed" })
    #expect(change["actor"] as? String == "operator:\(geteuid())")
    let details = try #require(change["details"] as? [String: String])
    #expect(details["operation"] == "restart" && details["request"] == "scanner")
    let end = try #require(lines.first { $0["event"] as? String == "ended" })
    #expect(end["module"] as? String == scanner)
    #expect((end["details"] as? [String: String])?["reason"] == "killed")

    let whole = try await Self.verify(scratch, "--json")
    #expect(whole.status == 0 && whole.output.hasPrefix("{\"intact\":true,\"files\":1,"), "\(whole.output)")
    let file = scratch("state/audit-log/audit.jsonl")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacingOccurrences(of: "\"request\":\"scanner\"", with: "\"request\":\"nothing\"")
      .write(toFile: file, atomically: false, encoding: .utf8)
    let broken = try await Self.verify(scratch)
    #expect(broken.status == ForsettiSupervisor.ExitStatus.dataError.rawValue)
    #expect(broken.output.contains("audit.jsonl:\(try #require(change["seq"] as? Int)): it was changed"))
  }

  @Test("a log that cannot be written costs lines and no module")
  func unwritable() async throws {
    let scratch = try Scratch()
    try scratch.folder("state/audit-log/audit.jsonl")
    let supervisor = try SupervisorProcess([
      "run", "--policy", Product.strictPolicy, "--state", scratch("state"),
    ])
    #expect(await supervisor.output(containing: "Running until").contains("11 of 11 modules active"))
    #expect(await supervisor.errors(containing: "decisions wait").contains("decisions wait to be kept"))
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }
}
