import ForsettiCore
import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// A bundle that a reload refuses, and lets in again, under the real program with its console.
@Suite(.timeLimit(.minutes(3))) struct RefusedBundleTests {
  private let scratch: Scratch
  private let bundle: String

  init() throws {
    scratch = try Scratch()
    bundle = try CModule.install(in: scratch)
  }

  /// Boots the examples and the bundle.
  private func booted() async throws -> SupervisorProcess {
    let policy = try scratch.write(
      "policy.json",
      """
      {"policyVersion": 1, "console": {"listen": "127.0.0.1:0"}, "entitlements": {"provider": "allowAll"},
       "rules": [
         {"modules": "\(CModule.id)", "origin": {"sha256": "\(bundle)"}, "grant": ["storage"]},
         {"modules": "com.forsetti.example.*", "grant": ["storage", "telemetry", "toolbar_items",
          "view_injection", "routing_overlay"]}
       ]}
      """)
    return try await SupervisorProcess.booted(
      in: scratch, policy: policy, ["--manifests", Product.exampleManifests])
  }

  private var manifest: String { scratch("state/bundles/\(CModule.id)/manifest.json") }

  private func ask(_ words: String...) async throws -> SupervisorProcess.End {
    try await SupervisorProcess.run(words + ["--state", scratch("state")])
  }

  /// What the console tells a page as it happens, line by line.
  private func followed(_ url: ConsoleURL, _ session: [String: String]) throws -> SupervisorProcess {
    let text = """
      import sys, urllib.request
      port, cookie = sys.argv[1:]
      request = urllib.request.Request(f"http://127.0.0.1:{port}/api/live", headers={"Cookie": cookie})
      for line in urllib.request.urlopen(request):
          print(line.decode(), end="", flush=True)
      """
    return try SupervisorProcess(
      ["python3", "-c", text, "\(url.port)", session["Cookie"] ?? ""], executable: "/usr/bin/env")
  }

  @Test("open pages hear of a reload on the command line, which tells of the bundle too, as do orders for it")
  func told() async throws {
    let supervisor = try await booted()
    // One that runs would keep the reload from happening.
    #expect(try await ask("deactivate", "c-module").status == 0)
    let url = try #require(ConsoleURL(try await ask("console", "--url").output))
    let session = try #require(url.signIn())
    let http = LoopbackHTTP(port: url.port)
    let page = try followed(url, session)
    defer { page.send(SIGKILL) }
    _ = await page.output(containing: #""reloads":0"#)

    let whole = try Data(contentsOf: URL(filePath: manifest))
    try Data("{}".utf8).write(to: URL(filePath: manifest))
    let refused = try await ask("reload")
    #expect(refused.status == 0 && refused.output.contains("\(CModule.id)  -  refused: "), "\(refused)")
    // All modules that there are are told of, so that this one is gone.
    _ = await page.output(containing: #""isWhole":true,"reloads":1"#)
    let status = try #require(http.exchange("GET", "/api/status", session))
    #expect(status.body.contains(#""refusedBundles":["bundle \"\#(CModule.id)\""#), "\(status.body)")

    // By its ID on a page, by a part of it in a terminal: why, and what to do about it.
    let order = try #require(
      http.exchange("POST", "/api/activate", session, body: #"{"module":"\#(CModule.id)"}"#))
    #expect(order.status == 409 && order.body.contains("its bundle is refused: "), "\(order.body)")
    let command = try await ask("activate", "c-module")
    #expect(command.status == ForsettiSupervisor.ExitStatus.dataError.rawValue)
    #expect(command.errors.contains("its bundle is refused: ") && command.errors.contains("packages list"))

    try whole.write(to: URL(filePath: manifest))
    let mended = try await ask("reload")
    #expect(mended.output.contains("\(CModule.id)  -  new; activate starts it"), "\(mended)")
    _ = await page.output(containing: #""reloads":2"#)
    let after = try #require(http.exchange("GET", "/api/status", session))
    #expect(after.body.contains(#""refusedBundles":[]"#), "\(after.body)")
    #expect(try await ask("activate", "c-module").status == 0)
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }

  @Test("one that is desired, and refused when the supervisor starts anew, is let go of by its deactivation")
  func letGo() async throws {
    let first = try await booted()
    first.send(SIGTERM)
    #expect(await first.end().status == 0)
    try Data("{}".utf8).write(to: URL(filePath: manifest))
    let second = try await booted()
    let order = try await ask("activate", CModule.id)
    #expect(order.status == ForsettiSupervisor.ExitStatus.dataError.rawValue, "\(order)")
    #expect(order.errors.contains("its bundle is refused: "), "\(order)")
    let end = try await ask("deactivate", CModule.id)
    #expect(end.status == 0, "\(end)")
    // Nobody desires it any more.
    let again = try await ask("deactivate", CModule.id)
    #expect(again.errors.contains("its bundle is refused: "), "\(again)")
    second.send(SIGTERM)
    #expect(await second.end().status == 0)
  }
}
