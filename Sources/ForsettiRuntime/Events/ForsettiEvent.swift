/// What the runtime and modules tell each other of (seed "Event Bus").
public struct ForsettiEvent: Sendable, Hashable {
  /// A dotted name, such as `com.example.search.finished`.
  public var type: String
  /// What the event says.
  public var payload: [String: String]
  /// The module that published it, as the supervisor knows it; `nil` for the runtime itself.
  public var sourceModuleID: String?
  /// Milliseconds since 1970.
  public var timestamp: Int64

  /// Makes an event; without a time it happens now.
  public init(
    type: String, payload: [String: String] = [:], sourceModuleID: String? = nil, timestamp: Int64? = nil
  ) {
    self.type = type
    self.payload = payload
    self.sourceModuleID = sourceModuleID
    self.timestamp = timestamp ?? wallMilliseconds()
  }
}
