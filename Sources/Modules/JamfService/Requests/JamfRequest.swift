internal import ForsettiModuleKit

/// A caller's request as it goes to Jamf Pro, and the answer as it goes back.
enum JamfRequest {
  /// What callers may say in header fields; the rest is this module's own.
  private static let sent: Set = ["accept", "content-type", BodyPart.offsetField]
  /// What of the answer's is theirs: no cookie, and nothing of the server's inside.
  private static let returned: Set = [
    "content-type", "retry-after", BodyPart.lengthField, BodyPart.digestField,
  ]

  /// The request with a token.
  static func request(
    _ request: APIRequest, to server: JamfServerAddress, with token: JamfToken
  ) -> HTTPRequest {
    let query = PercentEncoding.form(request.query.map { ($0.name, $0.value) })
    return HTTPRequest(
      method: request.method, url: server.text + request.path + (query.isEmpty ? "" : "?\(query)"),
      headers: request.headers.filter { sent.contains($0.name.lowercased()) }
        + [HTTPField("Authorization", "Bearer \(token.text)")],
      body: request.body)
  }

  /// The answer without what is nobody else's business.
  static func response(_ response: HTTPResponse) -> APIResponse {
    APIResponse(
      status: response.status,
      headers: response.headers.filter { returned.contains($0.name.lowercased()) },
      body: response.body)
  }
}

extension JamfFailure {
  /// Why there is no answer, in the words of the networking service.
  init(networking error: ServiceError) {
    switch error {
    case .failed(let code, let message) where ["network", "headers", "redirects"].contains(code):
      self = .unreadable("\(message.plain()).")
    case .failed(_, let message): self = .unreachable("\(message.plain()).")
    case .serviceDenied(_, let detail):
      self = .unreachable("the policy of this host lets nobody there (\(detail.plain())).")
    case .deadlineExceeded: self = .unreachable("the time for an answer is over.")
    case .invalidArgument(_, let reason): self = .invalidRequest("\(reason.plain()).")
    case .tooLarge: self = .tooLarge
    case .cancelled: self = .cancelled
    default: self = .unavailable("networking failed (\(error)).")
    }
  }

  /// Whether the network may have a better day a moment later. What took all its time already is not tried again.
  static func isWorthAnotherTry(networking error: ServiceError) -> Bool {
    guard case .failed(let code, _) = error else { return false }
    return ["dns", "connect", "network", "network_worker"].contains(code)
  }
}
