import ForsettiCore

/// Telemetry to a collector: one request at a time, and what comes meanwhile waits for the next, so that batches
/// grow with the load and an event on its own leaves at once.
actor TelemetryCollector: TelemetrySink {
  /// The scope of what the supervisor itself has to say.
  private static let ownScope = "forsetti.supervisor"
  private static let largestAnswer = 64 << 10

  private let transport: any HTTPTransport
  private let options: TelemetryCollectorOptions
  private var waiting: [TelemetryEvent] = []
  private var isSending = false
  /// Events of the request under way.
  private var underWay = 0
  private var lost = 0
  /// The wait before the next try.
  private var pause: Task<Void, Never>?
  private var flushes: [CheckedContinuation<Void, Never>] = []

  init(_ options: TelemetryCollectorOptions, _ transport: any HTTPTransport) {
    self.options = options
    self.transport = transport
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

  /// Waits until nothing waits any more, at most so long; what is to be tried again later is tried now. Returns how
  /// many events are not sent.
  func flush(within limit: Duration) async -> Int {
    guard isSending else { return 0 }
    pause?.cancel()
    let end = Task {
      do { try await Task.sleep(for: limit) } catch { return }
      endFlushes()
    }
    await withCheckedContinuation { flushes.append($0) }
    end.cancel()
    return waiting.count + underWay
  }

  private func endFlushes() {
    for flush in flushes { flush.resume() }
    flushes = []
  }

  /// Sends until nothing waits.
  private func send() async {
    var failures = 0
    while !waiting.isEmpty {
      let batch = Array(waiting.prefix(options.batch))
      let toldLost = lost
      waiting.removeFirst(batch.count)
      lost = 0
      underWay = batch.count
      let answer = await transport.perform(request(batch, lost: toldLost), for: Self.ownScope)
      underWay = 0
      guard Self.isWorthAnotherTry(answer) else {
        failures = 0
        continue
      }
      // Back to the front, as far as there is room beside what came meanwhile.
      let kept = batch.suffix(max(options.queue - waiting.count, 0))
      lost += toldLost + batch.count - kept.count
      waiting.insert(contentsOf: kept, at: 0)
      failures += 1
      await wait(milliseconds: options.retryMilliseconds << min(failures - 1, 6))
    }
    isSending = false
    endFlushes()
  }

  private func wait(milliseconds: Int) async {
    // Whoever flushes has no time to lose, and the collector is asked ten times a second at most.
    let wait = Duration.milliseconds(flushes.isEmpty ? milliseconds : min(milliseconds, 100))
    let pause = Task { _ = try? await Task.sleep(for: wait) }
    self.pause = pause
    await pause.value
    self.pause = nil
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
      timeoutMilliseconds: options.timeoutMilliseconds, reach: .any)
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
