import CLinux
import ForsettiCore
import Glibc
import Testing

@testable import ForsettiSupervisor

/// The bundles of docs/third-party.md under the real supervisor.
@Suite("Modules of third parties", .timeLimit(.minutes(3))) struct ThirdPartyTests {
  private let cModule = CModule.id
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private var installed: String { scratch("state/bundles/\(cModule)") }

  /// Compiles the example and installs it in place of an earlier one; returns the hash of its executable.
  private func install(_ mark: String = "") throws -> String { try CModule.install(in: scratch, mark: mark) }

  private func arguments(_ sha256: String, folder: String? = nil, id: String? = nil) throws -> [String] {
    let place = folder.map { "\"bundles\": {\"folder\": \"\($0)\"}, " } ?? ""
    let policy = try scratch.write(
      "policy.json",
      """
      {"policyVersion": 1, \(place)"entitlements": {"provider": "allowAll"},
       "userIDs": {"first": 70000, "count": 64}, "activation": {"order": ["\(id ?? cModule)"]},
       "rules": [
         {"modules": "\(id ?? cModule)", "origin": {"sha256": "\(sha256)"}, "grant": ["storage"]},
         {"modules": "com.forsetti.example.*", "grant": ["storage", "telemetry", "toolbar_items",
          "view_injection", "routing_overlay"]}
       ]}
      """)
    return ["--policy", policy, "--manifests", Product.exampleManifests, "--state", scratch("state")]
  }

  private func boot(_ sha256: String) async throws -> SupervisorProcess.End {
    try await SupervisorProcess.run(["run", "--once", "--json", "--log-level", "info"] + arguments(sha256))
  }

  @Test("a module of C counts its starts in the storage it was granted, over restarts of the supervisor")
  func cExample() async throws {
    let hash = try install()
    for count in 1...2 {
      let end = try await boot(hash)
      #expect(end.status == 0, "\(end.errors)")
      #expect(end.errors.contains("started \(count) times"))
      #expect(end.output.contains("\"moduleID\":\"\(cModule)\",\"type\":\"service\",\"state\":\"active\""))
      #expect(end.output.contains("\"execveat\""))
    }
    let explained = try await SupervisorProcess.run(["explain", cModule] + arguments(hash))
    #expect(explained.status == 0, "\(explained.output)")
    #expect(explained.output.contains("the bundle's executable says that it is this module"))
    #expect(explained.output.contains("start: where its own thread's variables are"))
  }

  @Test("a bundle that was changed is refused alone: the modules of the host boot, and a refusal says why")
  func changed() async throws {
    let hash = try install()
    try scratch.write("state/bundles/\(cModule)/manifest.json", "{}")
    let end = try await boot(hash)
    #expect(end.status == 65)
    #expect(
      end.output.contains(
        "\"moduleID\":\"com.forsetti.example.service\",\"type\":\"service\",\"state\":\"active\""))
    #expect(end.output.contains("\"refusedBundles\":[\"bundle \\\"\(cModule)\\\""))
    #expect(try await SupervisorProcess.run(["check"] + arguments(hash)).status == 65)
  }

  @Test(
    "code from elsewhere waits for a word on the data, which are kept or erased",
    arguments: ["keep", "erase"])
  func origin(data: String) async throws {
    let first = try install()
    #expect(try await boot(first).errors.contains("started 1 times"))
    let second = try install("2")
    #expect(second != first)
    let refused = try await boot(second)
    #expect(refused.status == 65)
    #expect(refused.errors.contains("origin, executable"))

    let shown = try await SupervisorProcess.run(["accept", cModule] + arguments(second))
    #expect(shown.output.contains("--data keep") && shown.output.contains("--data erase"))
    let words = shown.output.split(whereSeparator: \.isWhitespace)
    let hash = try #require(words.drop { $0 != "--sha256" }.dropFirst().first.map(String.init))
    let silent = try await SupervisorProcess.run(["accept", cModule, "--sha256", hash] + arguments(second))
    #expect(silent.status == 64)
    #expect(try await boot(second).status == 65)
    let accepted = try await SupervisorProcess.run(
      ["accept", cModule, "--sha256", hash, "--data", data] + arguments(second))
    #expect(accepted.status == 0, "\(accepted.errors)")
    #expect(try await boot(second).errors.contains("started \(data == "keep" ? 2 : 1) times"))
    // What was decided holds from then on.
    #expect(try await boot(second).errors.contains("started \(data == "keep" ? 3 : 2) times"))
  }

  @Test("a supervisor that is killed takes it along: the parent-death signal outlives the exec") func killed()
    async throws
  {
    let hash = try install()
    let supervisor = try SupervisorProcess(["run"] + arguments(hash))
    let report = await supervisor.output(containing: "Running until")
    let row = try #require(report.split(separator: "\n").first { $0.contains(cModule) })
    let pid = try #require(row.split(separator: " ").compactMap { Int32($0) }.first)
    let module = cl_pidfd_open(pid)
    #expect(module >= 0)
    defer { close(module) }
    supervisor.send(SIGKILL)
    _ = await supervisor.end()
    var ended = pollfd(fd: module, events: Int16(POLLIN), revents: 0)
    #expect(poll(&ended, 1, 1000) == 1)
  }

  private static let examples = Product.checkout + "/.build/examples"

  private static let meterID = "com.example.meter"

  /// Lays the example on ModuleKit out as a bundle; returns the arguments to run it with.
  private func meter() throws -> [String] {
    let id = Self.meterID
    for file in ["manifest.json", "module"] {
      try scratch.copy(Self.examples + "/\(id)/\(file)", to: "bundles/\(id)/\(file)")
      chmod(scratch("bundles/\(id)/\(file)"), 0o700)
    }
    return try arguments(
      try CModule.hash(scratch("bundles/\(id)/module")), folder: scratch("bundles"), id: id)
  }

  @Test(
    "the package outside this tree's targets runs as a bundle",
    .enabled(if: access(examples, F_OK) == 0, "make examples"))
  func swiftExample() async throws {
    let line = try meter()
    for count in 1...2 {
      let end = try await SupervisorProcess.run(["run", "--once", "--json", "--log-level", "info"] + line)
      #expect(end.status == 0, "\(end.errors)")
      #expect(end.errors.contains("started \(count) times"))
    }
  }

  @Test(
    "a crash of a module on ModuleKit leaves its last words, with the functions named",
    .enabled(if: access(examples, F_OK) == 0, "make examples"))
  func lastWords() async throws {
    let supervisor = try SupervisorProcess(["run"] + meter())
    let report = await supervisor.output(containing: "Running until")
    let row = try #require(report.split(separator: "\n").first { $0.contains(Self.meterID) })
    let pid = try #require(row.split(separator: " ").compactMap { Int32($0) }.first)
    kill(pid, SIGSEGV)
    _ = await supervisor.errors(containing: "left crash report")
    supervisor.send(SIGTERM)
    _ = await supervisor.end()
    let shown = try await SupervisorProcess.run(["crashes", "show", "latest", "--state", scratch("state")])
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.contains("EventLoop"), "\(shown.output)")
  }
}
