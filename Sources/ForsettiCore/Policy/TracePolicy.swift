/// Where spans of calls go, and of how many. Without it there are none.
public struct TracePolicy: Sendable, Hashable {
  /// Of an OpenTelemetry collector that takes traces by OTLP over HTTP with JSON bodies.
  public var url: String
  /// The share of traces that are told of: above 0, and 1 for all.
  public var rate: Double

  /// Makes a policy of traces.
  public init(url: String, rate: Double) {
    self.url = url
    self.rate = rate
  }
}
