import ForsettiCore

/// How much of an answer's body a request wants: all of it, or the part that begins at an offset.
struct BodyDelivery {
  private let offset: Int?

  /// What a request's header fields say.
  init(_ headers: [HTTPField]) throws(ServiceError) {
    offset = BodyPart.offset(in: headers)
    guard offset != nil || !headers.contains(where: Self.isOurs) else {
      throw .invalidArgument(
        name: "headers", reason: "\(BodyPart.offsetField) is one number from 0 to \(BodyPart.largestBody)")
    }
  }

  /// The fields that go to the host.
  static func sent(_ headers: [HTTPField]) -> [HTTPField] { headers.filter { !isOurs($0) } }

  /// The answer as the module gets it. One that fits into a frame is whole, unless its end alone was asked for.
  func response(
    to url: String, _ reply: HTTPReply, for moduleID: String, digestedBy digester: BodyDigester
  ) async throws(ServiceError) -> HTTPResponse {
    // What only the supervisor says, no host says.
    var response = HTTPResponse(
      status: reply.status, url: url, headers: Self.sent(reply.headers), body: reply.body)
    guard reply.body.count > BodyPart.largest || offset ?? 0 > 0 else { return response }
    guard let offset else { throw .tooLarge(limit: UInt64(BodyPart.largest)) }
    let part = BodyPart(
      length: reply.body.count,
      // Of a body that ends before the part begins, nothing is put together: it is another one than was asked for first.
      digest: offset < reply.body.count ? try await digester.digest(reply.body, for: moduleID) : "")
    response.headers += part.fields
    response.body = Array(reply.body.dropFirst(offset).prefix(BodyPart.largest))
    return response
  }

  private static func isOurs(_ field: HTTPField) -> Bool {
    [BodyPart.offsetField, BodyPart.lengthField, BodyPart.digestField].contains(field.name.lowercased())
  }
}
