import ForsettiCore
import Foundation
import Testing

/// Spans of the real program's modules, as a collector gets them.
@Suite(.timeLimit(.minutes(2))) struct TracesTests {
  @Test("a collector that the policy names gets a span of each call, view and reload, and metrics count them")
  func spans() async throws {
    let scratch = try Scratch()
    let collector = try await CollectorProgram()
    defer { collector.process.send(SIGKILL) }
    let examples = try String(contentsOfFile: Product.checkout + "/policy/examples.json", encoding: .utf8)
    let traces = #""traces": {"url": "http://127.0.0.1:\#(collector.port)/v1/traces", "rate": 1}"#
    let policy = try scratch.write(
      "policy/p.json", examples.replacing(#""messages": []"#, with: #""messages": [], \#(traces)"#))
    let supervisor = try SupervisorProcess([
      "run", "--policy", policy, "--manifests", Product.exampleManifests, "--state", scratch("state"),
    ])
    #expect(await supervisor.output(containing: "Running until").contains("Running until"))
    for order in [["render", "example-workspace"], ["reload"]] {
      let end = try await SupervisorProcess.run(order + ["--state", scratch("state")])
      #expect(end.status == 0, "\(end)")
    }
    let metrics = try await SupervisorProcess.run(["metrics", "--state", scratch("state")])
    #expect(metrics.output.contains("\nforsetti_spans_dropped_total 0\n"))
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)

    // Whatever was called is with the collector before the supervisor ends; the reload was the last of it.
    let posted = await collector.process.output(containing: #""name":"reload""#)
    let own = try Self.spans(of: "forsetti.supervisor", in: posted)
    #expect(
      own.map { [$0["name"]?.stringValue, Self.attributes($0)["forsetti.provider"]] }
        == [["runtime.render", "com.forsetti.example.ui"], ["reload", nil]])
    #expect(own.allSatisfy { Self.attributes($0)["forsetti.outcome"] == "ok" })
    let spans = try Self.spans(of: "com.forsetti.example.service", in: posted)
    #expect(!spans.isEmpty)
    for span in spans {
      #expect(span["traceId"]?.stringValue?.count == 32 && span["spanId"]?.stringValue?.count == 16)
      let begin = try #require(span["startTimeUnixNano"]?.stringValue.flatMap { UInt64($0) })
      let end = try #require(span["endTimeUnixNano"]?.stringValue.flatMap { UInt64($0) })
      #expect(begin <= end)
      let values = Self.attributes(span)
      #expect(values["forsetti.module"] == "com.forsetti.example.service")
      #expect(values["forsetti.method"] == span["name"]?.stringValue)
      #expect(values["forsetti.provider"] == "host" && values["forsetti.outcome"] == "ok")
    }
  }

  /// The spans of one scope, as they were posted.
  private static func spans(of scope: String, in posted: String) throws -> [JSONValue] {
    let path = "/v1/traces "
    let documents = try posted.split(separator: "\n").filter { $0.hasPrefix(path) }.map {
      try JSONParser.parse(
        Array($0.dropFirst(path.count).utf8), limits: JSONLimits(bytes: 1 << 20, depth: 32)
      ).root
    }
    return documents.flatMap { $0["resourceSpans"]?.elements ?? [] }
      .flatMap { $0["scopeSpans"]?.elements ?? [] }
      .filter { $0["scope"]?["name"]?.stringValue == scope }
      .flatMap { $0["spans"]?.elements ?? [] }
  }

  private static func attributes(_ span: JSONValue) -> [String: String] {
    let pairs = (span["attributes"]?.elements ?? []).map {
      ($0["key"]?.stringValue ?? "", $0["value"]?["stringValue"]?.stringValue ?? "")
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
