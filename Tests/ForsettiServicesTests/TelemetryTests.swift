import ForsettiCore
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiServices

@Suite struct TelemetryTests {
  private func lines(_ path: String) throws -> [JSONValue] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      try JSONParser.parse(Array($0.utf8), limits: JSONLimits()).root
    }
  }

  @Test("it is off unless turned on, and odd events are refused all the same") func off() async throws {
    let scratch = try Scratch()
    let telemetry = try await scratch.services().telemetry(caller())
    try await telemetry.track("opened", properties: ["k": "v"])
    for event in ["", " ", "a\nb", "a\0", "\u{202e}", String(repeating: "a", count: 257)] {
      await #expect(throws: ServiceError.self) { try await telemetry.track(event, properties: [:]) }
    }
    let many = Dictionary(uniqueKeysWithValues: (0..<65).map { ("\($0)", "") })
    for properties in [many, ["": "v"], [String(repeating: "k", count: 257): ""]] {
      await #expect {
        try await telemetry.track("e", properties: properties)
      } throws: { error in
        guard case ServiceError.invalidArgument("properties", _) = error else { return false }
        return true
      }
    }
    await #expect(throws: ServiceError.tooLarge(limit: 16 << 10)) {
      try await telemetry.track("e", properties: ["k": String(repeating: "v", count: 16 << 10)])
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == ["exports", "services"])
  }

  @Test("an event is one line of the file, attributed, whatever is in it") func file() async throws {
    let scratch = try Scratch()
    let clock = WallClock()
    let services = try await scratch.services {
      $0.telemetry = .file(TelemetryFileOptions(path: scratch("t.jsonl")))
      $0.now = { clock.now }
    }
    try await services.telemetry(caller("a.one")).track(
      "opened", properties: ["module": "b.two", "k": "x\n\"\u{1b}"])
    try await services.telemetry(caller("b.two")).track("closed", properties: [:])
    let found = try lines(scratch("t.jsonl"))
    #expect(found.count == 2)
    #expect(found[0]["module"]?.stringValue == "a.one")
    #expect(found[0]["event"]?.stringValue == "opened")
    #expect(found[0]["time"]?.integerValue == clock.now)
    #expect(found[0]["properties"]?["module"]?.stringValue == "b.two")
    #expect(found[0]["properties"]?["k"]?.stringValue == "x\n\"\u{1b}")
    #expect(found[1]["module"]?.stringValue == "b.two")
  }

  @Test("files are bounded in size and number, and each line is whole") func rotation() async throws {
    let scratch = try Scratch()
    let path = scratch("t.jsonl")
    let services = try await scratch.services {
      $0.telemetry = .file(TelemetryFileOptions(path: path, bytes: 1_000, files: 3))
    }
    let telemetry = services.telemetry(caller("a.one"))
    for number in 0..<100 { try await telemetry.track("e\(number)", properties: [:]) }
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path).filter {
      $0.hasPrefix("t.")
    }
    #expect(names.sorted() == ["t.jsonl", "t.jsonl.1", "t.jsonl.2"])
    var events: [String] = []
    for name in [path + ".2", path + ".1", path] {
      let found = try lines(name)
      #expect(try Data(contentsOf: URL(filePath: name)).count <= 1_000)
      events += found.compactMap { $0["event"]?.stringValue }
    }
    // The newest, in order, without a gap.
    #expect(events == (100 - events.count..<100).map { "e\($0)" })
    #expect(events.count > 10)
  }

  @Test("a file that can't be written costs no module a call, and the loss is told") func unwritable()
    async throws
  {
    let scratch = try Scratch()
    let path = scratch("folder/t.jsonl")
    let telemetry = try await scratch.services { $0.telemetry = .file(TelemetryFileOptions(path: path)) }
      .telemetry(caller())
    for _ in 0..<3 { try await telemetry.track("lost", properties: [:]) }
    mkdir(scratch("folder"), 0o700)
    try await telemetry.track("kept", properties: [:])
    let found = try lines(path)
    #expect(found.map { $0["event"]?.stringValue } == ["kept"])
    #expect(found[0]["lostBefore"]?.integerValue == 3)
  }

  /// What the collector got next: by module the names of its events.
  private func received(_ server: TestServer) async throws -> [String: [String]] {
    let line = try #require(try await server.line())
    let post = try JSONParser.parse(Array(line.utf8), limits: JSONLimits(bytes: 1 << 20, depth: 32)).root
    #expect(post["path"]?.stringValue == "/v1/logs")
    #expect(post["type"]?.stringValue == "application/json")
    let resource = try #require(post["body"]?["resourceLogs"]?.elements?.first)
    var events: [String: [String]] = [:]
    for scope in resource["scopeLogs"]?.elements ?? [] {
      let name = try #require(scope["scope"]?["name"]?.stringValue)
      events[name] = scope["logRecords"]?.elements?.compactMap { $0["body"]?["stringValue"]?.stringValue }
    }
    return events
  }

  private func ask(_ server: TestServer, _ path: String) async throws {
    let port = server.port
    let rules = NetworkingRules(allow: [
      NetworkTarget(hosts: ["127.0.0.1"].compactMap(NetworkHost.init), schemes: [.http], ports: [port])
    ])
    let services = try await Scratch().services { $0.networkingRules = { _ in rules } }
    _ = try await services.networking(caller()).data(HTTPRequest(url: server.url(path, host: "127.0.0.1")))
  }

  @Test("a collector gets every event under its module's name") func collector() async throws {
    let server = try TestServer()
    let services = try await Scratch().services {
      $0.telemetry = .collector(TelemetryCollectorOptions(url: server.url("/v1/logs", host: "127.0.0.1")))
    }
    var sent: [String: Set<String>] = [:]
    for number in 0..<20 {
      let module = number % 2 == 0 ? "a.one" : "b.two"
      try await services.telemetry(caller(module)).track("e\(number)", properties: ["scope": "forged"])
      sent[module, default: []].insert("e\(number)")
    }
    var got: [String: Set<String>] = [:]
    while got.values.reduce(0, { $0 + $1.count }) < 20 {
      for (module, events) in try await received(server) { got[module, default: []].formUnion(events) }
    }
    #expect(got == sent)
  }

  @Test("a collector of traces gets spans under the caller's name; what it refuses is counted")
  func spans() async throws {
    let server = try TestServer()
    try await ask(server, "/statuses?are=200,400")
    let services = try await Scratch().services {
      $0.traces = TelemetryCollectorOptions(url: server.url("/v1/traces", host: "127.0.0.1"), batch: 1)
    }
    let sink = try #require(services.spans)
    let context = try #require(TraceContext(traceHigh: 1, traceLow: 0xab, spanID: 0xcd))
    var span = CallSpan(
      context: context, parent: 0xef, method: "storage.set", service: .storage, moduleID: "a.one",
      provider: "host", outcome: CallSpan.ok, begin: 1_700_000_000_000_000_001, end: 1_700_000_000_000_000_009
    )
    let root = span
    span.parent = nil
    span.outcome = "denied"
    await sink.take([root, span])
    var posted: [JSONValue] = []
    for _ in 0..<2 {
      let line = try #require(try await server.line())
      let post = try JSONParser.parse(Array(line.utf8), limits: JSONLimits(bytes: 1 << 20, depth: 32)).root
      #expect(post["path"]?.stringValue == "/v1/traces")
      let scope = post["body"]?["resourceSpans"]?.elements?.first?["scopeSpans"]?.elements?.first
      #expect(scope?["scope"]?["name"]?.stringValue == "a.one")
      posted += scope?["spans"]?.elements ?? []
    }
    #expect(
      posted.map { $0["traceId"]?.stringValue }
        == Array(repeating: "000000000000000100000000000000ab", count: 2))
    #expect(posted.first?["spanId"]?.stringValue == "00000000000000cd")
    #expect(posted.map { $0["parentSpanId"]?.stringValue } == ["00000000000000ef", nil])
    #expect(posted.map { $0["status"]?["code"]?.integerValue } == [1, 2])
    #expect(posted.first?["endTimeUnixNano"]?.stringValue == "1700000000000000009")
    #expect(await services.flush(within: .seconds(60)) == 0)
    #expect(await sink.dropped == 1)
  }

  @Test("a collector that is busy is asked again, and one that refuses is not", arguments: [503, 429, 400])
  func retry(status: Int) async throws {
    let server = try TestServer()
    try await ask(server, "/statuses?are=\(status)")
    let services = try await Scratch().services {
      $0.telemetry = .collector(
        TelemetryCollectorOptions(url: server.url("/v1/logs", host: "127.0.0.1"), retryMilliseconds: 1))
    }
    let telemetry = services.telemetry(caller("a.one"))
    try await telemetry.track("first", properties: [:])
    #expect(try await received(server) == ["a.one": ["first"]])
    if status == 400 { try await telemetry.track("second", properties: [:]) }
    #expect(try await received(server) == ["a.one": [status == 400 ? "second" : "first"]])
  }

  @Test("what waits for another try is sent at once when the supervisor ends") func flush() async throws {
    let server = try TestServer()
    try await ask(server, "/statuses?are=503")
    let services = try await Scratch().services {
      // Nobody would wait for this: it is the flush that sends again.
      $0.telemetry = .collector(
        TelemetryCollectorOptions(
          url: server.url("/v1/logs", host: "127.0.0.1"), retryMilliseconds: 3_600_000))
    }
    try await services.telemetry(caller("a.one")).track("last", properties: [:])
    #expect(try await received(server) == ["a.one": ["last"]])
    #expect(await services.flush(within: .seconds(60)) == 0)
    #expect(try await received(server) == ["a.one": ["last"]])
    #expect(await services.flush(within: .seconds(60)) == 0)
  }

  @Test("a collector that answers nobody holds up no end, and what is lost is counted") func noFlush()
    async throws
  {
    let server = try TestServer()
    // A program that is held still answers nothing.
    server.program.hold()
    let services = try await Scratch().services {
      $0.telemetry = .collector(TelemetryCollectorOptions(url: server.url("/v1/logs", host: "127.0.0.1")))
    }
    let telemetry = services.telemetry(caller("a.one"))
    for number in 0..<3 { try await telemetry.track("e\(number)", properties: [:]) }
    #expect(await services.flush(within: .milliseconds(50)) == 3)
  }

  @Test("a queue that is full lets the oldest go, and says how many") func overflow() async throws {
    let server = try TestServer()
    try await ask(server, "/statuses?are=503")
    let services = try await Scratch().services {
      // The wait after the refusal is long enough for all events to come, and short enough to be waited for.
      $0.telemetry = .collector(
        TelemetryCollectorOptions(
          url: server.url("/v1/logs", host: "127.0.0.1"), queue: 5, batch: 5, retryMilliseconds: 500))
    }
    let telemetry = services.telemetry(caller("a.one"))
    try await telemetry.track("first", properties: [:])
    #expect(try await received(server) == ["a.one": ["first"]])
    for number in 0..<20 { try await telemetry.track("e\(number)", properties: [:]) }
    #expect(
      try await received(server) == [
        "a.one": (15..<20).map { "e\($0)" }, "forsetti.supervisor": ["telemetry.lost"],
      ])
  }
}
