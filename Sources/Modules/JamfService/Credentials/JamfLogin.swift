internal import ForsettiModuleKit

/// The requests that turn credentials into a token, and their answers.
enum JamfLogin {
  private static let clientPaths = ["/api/v1/oauth/token", "/api/oauth/token"]
  private static let userPath = "/api/v1/auth/token"
  /// Every path that a login may go to.
  static let paths = clientPaths + [userPath]

  /// The requests to try, the first that the server knows decides: older versions have the second path alone.
  static func requests(_ credentials: JamfCredentials) -> [HTTPRequest] {
    let server = credentials.server.text
    switch credentials.kind {
    case .apiClient:
      let form = PercentEncoding.form([
        ("grant_type", "client_credentials"), ("client_id", credentials.account),
        ("client_secret", credentials.secret),
      ])
      return clientPaths.map { path in
        HTTPRequest(
          method: "POST", url: server + path,
          headers: [
            HTTPField("Accept", "application/json"),
            HTTPField("Content-Type", "application/x-www-form-urlencoded"),
          ], body: Array(form.utf8))
      }
    case .user:
      let pair = Base64.text(Array("\(credentials.account):\(credentials.secret)".utf8))
      return [
        HTTPRequest(
          method: "POST", url: server + userPath,
          headers: [
            HTTPField("Accept", "application/json"), HTTPField("Authorization", "Basic \(pair)"),
          ])
      ]
    }
  }

  /// Whether the server's answer means that it doesn't know the path.
  static func isUnknownPath(_ status: Int) -> Bool { status == 404 || status == 405 }

  /// Whether the server's answer means that the credentials are wrong: OAuth 2.0 says 400 or 401 (RFC 6749, §5.2), Jamf Pro
  /// 401, and 403 for an account that was disabled.
  static func isRejection(_ status: Int) -> Bool { [400, 401, 403].contains(status) }

  /// The token in an answer that is no rejection.
  ///
  /// No word of the answer goes on into what people read: whoever answers has just been shown the secret, and may repeat it.
  /// - Parameter now: milliseconds since 1970.
  static func token(
    in response: HTTPResponse, of kind: JamfCredentials.Kind, at now: Int64
  ) throws(JamfFailure) -> JamfToken {
    let answer = JamfRequest.response(response)
    let wordless = APIResponse(status: answer.status, headers: answer.headers)
    if let failure = JamfAnswer.failure(wordless, of: "the login") { throw failure }
    let json: JSONValue
    do throws(JamfFailure) { json = try JamfAnswer.json(answer, of: "the login") } catch {
      throw .unreadable("the answer to the login is no JSON; is it a Jamf Pro server?")
    }
    return try JamfToken(json, of: kind, at: now)
  }
}
