import ForsettiCore
import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// The web console of the real program, over real sockets. What a browser shows of it is seen by `BrowserTests`.
@Suite struct ConsoleTests {
  /// A policy with a console, and nothing else to run than the strict set.
  private static func policy(_ scratch: Scratch) throws -> String {
    let text = try String(contentsOfFile: Product.strictPolicy, encoding: .utf8)
    let brace = try #require(text.firstIndex(of: "{"))
    return try scratch.write(
      "policy.json", #"{ "console": { "listen": "127.0.0.1:0" },"# + text[text.index(after: brace)...])
  }

  private static func url(_ scratch: Scratch) async throws -> ConsoleURL {
    let end = try await SupervisorProcess.run(["console", "--url", "--state", scratch("state")])
    #expect(end.status == 0, "\(end.errors)")
    return try #require(ConsoleURL(end.output))
  }

  @Test(
    "the supervisor keeps a console: locked, started again when it dies, ended at the end; no module feels it"
  )
  func kept() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(in: scratch, policy: Self.policy(scratch))
    let url = try await Self.url(scratch)
    #expect(url.status("GET", "/healthz") == 200)
    #expect(url.status("GET", "/readyz") == 200)
    #expect(url.status("GET", "/api/status") == 401)
    #expect(url.status("GET", "/", ["Host": "evil.example"]) == 421)
    let before = try await Self.processes(scratch)

    let console = try #require(Self.console(of: supervisor.processID))
    let facts = try String(contentsOfFile: "/proc/\(console)/status", encoding: .utf8)
    for fact in ["Seccomp:\t2", "NoNewPrivs:\t1", "CapEff:\t0000000000000000"] {
      #expect(facts.contains(fact))
    }
    kill(console, SIGKILL)
    // The socket is still there: the kernel keeps us waiting until another console takes us.
    #expect(url.status("GET", "/healthz") == 200)
    #expect(Self.console(of: supervisor.processID) != console)
    #expect(try await Self.processes(scratch) == before)

    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
    #expect(url.status("GET", "/healthz") == nil)
  }

  @Test(
    "what the policy decided of a module is told with its place, and why it does not run where it does not")
  func module() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(in: scratch, policy: Self.policy(scratch))
    let url = try await Self.url(scratch)
    let session = try #require(url.signIn())
    let http = LoopbackHTTP(port: url.port)
    func told(_ name: String) throws -> String {
      try #require(http.exchange("GET", "/api/module?module=\(name)", session)).body
    }
    #expect(url.status("GET", "/api/module?module=scanner") == 401)
    let running = try told("scanner")
    #expect(running.contains(#""state":"active""#) && running.contains(#""fault":null"#), "\(running)")
    // A capability and a setting, each with the line that says so; the manifest, as text.
    #expect(running.contains(#""kind":"capability""#) && running.contains("policy.json:"), "\(running)")
    #expect(running.contains(#""name":"sandbox.limits.openFiles""#), "\(running)")
    #expect(running.contains(#"\"schemaVersion\": \"1.1\""#), "\(running)")
    #expect(url.status("POST", "/api/deactivate", session, body: #"{"module":"scanner"}"#) == 200)
    let stopped = try told("scanner")
    #expect(stopped.contains(#""fault":"somebody stopped it""#), "\(stopped)")
    #expect(url.status("GET", "/api/module?module=com.example.none", session) == 409)
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }

  @Test("a boot that fails is waited for, shows why, and is tried again by an order of the console")
  func retried() async throws {
    let scratch = try Scratch()
    try scratch.copy(Product.manifests, to: "manifests")
    let broken = try scratch.write("manifests/Broken.json", "{}")
    let supervisor = try SupervisorProcess([
      "run", "--policy", try Self.policy(scratch), "--manifests", scratch("manifests"), "--state",
      scratch("state"),
    ])
    _ = await supervisor.errors(containing: "Broken.json")
    let url = try await Self.url(scratch)
    #expect(url.status("GET", "/readyz") == 503)
    let status = try await SupervisorProcess.run(["status", "--json", "--state", scratch("state")])
    #expect(status.output.contains(#""state":"failed""#))
    let session = try #require(url.signIn())
    #expect(url.status("POST", "/api/retry", body: "{}") == 401)
    unlink(broken)
    #expect(url.status("POST", "/api/retry", session, body: "{}") == 200)
    _ = await supervisor.output(containing: "Running until")
    #expect(url.status("GET", "/readyz") == 200)
    // Nothing to try again.
    #expect(url.status("POST", "/api/retry", session, body: "{}") == 409)
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }

  @Test("a supervisor whose boot failed and is not tried again ends with what was wrong")
  func notRetried() async throws {
    let scratch = try Scratch()
    try scratch.copy(Product.manifests, to: "manifests")
    try scratch.write("manifests/Broken.json", "{}")
    let supervisor = try SupervisorProcess([
      "run", "--policy", try Self.policy(scratch), "--manifests", scratch("manifests"), "--state",
      scratch("state"),
    ])
    _ = await supervisor.errors(containing: "Broken.json")
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == ForsettiSupervisor.ExitStatus.dataError.rawValue)
  }

  @Test("a person starts a console of their own, which ends with its command")
  func started() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    let none = try await SupervisorProcess.run(["console", "--url", "--state", scratch("state")])
    #expect(none.status == ForsettiSupervisor.ExitStatus.unavailable.rawValue)
    #expect(none.errors.contains("keeps no web console"))
    let command = try SupervisorProcess(["console", "--listen", "127.0.0.1:0", "--state", scratch("state")])
    let url = try #require(ConsoleURL(await command.output(containing: "Running until")))
    #expect(url.status("GET", "/readyz") == 200)
    let session = try #require(url.signIn())
    #expect(url.status("GET", "/api/status", session) == 200)
    command.send(SIGTERM)
    _ = await command.end()
    #expect(url.status("GET", "/healthz") == nil)
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }

  @Test("without a supervisor, or on an address of other hosts, console says what is wrong")
  func refused() async throws {
    let scratch = try Scratch()
    let alone = try await SupervisorProcess.run(["console", "--state", scratch("state")])
    #expect(alone.status == ForsettiSupervisor.ExitStatus.unavailable.rawValue)
    #expect(alone.errors.contains("no supervisor runs"))
    let far = try await SupervisorProcess.run(["console", "--listen", "0.0.0.0:80"])
    #expect(far.status == ForsettiSupervisor.ExitStatus.usage.rawValue)
    #expect(far.errors.contains("for this host alone"))
  }

  private static func processes(_ scratch: Scratch) async throws -> [Int32?] {
    let end = try await SupervisorProcess.run(["status", "--json", "--state", scratch("state")])
    return try ReportedBoot(end.output).modules.map(\.pid)
  }

  /// The process ID of a supervisor's console.
  private static func console(of supervisor: Int32) -> Int32? {
    let processes =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap(Int32.init) ?? []
    return processes.first { process in
      guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
        return false
      }
      // The kernel keeps 15 bytes of a name.
      return stat.contains("(forsetti-consol) S \(supervisor) ")
    }
  }
}

/// The console in a browser, where there is one.
@Suite struct BrowserTests {
  private static let python = Product.checkout + "/.venv/bin/python"
  private static let hasBrowser = ["/usr/bin/chromedriver", "/usr/bin/chromium", python].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(
    "boot and retry, the live dashboard, a module's page, the surface, what is refused, by mouse and by keyboard",
    .enabled(if: hasBrowser))
  func browser() async throws {
    try await walk("console_browser.py", Product.supervisor, Product.checkout)
  }

  @Test(
    "the demo: every view of its desk, drawn by its module and doing its work, and its end",
    .enabled(if: hasBrowser))
  func demo() async throws {
    try await walk("demo_browser.py", Product.folder)
  }

  private func walk(_ script: String, _ arguments: String...) async throws {
    let end = try await SupervisorProcess.run(
      ["\(Product.checkout)/Tests/Python/\(script)"] + arguments, executable: Self.python,
      environment: ["HOME": "/tmp"])
    #expect(end.status == 0, "\(end.output)\(end.errors)")
  }
}

/// The console under clients that mean no good, and under a fuzzer (Tests/Python/console_garbage.py).
@Suite(.timeLimit(.minutes(5))) struct ConsoleGarbageTests {
  private static let python = Product.checkout + "/.venv/bin/python"

  @Test(
    "ten thousand connections of garbage and strange requests to every route: nothing dies, leaks or lets in",
    .enabled(if: access(python, X_OK) == 0, "make venv"))
  func garbage() async throws {
    let seed = UInt32.random(in: 0...UInt32.max)
    let end = try await SupervisorProcess.run(
      [
        Product.checkout + "/Tests/Python/console_garbage.py", Product.supervisor, Product.checkout,
        "\(seed)",
      ],
      executable: Self.python, environment: ["HOME": "/tmp"])
    #expect(end.status == 0, "\(end.output)\(end.errors)")
  }
}
