import ForsettiCore

/// Telemetry to a collector: one request at a time, and what comes meanwhile waits for the next, so that batches
/// grow with the load and an event on its own leaves at once.
actor TelemetryCollector: TelemetrySink {
  /// The scope of what the supervisor itself has to say.
  private static let ownScope = "forsetti.supervisor"
  private static let largestAnswer = 64 << 10

  private let engine: HTTPEngine
  private let options: TelemetryCollectorOptions
  private var waiting: [TelemetryEvent] = []
  private var isSending = false
  private var lost = 0

  init(_ options: TelemetryCollectorOptions, _ engine: HTTPEngine) {
    self.options = options
    self.engine = engine
  }

  func take(_ event: TelemetryEvent) {
    if waiting.count >= options.queue {
      waiting.removeFirst()
      lost += 1
    }
    waiting.append(event)
    guard !isSending else { return }
    isSending = true
    Task { await send() }
  }

  /// Sends until nothing waits.
  private func send() async {
    var failures = 0
    while !waiting.isEmpty {
      let batch = Array(waiting.prefix(options.batch))
      let toldLost = lost
      waiting.removeFirst(batch.count)
      lost = 0
      let answer = await engine.perform(request(batch, lost: toldLost))
      guard Self.isWorthAnotherTry(answer) else {
        failures = 0
        continue
      }
      // Back to the front, as far as there is room beside what came meanwhile.
      let kept = batch.suffix(max(options.queue - waiting.count, 0))
      lost += toldLost + batch.count - kept.count
      waiting.insert(contentsOf: kept, at: 0)
      failures += 1
      try? await Task.sleep(for: .milliseconds(options.retryMilliseconds << min(failures - 1, 6)))
    }
    isSending = false
  }

  /// What OTLP/HTTP calls retryable, and all that kept the request from being answered.
  private static func isWorthAnotherTry(_ answer: Result<HTTPReply, HTTPFault>) -> Bool {
    switch answer {
    case .success(let reply): [429, 502, 503, 504].contains(reply.status)
    case .failure: true
    }
  }

  private func request(_ batch: [TelemetryEvent], lost: Int) -> HTTPExchange {
    let headers = [HTTPField("Content-Type", "application/json")]
    let more = options.headers.sorted { $0.key < $1.key }.map { HTTPField($0.key, $0.value) }
    return HTTPExchange(
      url: options.url, method: NetworkMethod.post.rawValue, headers: headers + more,
      body: JSONWriter.bytes(document(batch, lost: lost)), responseBytes: Self.largestAnswer,
      timeoutMilliseconds: options.timeoutMilliseconds)
  }

  /// `ExportLogsServiceRequest` of OpenTelemetry's protocol. A module is a scope of its own: what it puts into its
  /// properties can't pass for another's.
  private func document(_ batch: [TelemetryEvent], lost: Int) -> JSONValue {
    let modules = Dictionary(grouping: batch, by: \.moduleID).sorted { $0.key < $1.key }
    var scopes = modules.map { scope($0.key, $0.value.map(record)) }
    if lost > 0, let last = batch.last {
      let event = TelemetryEvent(
        time: last.time, moduleID: Self.ownScope, name: "telemetry.lost", properties: [("events", "\(lost)")])
      scopes.append(scope(Self.ownScope, [record(event)]))
    }
    let resource = [("service.name", "forsetti"), ("service.version", ForsettiVersion.current.description)]
    return .object([
      (
        "resourceLogs",
        .array([
          .object([
            ("resource", .object([("attributes", .array(resource.map { attribute($0.0, $0.1) }))])),
            ("scopeLogs", .array(scopes)),
          ])
        ])
      )
    ])
  }

  private func scope(_ name: String, _ records: [JSONValue]) -> JSONValue {
    .object([("scope", .object([("name", .string(name))])), ("logRecords", .array(records))])
  }

  private func record(_ event: TelemetryEvent) -> JSONValue {
    // 64-bit numbers are text in protobuf's JSON.
    let time = JSONValue.string("\(event.time)000000")
    return .object([
      ("timeUnixNano", time), ("observedTimeUnixNano", time), ("severityNumber", .integer(9)),
      ("severityText", .string("INFO")), ("eventName", .string(event.name)),
      ("body", .object([("stringValue", .string(event.name))])),
      ("attributes", .array(event.properties.map { attribute($0.key, $0.value) })),
    ])
  }

  private func attribute(_ key: String, _ value: String) -> JSONValue {
    .object([("key", .string(key)), ("value", .object([("stringValue", .string(value))]))])
  }
}
