import CSodium
import ForsettiBlocking
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
  /// - Parameter thread: where digests are made: a body of the largest size takes some ten milliseconds.
  func response(
    to url: String, _ reply: HTTPReply, digestedOn thread: BlockingWorker
  ) async throws(ServiceError) -> HTTPResponse {
    // What only the supervisor says, no host says.
    var response = HTTPResponse(
      status: reply.status, url: url, headers: Self.sent(reply.headers), body: reply.body)
    guard reply.body.count > BodyPart.largest || offset ?? 0 > 0 else { return response }
    guard let offset else { throw .tooLarge(limit: UInt64(BodyPart.largest)) }
    let part = BodyPart(
      length: reply.body.count, digest: await thread.run { Self.digest(reply.body) })
    response.headers += part.fields
    response.body = Array(reply.body.dropFirst(offset).prefix(BodyPart.largest))
    return response
  }

  private static func isOurs(_ field: HTTPField) -> Bool {
    [BodyPart.offsetField, BodyPart.lengthField, BodyPart.digestField].contains(field.name.lowercased())
  }

  private static func digest(_ body: [UInt8]) -> String {
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&hash, body, UInt64(body.count))
    return hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
