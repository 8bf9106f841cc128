/// An event or a message, as it reaches a module (seed "Event Bus").
public struct ForsettiEvent: Sendable, Hashable {
  /// What many events of one sender have in common, shared by them: an event goes through a queue, and each text of its
  /// own would be one reference more to count.
  final class Origin: Sendable, Hashable {
    let type: String
    let source: String?

    init(type: String, source: String?) {
      self.type = type
      self.source = source
    }

    static func == (left: Origin, right: Origin) -> Bool {
      left === right || left.type == right.type && left.source == right.source
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(type)
      hasher.combine(source)
    }
  }

  private let origin: Origin
  /// What the event says. A message has the receiver's ID under `_forsetti.targetModuleID`.
  public let payload: ForsettiEventPayload
  /// Milliseconds since 1970, on the supervisor's clock.
  public let timestamp: Int64
  /// Where it stands in a trace.
  public let trace: TraceContext?

  /// A dotted name, such as `com.example.search.finished`.
  public var type: String { origin.type }
  /// The module that sent it, in the supervisor's word; `nil` for the runtime itself.
  public var sourceModuleID: String? { origin.source }

  /// The payload key under which a message names its receiver.
  public static let targetModuleIDKey = "_forsetti.targetModuleID"

  /// Makes an event.
  public init(
    type: String, payload: ForsettiEventPayload, sourceModuleID: String?, timestamp: Int64,
    trace: TraceContext? = nil
  ) {
    self.init(
      Origin(type: type, source: sourceModuleID), payload: payload, timestamp: timestamp, trace: trace)
  }

  init(_ origin: Origin, payload: ForsettiEventPayload, timestamp: Int64, trace: TraceContext?) {
    self.origin = origin
    self.payload = payload
    self.timestamp = timestamp
    self.trace = trace
  }
}
