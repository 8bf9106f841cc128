/// Where the events of modules go.
public enum TelemetryDestination: Sendable, Hashable {
  /// Nowhere: the default.
  case off
  /// Into a file, one JSON object a line.
  case file(TelemetryFileOptions)
  /// To a collector that speaks OTLP over HTTP with JSON bodies.
  case collector(TelemetryCollectorOptions)
}

/// A telemetry file and those it becomes.
public struct TelemetryFileOptions: Sendable, Hashable {
  /// The file written to; older ones have `.1`, `.2` and so on behind their name.
  public var path: String
  /// The size at which the next one begins.
  public var bytes: Int64
  /// How many there are, the one written to among them.
  public var files: Int

  /// Makes options.
  public init(path: String, bytes: Int64 = 16 << 20, files: Int = 4) {
    self.path = path
    self.bytes = bytes
    self.files = files
  }
}

/// A collector of OpenTelemetry logs or traces.
public struct TelemetryCollectorOptions: Sendable, Hashable {
  /// The whole URL, such as `https://collector.example.com:4318/v1/logs` or `…/v1/traces`.
  public var url: String
  /// Sent with every batch, such as an API key; in order.
  public var headers: [String: String]
  /// Records that wait; beyond it the oldest give way and are counted.
  public var queue: Int
  /// Records in one request.
  public var batch: Int
  /// How long a request may take, in milliseconds.
  public var timeoutMilliseconds: Int
  /// How long to wait after the first failure; each further one doubles it, up to 64 times.
  public var retryMilliseconds: Int

  /// Makes options.
  public init(
    url: String, headers: [String: String] = [:], queue: Int = 2_048, batch: Int = 256,
    timeoutMilliseconds: Int = 10_000, retryMilliseconds: Int = 1_000
  ) {
    self.url = url
    self.headers = headers
    self.queue = queue
    self.batch = batch
    self.timeoutMilliseconds = timeoutMilliseconds
    self.retryMilliseconds = retryMilliseconds
  }
}

/// One event, attributed by the supervisor.
struct TelemetryEvent: Sendable {
  /// Milliseconds since 1970.
  var time: Int64
  var moduleID: String
  var name: String
  /// Sorted by key.
  var properties: [(key: String, value: String)]
}

/// Where events are handed to. It never fails: telemetry that is lost is counted, not the module's concern.
protocol TelemetrySink: Sendable {
  func take(_ event: TelemetryEvent) async

  /// Waits, at most so long, until nothing waits to be sent. Returns how many events still do.
  func flush(within limit: Duration) async -> Int
}
