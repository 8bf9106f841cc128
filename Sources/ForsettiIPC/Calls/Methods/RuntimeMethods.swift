public import ForsettiCore

/// The runtime itself, service 0: always allowed once the module is started.
public enum RuntimeMethods {
  /// Module to supervisor: receive events of a type or `prefix.*`; answers the subscription's ID.
  public static let subscribe = ServiceMethod<String, Int>(nil, 1, "subscribe", .fixed(.grant))
  /// Module to supervisor: end a subscription.
  public static let unsubscribe = ServiceMethod<Int, Nothing>(nil, 2, "unsubscribe", .fixed(.grant))
  /// Module to supervisor: a message to one module.
  public static let sendMessage = ServiceMethod<MessageRequest, Nothing>(
    nil, 3, "sendMessage", .fixed(.grant))
  /// Supervisor to module: draw a view.
  public static let render = ServiceMethod<RenderRequest, ViewNode>(nil, 16, "render", .fixed(.grant))
  /// Supervisor to module: answer, to show that the loop turns.
  public static let health = ServiceMethod<Nothing, Nothing>(nil, 17, "health", .fixed(.grant))
  /// Supervisor to module: take the values of a secret that the policy has asked a person for.
  public static let receiveSecret = ServiceMethod<SecretRequest, Nothing>(
    nil, 18, "receiveSecret", .fixed(.grant))

  /// What modules may call.
  static let all = [subscribe.info, unsubscribe.info, sendMessage.info]
}

/// A message to one module.
public struct MessageRequest: CallValue, Hashable {
  /// The ID of the module that shall have it.
  public var target: String
  /// At most 1 KiB.
  public var type: String
  /// As that of an event.
  public var payload: [String: String]

  /// Makes a request.
  public init(target: String, type: String, payload: [String: String]) {
    self.target = target
    self.type = type
    self.payload = payload
  }

  /// Writes `[target, type, payload]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 3)
    try writer.name(target)
    try writer.text(type, limit: ProtocolLimits.eventType)
    try writer.eventPayload(payload)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(3)
    target = try reader.name()
    type = try reader.text(limit: ProtocolLimits.eventType)
    payload = try reader.eventPayload()
  }

  /// What the texts take.
  public var sizeHint: Int {
    payload.reduce(32 &+ target.utf8.count &+ type.utf8.count) {
      $0 &+ $1.key.utf8.count &+ $1.value.utf8.count &+ 10
    }
  }
}

/// A `MessageRequest` whose payload stays where it is, checked, to be delivered as it came.
public struct ForwardedMessage: Sendable, Hashable {
  /// The ID of the module that shall have it.
  public var target: String
  /// At most 1 KiB.
  public var type: String
  /// Where in the call's payload that of the message lies.
  public var payload: Range<Int>

  /// Takes the payload of a call of `RuntimeMethods.sendMessage` apart.
  public init(_ bytes: Span<UInt8>) throws(CBORError) {
    var reader = CBORReader(bytes)
    try reader.parts(3)
    target = try reader.name()
    type = try reader.text(limit: ProtocolLimits.eventType)
    let start = reader.offset
    try reader.skipTextMap()
    payload = start..<reader.offset
    try reader.finish()
  }
}

/// Which view to draw.
public struct RenderRequest: CallValue, Hashable {
  /// One that the module contributed.
  public var viewID: String
  /// As the host has them, of a pointer or route.
  public var parameters: [String: String]

  /// Makes a request.
  public init(viewID: String, parameters: [String: String] = [:]) {
    self.viewID = viewID
    self.parameters = parameters
  }

  /// Writes `[viewID, parameters]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 2)
    try writer.name(viewID)
    try writer.texts(byName: parameters)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(2)
    viewID = try reader.name()
    parameters = try reader.textsByName()
  }
}
