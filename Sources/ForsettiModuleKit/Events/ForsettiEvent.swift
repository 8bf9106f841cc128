/// An event or a message, as it reaches a module (seed "Event Bus").
public struct ForsettiEvent: Sendable, Hashable {
  /// A dotted name, such as `com.example.search.finished`.
  public var type: String
  /// What the event says. A message has the receiver's ID under `_forsetti.targetModuleID`.
  public var payload: [String: String]
  /// The module that sent it, in the supervisor's word; `nil` for the runtime itself.
  public var sourceModuleID: String?
  /// Milliseconds since 1970, on the supervisor's clock.
  public var timestamp: Int64
  /// Where it stands in a trace.
  public var trace: TraceContext?

  /// The payload key under which a message names its receiver.
  public static let targetModuleIDKey = "_forsetti.targetModuleID"

  /// Makes an event.
  public init(
    type: String, payload: [String: String], sourceModuleID: String?, timestamp: Int64,
    trace: TraceContext? = nil
  ) {
    self.type = type
    self.payload = payload
    self.sourceModuleID = sourceModuleID
    self.timestamp = timestamp
    self.trace = trace
  }
}
