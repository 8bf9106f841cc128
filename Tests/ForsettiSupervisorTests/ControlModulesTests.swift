import ForsettiCore
import ForsettiIPC
import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// What people ask of modules over the control socket of the real program.
@Suite(.timeLimit(.minutes(3))) struct ControlModulesTests {
  private static let scanner = "com.forsetti.jamfpro.service.scanner"

  private static func ask(_ scratch: Scratch, _ arguments: String...) async throws -> SupervisorProcess.End {
    try await SupervisorProcess.run(arguments + ["--state", scratch("state")])
  }

  @Test("events shows what is published, by whom, and not what is in it")
  func events() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    let output = try await Self.events(
      scratch, of: "forsetti.lifecycle.*", until: "forsetti.lifecycle.deactivated",
      doing: ["restart", "scanner"])
    #expect(output.contains(#""type":"forsetti.lifecycle.deactivated","module":null}"#), "\(output)")
    #expect(!output.contains(Self.scanner))
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }

  /// Follows events and does something again and again until one is heard: nobody knows when the other has begun to
  /// listen.
  private static func events(
    _ scratch: Scratch, of pattern: String, until type: String, doing command: [String]
  ) async throws -> String {
    let events = try SupervisorProcess(["events", pattern, "--json", "--state", scratch("state")])
    while !events.outputSoFar.contains(type) {
      try Task.checkCancellation()
      _ = try await SupervisorProcess.run(command + ["--state", scratch("state")])
    }
    let output = await events.output(containing: type)
    events.send(SIGTERM)
    #expect(await events.end().isSignal)
    return output
  }

  @Test("publish does what a module's button asks, with the module's rights and no more")
  func publish() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(
      in: scratch, policy: Product.examplePolicy, ["--manifests", Product.exampleManifests])
    let (module, type) = ("com.forsetti.example.ui", "com.forsetti.example.ui.pressed")
    let output = try await Self.events(
      scratch, of: "*", until: type, doing: ["publish", module, type, "field=value"])
    #expect(output.contains(#""type":"\#(type)","module":"\#(module)"}"#), "\(output)")
    for type in ["forsetti.lifecycle.ended", "com.forsetti.example.service.pressed", "a.*", "{moduleID}.x"] {
      let refused = try await Self.ask(scratch, "publish", module, type)
      #expect(refused.status == ForsettiSupervisor.ExitStatus.noPermission.rawValue, "\(refused)")
    }
    #expect(try await Self.ask(scratch, "deactivate", module).status == 0)
    let stopped = try await Self.ask(scratch, "publish", module, type)
    #expect(stopped.status == ForsettiSupervisor.ExitStatus.unavailable.rawValue, "\(stopped)")
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
    let audit = try String(contentsOfFile: scratch("state/audit-log/audit.jsonl"), encoding: .utf8)
    #expect(audit.contains(#""request":"\#(module) \#(type)""#), "\(audit)")
  }

  @Test("entitlements, explain --running and call answer for the modules that run, or say why they don't")
  func answers() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    let entitlements = try await Self.ask(scratch, "entitlements")
    #expect(entitlements.status == 0 && entitlements.output.contains(Self.scanner), "\(entitlements)")
    let explained = try await Self.ask(scratch, "explain", "scanner", "--running")
    #expect(explained.status == 0, "\(explained)")
    #expect(explained.output.contains("seccomp mode 2, no_new_privs"))
    #expect(explained.output.contains("System calls the kernel carries out"))
    let json = try await Self.ask(scratch, "explain", "scanner", "--running", "--format", "json")
    #expect(json.output.contains(#""moduleID":"\#(Self.scanner)""#))
    #expect(try await Self.ask(scratch, "deactivate", "scanner").status == 0)
    let stopped = try await Self.ask(scratch, "explain", "scanner", "--running")
    #expect(stopped.status == ForsettiSupervisor.ExitStatus.unavailable.rawValue)

    let host = try await Self.ask(scratch, "call", "shared_database", "query", #"{"sql": "SELECT 1"}"#)
    #expect(host.status == ForsettiSupervisor.ExitStatus.unavailable.rawValue)
    #expect(host.errors.contains("the host provides it, to modules alone"), "\(host)")
    for (role, method, parameters) in [
      ("storage", "value", "{}"), ("secure_storage", "value", "{}"), ("crypto_utilities", "sign", "{}"),
      ("authentication", "issueToken", "{}"), ("api", "request", "{}"),
      ("api", "request", #"{"path": "/a//b"}"#),
      ("api", "request", "{"),
    ] {
      let refused = try await Self.ask(scratch, "call", role, method, parameters)
      #expect(refused.status == ForsettiSupervisor.ExitStatus.usage.rawValue, "\(role) \(method): \(refused)")
    }
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }

  @Test("render shows a view as its module draws it")
  func render() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(
      in: scratch, policy: Product.examplePolicy, ["--manifests", Product.exampleManifests])
    let text = try await Self.ask(scratch, "render", "example-workspace")
    #expect(text.status == 0 && text.output.hasPrefix("Example\n"), "\(text)")
    let json = try await Self.ask(scratch, "render", "example-overlay", "title=Hello", "--json")
    #expect(
      json.output.contains(#""moduleID":"com.forsetti.example.ui""#) && json.output.contains("Hello"),
      "\(json)")
    let unknown = try await Self.ask(scratch, "render", "no-such-view")
    #expect(unknown.status == ForsettiSupervisor.ExitStatus.dataError.rawValue, "\(unknown)")
    let given = try await Self.ask(scratch, "render", "example-service", "--json")
    #expect(given.output.contains(#""moduleID":"com.forsetti.example.service""#), "\(given)")
    let surface = try await Self.ask(scratch, "surface", "--json")
    #expect(surface.output.contains(#""example-service":"com.forsetti.example.service""#), "\(surface)")
    #expect(surface.output.contains(#""example-overlay":"com.forsetti.example.ui""#), "\(surface)")
    _ = try await Self.ask(scratch, "deactivate", "service")
    let inactive = try await Self.ask(scratch, "render", "example-service")
    #expect(inactive.status == ForsettiSupervisor.ExitStatus.unavailable.rawValue, "\(inactive)")
    #expect(inactive.errors.contains("draws it and is not active"), "\(inactive)")
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }

  @Test("accept gives a person's word to the supervisor that runs, and a reload takes it")
  func accept() async throws {
    let scratch = try Scratch()
    try scratch.copy(Product.manifests, to: "manifests")
    let manifests = ["--manifests", scratch("manifests")]
    let supervisor = try await SupervisorProcess.booted(in: scratch, manifests)
    let files = try FileManager.default.contentsOfDirectory(atPath: scratch("manifests"))
    let file = try #require(files.first { $0.contains("canner") })
    let manifest = try String(contentsOfFile: scratch("manifests/" + file), encoding: .utf8)
    try scratch.write(
      "manifests/" + file, manifest.replacing(#""schemaVersion""#, with: #""x": 1, "schemaVersion""#))
    #expect(
      try await Self.ask(scratch, "reload").status == ForsettiSupervisor.ExitStatus.dataError.rawValue)
    func accept(_ more: [String]) async throws -> SupervisorProcess.End {
      try await SupervisorProcess.run(
        ["accept", Self.scanner, "--json", "--policy", Product.strictPolicy, "--state", scratch("state")]
          + manifests + more)
    }
    let shown = try await accept([])
    struct Shown: Decodable {
      var sha256: String
      var accepted: Bool
    }
    let hash = try JSONDecoder().decode(Shown.self, from: Data(shown.output.utf8)).sha256
    let wrong = try await accept(["--sha256", String(repeating: "0", count: 64)])
    #expect(wrong.status == ForsettiSupervisor.ExitStatus.dataError.rawValue)
    let accepted = try await accept(["--sha256", hash])
    #expect(accepted.status == 0, "\(accepted)")
    #expect(try JSONDecoder().decode(Shown.self, from: Data(accepted.output.utf8)).accepted)
    let reloaded = try await Self.ask(scratch, "reload")
    #expect(
      reloaded.status == 0 && reloaded.output.contains("~  \(Self.scanner)  new process  manifest"),
      "\(reloaded)")
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
    let audit = try String(contentsOfFile: scratch("state/audit-log/audit.jsonl"), encoding: .utf8)
    let person = #""actor":"operator:\#(getuid())""#
    #expect(
      audit.contains(#""event":"accepted",\#(person),"module":"\#(Self.scanner)""#)
        && audit.contains(hash), "\(audit)")
  }
}
