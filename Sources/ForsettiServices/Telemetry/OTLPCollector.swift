import ForsettiCore

/// Telemetry or traces to a collector: one request at a time, and what comes meanwhile waits for the next, so that batches
/// grow with the load and a record on its own leaves at once.
actor OTLPCollector<Record: Sendable> {
  /// The body of a request: a batch, and how many records were lost since the last one.
  typealias Document = @Sendable (_ batch: [Record], _ lost: Int) -> JSONValue

  private static var largestAnswer: Int { 64 << 10 }

  private let transport: any HTTPTransport
  private let options: TelemetryCollectorOptions
  private let document: Document
  private var waiting: [Record] = []
  private var isSending = false
  /// Records of the request under way.
  private var underWay = 0
  /// Records that gave way since the last request.
  private var lost = 0
  /// Records since the start that gave way, or that the collector refused.
  private(set) var dropped: UInt64 = 0
  /// The wait before the next try.
  private var pause: Task<Void, Never>?
  private var flushes: [CheckedContinuation<Void, Never>] = []

  init(
    _ options: TelemetryCollectorOptions, _ transport: any HTTPTransport, document: @escaping Document
  ) {
    self.options = options
    self.transport = transport
    self.document = document
  }

  /// Takes records over; the oldest give way where there is no room.
  func take(_ records: [Record]) {
    waiting += records
    lose(waiting.count - options.queue)
    guard !isSending, !waiting.isEmpty else { return }
    isSending = true
    Task { await send() }
  }

  private func lose(_ count: Int) {
    guard count > 0 else { return }
    waiting.removeFirst(count)
    lost += count
    dropped &+= UInt64(count)
  }

  /// Waits until nothing waits any more, at most so long; what is to be tried again later is tried now. Returns how
  /// many records are not sent.
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
      let answer = await transport.perform(request(batch, lost: toldLost), for: OTLPDocument.ownScope)
      underWay = 0
      guard Self.isWorthAnotherTry(answer) else {
        if !Self.isTaken(answer) { dropped &+= UInt64(batch.count) }
        failures = 0
        continue
      }
      // Back to the front, as far as there is room beside what came meanwhile.
      waiting.insert(contentsOf: batch, at: 0)
      lose(waiting.count - options.queue)
      lost += toldLost
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

  private static func isTaken(_ answer: Result<HTTPReply, HTTPFault>) -> Bool {
    if case .success(let reply) = answer { (200..<300).contains(Int(reply.status)) } else { false }
  }

  private func request(_ batch: [Record], lost: Int) -> HTTPExchange {
    let headers = [HTTPField("Content-Type", "application/json")]
    let more = options.headers.sorted { $0.key < $1.key }.map { HTTPField($0.key, $0.value) }
    return HTTPExchange(
      url: options.url, method: NetworkMethod.post.rawValue, headers: headers + more,
      body: JSONWriter.bytes(document(batch, lost)), responseBytes: Self.largestAnswer,
      timeoutMilliseconds: options.timeoutMilliseconds, reach: .any)
  }
}

extension OTLPCollector: TelemetrySink where Record == TelemetryEvent {
  func take(_ event: TelemetryEvent) { take([event]) }
}

extension OTLPCollector: SpanSink where Record == CallSpan {}
