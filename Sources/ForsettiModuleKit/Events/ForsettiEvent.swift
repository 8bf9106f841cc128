internal import ForsettiIPC

/// An event or a message, as it reaches a module (seed "Event Bus").
public struct ForsettiEvent: Sendable {
  let storage: EventStorage

  /// The payload key under which a message names its receiver.
  public static let targetModuleIDKey = "_forsetti.targetModuleID"

  /// A dotted name, such as `com.example.search.finished`.
  public var type: String { storage.origin.type }
  /// What the event says. A message has the receiver's ID under `_forsetti.targetModuleID`.
  public var payload: ForsettiEventPayload { ForsettiEventPayload(storage) }
  /// The module that sent it, in the supervisor's word; `nil` for the runtime itself.
  public var sourceModuleID: String? { storage.origin.source }
  /// Milliseconds since 1970, on the supervisor's clock.
  public var timestamp: Int64 { storage.timestamp }
  /// Where it stands in a trace.
  public var trace: TraceContext? { storage.trace }

  /// Makes an event, as a test of a handler wants one.
  /// - Throws: `unsendableEvent` where no module could have sent it.
  public init(
    type: String, payload: [String: String], sourceModuleID: String?, timestamp: Int64,
    trace: TraceContext? = nil
  ) throws(ForsettiContextError) {
    var writer = CBORWriter()
    do {
      try payload.encode(into: &writer)
      try EventPayload.validate(writer.bytes.span)
    } catch {
      throw .unsendableEvent(type: type, reason: "\(error)")
    }
    storage = EventStorage(
      EventOrigin(type: type, source: sourceModuleID), timestamp: timestamp, trace: trace,
      payload: writer.bytes.span)
  }

  init(_ storage: EventStorage) { self.storage = storage }
}

extension ForsettiEvent: Hashable {
  /// Whether two events say the same, wherever they came from.
  public static func == (left: Self, right: Self) -> Bool {
    left.type == right.type && left.sourceModuleID == right.sourceModuleID
      && left.timestamp == right.timestamp && left.trace == right.trace && left.payload == right.payload
  }

  /// Hashes what it says.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(sourceModuleID)
    hasher.combine(timestamp)
    hasher.combine(trace)
    hasher.combine(payload)
  }
}
