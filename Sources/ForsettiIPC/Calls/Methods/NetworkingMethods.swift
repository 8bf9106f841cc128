public import ForsettiCore

/// Methods of `NetworkingService`.
public enum NetworkingMethods {
  /// `data(_:)`
  public static let data = ServiceMethod<HTTPRequest, HTTPResponse>(
    .networking, 1, "data", .byVerb, .verb)

  static let all = [data.info]
}

extension HTTPRequest: CallValue {
  /// Writes `[url, headers, body]`; the verb is in the head.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 3)
    try writer.text(url, limit: ProtocolLimits.url)
    try headers.encode(into: &writer)
    try writer.byteString(body)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(3)
    self.init(
      method: "", url: try reader.text(limit: ProtocolLimits.url), headers: try [HTTPField](from: &reader),
      body: try reader.byteString(limit: FrameHeader.maximumPayload))
  }

  /// What texts and body take.
  public var sizeHint: Int { 64 &+ url.utf8.count &+ headers.sizeHint &+ body.count }
  /// The verb.
  public var route: CallRoute? { CallRoute(verb: method) }
  /// Takes the verb.
  public mutating func adopt(_ route: CallRoute) { method = route.verb }
}

extension HTTPResponse: CallValue {
  /// Writes `[status, url, headers, body]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 4)
    try writer.integer(status, in: ProtocolLimits.httpStatus)
    try writer.text(url, limit: ProtocolLimits.url)
    try headers.encode(into: &writer)
    try writer.byteString(body)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(4)
    self.init(
      status: Int(try reader.integer(in: ProtocolLimits.httpStatus)),
      url: try reader.text(limit: ProtocolLimits.url), headers: try [HTTPField](from: &reader),
      body: try reader.byteString(limit: FrameHeader.maximumPayload))
  }

  /// What texts and body take.
  public var sizeHint: Int { 64 &+ url.utf8.count &+ headers.sizeHint &+ body.count }
}

extension HTTPField: CallListItem {
  /// Fields of one request or response.
  public static var listLimit: Int { ProtocolLimits.items }

  /// Writes `[name, value]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 2)
    try writer.text(name, limit: ProtocolLimits.field)
    try writer.text(value, limit: ProtocolLimits.field)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(2)
    self.init(
      try reader.text(limit: ProtocolLimits.field), try reader.text(limit: ProtocolLimits.field))
  }

  /// What the texts take.
  public var sizeHint: Int { 8 &+ name.utf8.count &+ value.utf8.count }
}
