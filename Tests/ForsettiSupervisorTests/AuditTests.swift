import ForsettiCore
import ForsettiSandbox
import Foundation
import Glibc
import Testing

@testable import ForsettiRuntime
@testable import ForsettiSupervisor

/// `run --audit` with the real program and a bundle of C that leaves its sandbox before its `main`.
@Suite("Audit of a module", .timeLimit(.minutes(3))) struct AuditTests {
  /// Gives memory back, which the direct grant `threads` would allow, and asks for what nothing allows.
  private static let allowable = """
    #include <sys/mman.h>
    static char page[8192] __attribute__((aligned(4096)));
    __attribute__((constructor)) static void give_back(void) {
      for (int i = 0; i < 3; i++) madvise(page + 4096, 4096, MADV_DONTNEED);
    }
    """
  private static let refused = """
    #include <errno.h>
    #include <fcntl.h>
    #include <stdio.h>
    #include <sys/socket.h>
    #include <unistd.h>
    __attribute__((constructor)) static void reach_out(void) {
      char text[64];
      int file = open("/etc/passwd", O_RDONLY);
      int length = snprintf(text, sizeof text, "open: %d %d\\n", file, file < 0 ? errno : 0);
      if (write(1, text, (size_t)length) < 0) _exit(1);
      socket(AF_UNIX, SOCK_STREAM, 0);
    }
    """

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Writes `policy.json` into the scratch folder; `members` and `rule` go into the whole and into the module's rule.
  private func write(_ hash: String, members: String = "", rule: String = ",\n      \"audit\": \"allowed\"")
    throws
  {
    try scratch.write(
      "policy.json",
      """
      {
        "policyVersion": 1,\(members)
        "entitlements": { "provider": "allowAll" },
        "userIDs": { "first": 70000, "count": 64 },
        "activation": { "order": ["\(CModule.id)"] },
        "rules": [
          {
            "modules": "\(CModule.id)",
            "origin": { "sha256": "\(hash)" },
            "grant": ["storage"]\(rule)
          },
          { "modules": "com.forsetti.example.*",
            "grant": ["storage", "telemetry", "toolbar_items", "view_injection", "routing_overlay"] }
        ]
      }

      """)
  }

  /// The program in the scratch folder, where the policy's path is a relative one.
  private func start(_ arguments: [String]) throws -> SupervisorProcess {
    let places = ["--policy", "policy.json", "--manifests", Product.exampleManifests, "--state", "state"]
    return try SupervisorProcess(
      ["-C", scratch.path, Product.supervisor, "run"] + places + arguments, executable: "/usr/bin/env")
  }

  private func boot(_ arguments: String...) async throws -> SupervisorProcess.End {
    try await start(["--once", "--log-level", "info"] + arguments).end()
  }

  /// Gives a text to patch(1) in the scratch folder.
  private func patch(_ text: String) async throws {
    try scratch.write("patch", text)
    let end = try await SupervisorProcess.run(
      ["-C", scratch.path, "patch", "-p0", "-i", "patch"], executable: "/usr/bin/env")
    #expect(end.status == 0, "\(end.output)\(end.errors)")
    chmod(scratch("policy.json"), 0o600)
  }

  /// The object of the audit, which is the last line.
  private func report(_ output: String) throws -> [String: Any] {
    let line = try #require(output.split(separator: "\n").last)
    return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test("calls that a policy can allow are let through, and the patch that is printed allows them")
  func allowed() async throws {
    try write(try CModule.install(in: scratch, beside: Self.allowable))
    let before = try await boot()
    #expect(before.status == 69, "without an audit it is a violation: \(before.errors)")
    #expect(before.errors.contains("madvise("))
    let audit = try await boot("--audit", CModule.id)
    #expect(audit.status == 0, "\(audit.errors)")
    #expect(audit.errors.contains("is audited"))
    #expect(audit.output.contains("3 calls outside its sandbox"))
    #expect(audit.output.contains("the change below allows it"))
    #expect(audit.output.contains("warning: line 12: threads: "), "\(audit.output)")
    #expect(audit.output.contains("\n+      \"sandbox\": { \"direct\": [\"threads\"] }\n"), "\(audit.output)")
    // The whole report, as somebody would hand it on.
    try await patch(audit.output)
    let after = try await boot()
    if geteuid() == 0 {
      #expect(after.status == 0, "\(after.errors)")
      #expect(after.errors.contains("activated in"))
    } else {
      // Nothing holds the number of threads here: the warning said so.
      #expect(after.status == 71, "\(after.errors)")
    }
    // The grant and an audit exclude each other.
    let again = try await boot("--audit", CModule.id)
    #expect(again.status == 78)
    #expect(again.errors.contains("grants it threads"))
  }

  @Test("what nothing allows is a violation still, Landlock still refuses files, and the report says so")
  func never() async throws {
    try write(try CModule.install(in: scratch, beside: Self.refused))
    let end = try await boot("--audit", CModule.id, "--json")
    #expect(end.status == 69, "\(end.errors)")
    #expect(end.errors.contains("open: -1 \(EACCES)"), "\(end.errors)")
    let report = try report(end.output)
    #expect(report["audit"] as? String == CModule.id)
    #expect(report["patch"] as? String == "")
    let records = try #require(report["records"] as? [[String: Any]])
    #expect(records.map { $0["letThrough"] as? Bool } == [true, false])
    #expect((records[0]["call"] as? String)?.contains("/etc/passwd") == true || geteuid() != 0)
    #expect(records[0]["refusal"] as? String == "no policy line allows it")
    #expect((records[1]["call"] as? String)?.hasPrefix("socket(domain=AF_UNIX") == true)
    #expect((records[1]["refusal"] as? String)?.hasPrefix("nothing allows it: of sockets") == true)
  }

  @Test("a module that stops ends its audit: the report comes then, and not once more at the end")
  func stopped() async throws {
    try write(try CModule.install(in: scratch, beside: Self.allowable))
    let supervisor = try start(["--audit", CModule.id, "--runtime-dir", scratch("run")])
    #expect(await supervisor.output(containing: "Running until").contains("Running until"))
    let stop = try await SupervisorProcess.run(
      ["deactivate", CModule.id, "--runtime-dir", scratch("run")])
    #expect(stop.status == 0, "\(stop.errors)")
    #expect(await supervisor.output(containing: "+++ policy.json").contains("3 calls outside its sandbox"))
    supervisor.send(SIGTERM)
    let end = await supervisor.end()
    #expect(end.status == 0)
    #expect(end.output.components(separatedBy: "Audit of").count == 2, "\(end.output)")
  }

  @Test("a reader that takes nothing of what an audit prints keeps no signal from being heard")
  func stuckReader() async throws {
    try write(try CModule.install(in: scratch, beside: Self.allowable))
    let pipe = try UnreadPipe(at: scratch("output"))
    pipe.fill()
    let supervisor = try SupervisorProcess(
      [
        "-c", "cd \"$0\" && exec \"$@\" > output", scratch.path, Product.supervisor, "run", "--audit",
        CModule.id, "--policy", "policy.json", "--manifests", Product.exampleManifests, "--state", "state",
        "--runtime-dir", scratch("run"), "--log-level", "info",
      ], executable: "/bin/sh")
    #expect(await supervisor.errors(containing: "activated in").contains("activated in"))
    let stop = try await SupervisorProcess.run(["deactivate", CModule.id, "--runtime-dir", scratch("run")])
    #expect(stop.status == 0, "\(stop.errors)")
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }

  @Test(
    "without the policy's word, and beside reviews, nothing is started",
    arguments: [
      ("", "", "does not allow it"), ("", ", \"audit\": \"refused\"", "does not allow it"),
      (" \"registration\": \"reviewed\",", ", \"audit\": \"allowed\"", "reviewed it"),
    ])
  func refusals(members: String, rule: String, says: String) async throws {
    try write(try CModule.install(in: scratch), members: members, rule: rule)
    let end = try await boot("--audit", CModule.id)
    #expect(end.status == 78, "\(end.errors)")
    #expect(end.errors.contains(says), "\(end.errors)")
    #expect(!end.errors.contains("activated") && !end.output.contains("Audit of"))
    let unknown = try await boot("--audit", "com.example.nobody")
    #expect(unknown.status == 65)
  }

  @Test("what a policy's lines hold steers no terminal, and stays as it is everywhere else")
  func terminal() throws {
    // A control sequence of one byte, a change of direction, and a return to the line's beginning.
    let schema = "\u{9B}2K harmless \u{202E}\u{7F}"
    let policy =
      "{ \"$schema\": \"\(schema)\", \"policyVersion\": 1, \"rules\": [\n\t{ \"modules\": \"com.a\",\r\n"
      + "\t\"grant\": [] } ] }\n"
    var records = AuditRecords()
    records.add(
      Violation(syscall: "madvise", number: 28, arguments: [0, 4096, 4], path: nil, instructionPointer: 0),
      wasLetThrough: true)
    let report = try AuditReport(
      of: records,
      ModuleAudit.Subject(moduleID: "com.a", origin: .builtIn, grants: [], sandbox: SandboxPolicy()),
      policyText: Array(policy.utf8), policyPath: "p.json")
    #expect(report.patch.unicodeScalars.contains("\u{9B}"), "the line is part of it")
    #expect(report.text(.plain, onTerminal: false).hasSuffix(report.patch))
    let shown = report.text(.plain, onTerminal: true)
    #expect(shown.unicodeScalars.allSatisfy { !$0.isUnfitForDisplay || $0 == "\n" || $0 == "\t" })
    #expect(shown.contains("\\u{9B}2K harmless \\u{202E}\\u{7F}") && shown.contains("\\u{D}"))
  }

  @Test("a patch is named as the policy was; one that patch(1) would refuse, from its own folder")
  func place() {
    #expect(
      PatchPlace(of: "policy/strict.json") == PatchPlace(name: "policy/strict.json", command: "patch -p0"))
    #expect(PatchPlace(of: "./p.json") == PatchPlace(name: "p.json", command: "patch -p0"))
    #expect(PatchPlace(of: "/etc/f/p.json") == PatchPlace(name: "p.json", command: "patch -p0 -d /etc/f"))
    #expect(
      PatchPlace(of: "../it's/p.json") == PatchPlace(name: "p.json", command: "patch -p0 -d '../it'\\''s'"))
  }
}
