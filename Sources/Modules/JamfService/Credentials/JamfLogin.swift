internal import ForsettiModuleKit

/// The requests that turn credentials into a token.
enum JamfLogin {
  /// The requests to try, the first that the server knows decides: older versions have the second path alone.
  static func requests(_ credentials: JamfCredentials) -> [HTTPRequest] {
    let server = credentials.server.text
    switch credentials.kind {
    case .apiClient:
      let form = PercentEncoding.form([
        ("grant_type", "client_credentials"), ("client_id", credentials.account),
        ("client_secret", credentials.secret),
      ])
      return ["/api/v1/oauth/token", "/api/oauth/token"].map { path in
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
          method: "POST", url: server + "/api/v1/auth/token",
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
}
