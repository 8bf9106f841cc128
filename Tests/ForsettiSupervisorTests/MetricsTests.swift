import ForsettiCore
import Foundation
import Testing

/// `metrics` of the real program, as a monitoring system reads it.
@Suite struct MetricsTests {
  private static let python = Product.checkout + "/.venv/bin/python"

  private static func metrics(_ scratch: Scratch) async throws -> String {
    let end = try await SupervisorProcess.run(["metrics", "--state", scratch("state")])
    #expect(end.status == 0, "\(end.errors)")
    return end.output
  }

  /// The value of the sample that begins so.
  private static func value(_ sample: String, in text: String) -> Double? {
    text.split(separator: "\n").first { $0.hasPrefix(sample + " ") }
      .flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }
  }

  // The copy of the build that the ordinary user of .ci/run gets has no Python packages.
  @Test(
    "is OpenMetrics to the reference parser, each family documented",
    .enabled(if: FileManager.default.isExecutableFile(atPath: python)))
  func parses() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    let file = try scratch.write("metrics", try await Self.metrics(scratch))
    let parser = try await SupervisorProcess.run(
      [Product.checkout + "/Tests/Python/openmetrics_families.py", file], executable: Self.python)
    #expect(parser.status == 0, "\(parser.output)\(parser.errors)")
    let families = parser.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    let documentation = try String(contentsOfFile: Product.checkout + "/docs/metrics.md", encoding: .utf8)
    let rows = documentation.split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(families.count == rows.count)
    for family in families {
      #expect(rows.contains { $0.hasPrefix("| `\(family[0])` | \(family[1]) |") }, "\(family)")
    }
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }

  @Test("counts a restart by its reason, measures processes, and status shows the same figures")
  func counts() async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    let scanner = "com.forsetti.jamfpro.service.scanner"
    let before = try await Self.metrics(scratch)
    let label = "{module=\"\(scanner)\"}"
    #expect(try #require(Self.value("forsetti_module_resident_memory_bytes" + label, in: before)) > 100_000)
    #expect(Self.value("forsetti_module_cpu_seconds_total" + label, in: before) != nil)
    #expect(try #require(Self.value("forsetti_sent_bytes_total" + label, in: before)) > 0)
    let boot = try ReportedBoot(try await Self.status(scratch))
    let pid = try #require(boot.modules.first { $0.moduleID == scanner }?.pid)
    kill(pid_t(pid), SIGKILL)
    // The restart is in the log, and so behind us in the count, before the module is active again.
    let log = try SupervisorProcess(["logs", "-f", "scanner", "--state", scratch("state")])
    _ = await log.output(containing: "is started again in")
    log.send(SIGKILL)
    _ = await log.end()
    let after = try await Self.metrics(scratch)
    let restarts = "forsetti_module_restarts_total{module=\"\(scanner)\",reason=\"killed\"}"
    #expect(Self.value(restarts, in: before) == nil)
    #expect(Self.value(restarts, in: after) == 1)
    let module = try await SupervisorProcess.run([
      "modules", "scanner", "--json", "--state", scratch("state"),
    ])
    #expect(module.output.contains("\"restarts\":1"), "\(module.output)")
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }

  private static func status(_ scratch: Scratch) async throws -> String {
    try await SupervisorProcess.run(["status", "--json", "--state", scratch("state")]).output
  }
}
