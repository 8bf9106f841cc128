public import ForsettiCore

/// Telemetry of one module; where it is off, events are checked and dropped.
public struct HostTelemetryService: TelemetryService {
  private static let longestName = 256
  private static let mostProperties = 64
  private static let longestKey = 256
  /// Of one event all together, in bytes.
  private static let largestEvent = 16 << 10

  private let sink: (any TelemetrySink)?
  private let moduleID: String
  private let now: @Sendable () -> Int64

  init(_ sink: (any TelemetrySink)?, for caller: ServiceCaller, now: @escaping @Sendable () -> Int64) {
    self.sink = sink
    moduleID = caller.moduleID
    self.now = now
  }

  /// Tracks one event; time and module are ours, whatever it says.
  public func track(_ event: String, properties: [String: String]) async throws(ServiceError) {
    guard !event.isBlank, event.utf8.count <= Self.longestName,
      !event.unicodeScalars.contains(where: \.isHidden)
    else {
      throw .invalidArgument(
        name: "event", reason: "1 to \(Self.longestName) bytes are meant, without control characters")
    }
    guard properties.count <= Self.mostProperties else {
      throw .invalidArgument(name: "properties", reason: "at most \(Self.mostProperties) are meant")
    }
    guard properties.keys.allSatisfy({ (1...Self.longestKey).contains($0.utf8.count) }) else {
      throw .invalidArgument(name: "properties", reason: "keys of 1 to \(Self.longestKey) bytes are meant")
    }
    let bytes = properties.reduce(event.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    guard bytes <= Self.largestEvent else { throw .tooLarge(limit: UInt64(Self.largestEvent)) }
    guard let sink else { return }
    let sorted = properties.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    await sink.take(TelemetryEvent(time: now(), moduleID: moduleID, name: event, properties: sorted))
  }
}
