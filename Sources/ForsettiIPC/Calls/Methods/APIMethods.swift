public import ForsettiCore

/// Methods of `APIService`.
public enum APIMethods {
  /// `request(_:)`
  public static let request = ServiceMethod<APIRequest, APIResponse>(
    .api, 1, "request", .byVerb, .verbAndPath)

  static let all = [request.info]
}

extension APIRequest: CallValue {
  /// Writes `[query, headers, body]`; verb and path are in the head.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 3)
    try query.encode(into: &writer)
    try headers.encode(into: &writer)
    try writer.byteString(body)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(3)
    self.init(
      method: "", path: "", query: try [HTTPField](from: &reader), headers: try [HTTPField](from: &reader),
      body: try reader.byteString(limit: FrameHeader.maximumPayload))
  }

  /// What texts and body take.
  public var sizeHint: Int { 64 &+ query.sizeHint &+ headers.sizeHint &+ body.count }
  /// Verb and path.
  public var route: CallRoute? { CallRoute(verb: method, path: path) }
  /// Takes verb and path.
  public mutating func adopt(_ route: CallRoute) {
    method = route.verb
    path = route.path ?? ""
  }
}

extension APIResponse: CallValue {
  /// Writes `[status, headers, body]`.
  public func encode(into writer: inout CBORWriter) throws(CBORError) {
    writer.array(count: 3)
    try writer.integer(status, in: ProtocolLimits.httpStatus)
    try headers.encode(into: &writer)
    try writer.byteString(body)
  }

  /// Reads it.
  public init(from reader: inout CBORReader) throws(CBORError) {
    try reader.parts(3)
    self.init(
      status: Int(try reader.integer(in: ProtocolLimits.httpStatus)), headers: try [HTTPField](from: &reader),
      body: try reader.byteString(limit: FrameHeader.maximumPayload))
  }

  /// What texts and body take.
  public var sizeHint: Int { 64 &+ headers.sizeHint &+ body.count }
}
