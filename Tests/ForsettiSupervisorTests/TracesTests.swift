import ForsettiCore
import Foundation
import Testing

/// Spans of the real program's modules, as a collector gets them.
@Suite(.timeLimit(.minutes(2))) struct TracesTests {
  @Test("a collector that the policy names gets a span of each call, and metrics count them")
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
    let metrics = try await SupervisorProcess.run(["metrics", "--state", scratch("state")])
    #expect(metrics.output.contains("\nforsetti_spans_dropped_total 0\n"))
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)

    // Whatever was called is with the collector before the supervisor ends.
    let posted = await collector.process.output(containing: "/v1/traces")
    let bodies = posted.split(separator: "\n").filter { $0.hasPrefix("/v1/traces ") }
    let documents = try bodies.map {
      try JSONParser.parse(
        Array($0.dropFirst("/v1/traces ".count).utf8), limits: JSONLimits(bytes: 1 << 20, depth: 32)
      ).root
    }
    let scopes = documents.flatMap { $0["resourceSpans"]?.elements ?? [] }
      .flatMap { $0["scopeSpans"]?.elements ?? [] }
    let service = scopes.filter { $0["scope"]?["name"]?.stringValue == "com.forsetti.example.service" }
    let spans = service.flatMap { $0["spans"]?.elements ?? [] }
    #expect(!spans.isEmpty)
    for span in spans {
      #expect(span["traceId"]?.stringValue?.count == 32 && span["spanId"]?.stringValue?.count == 16)
      let begin = try #require(span["startTimeUnixNano"]?.stringValue.flatMap { UInt64($0) })
      let end = try #require(span["endTimeUnixNano"]?.stringValue.flatMap { UInt64($0) })
      #expect(begin <= end)
      let attributes = (span["attributes"]?.elements ?? []).map {
        ($0["key"]?.stringValue ?? "", $0["value"]?["stringValue"]?.stringValue ?? "")
      }
      let values = Dictionary(attributes) { first, _ in first }
      #expect(values["forsetti.module"] == "com.forsetti.example.service")
      #expect(values["forsetti.method"] == span["name"]?.stringValue)
      #expect(values["forsetti.provider"] == "host" && values["forsetti.outcome"] == "ok")
    }
  }
}
