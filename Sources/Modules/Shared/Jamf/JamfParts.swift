internal import ForsettiModuleKit

/// Puts an answer together that comes in parts, each by a request of its own (`BodyPart`).
struct JamfParts: Sendable {
  private var whole: BodyPart?
  private var body: [UInt8] = []
  private var beginnings = 1

  /// How often an answer is begun that changes while it is read.
  static let beginningLimit = 3

  /// Where the next part begins.
  var offset: Int { body.count }

  /// Takes the part at `offset`.
  /// - Returns: the answer, once all of it is there; the first one that is none of 2xx.
  mutating func take(_ response: APIResponse) throws(JamfFailure) -> APIResponse? {
    guard (200...299).contains(response.status) else { return response }
    guard let part = BodyPart(response.headers) else {
      guard body.isEmpty else { throw .unreadable("a part of it does not say what it is part of.") }
      return response
    }
    guard whole == nil || whole == part else {
      try beginAnew()
      return nil
    }
    // Every part but the last is full: so the number of requests is bounded.
    guard !response.body.isEmpty, response.body.count == min(BodyPart.largest, part.length - body.count)
    else { throw .unreadable("its parts don't fit together.") }
    whole = part
    body += response.body
    guard body.count == part.length else { return nil }
    return APIResponse(status: response.status, headers: response.headers, body: body)
  }

  private mutating func beginAnew() throws(JamfFailure) {
    guard beginnings < Self.beginningLimit else {
      throw .listChanged("it was another \(Self.beginningLimit) times.")
    }
    beginnings += 1
    whole = nil
    body = []
  }
}
