import ForsettiCore
import ForsettiHTTP

/// Core's own types of these names are those of the services.
typealias HTTPRequest = ForsettiHTTP.HTTPRequest
typealias HTTPResponse = ForsettiHTTP.HTTPResponse

/// What is asked of every request before anything is done for it: a pure function of the request and of where the
/// console listens.
enum Gate {
  /// Why a request is sent away.
  enum Refusal: Error, Hashable {
    /// It was meant for another host: DNS rebinding, or a proxy that nobody told of.
    case host
    /// It comes from a page of another site.
    case origin
    /// It has no session.
    case session
    /// It lacks its session's CSRF token.
    case csrf

    var response: HTTPResponse {
      switch self {
      case .host: .failure(.misdirected, "this console serves this host's own name alone")
      case .origin: .failure(.forbidden, "this request comes from another site")
      case .session: .failure(.unauthorized, "there is no session; sign in")
      case .csrf: .failure(.forbidden, "the request lacks its session's token")
      }
    }
  }

  /// The header that carries the CSRF token.
  static let csrfHeader = "X-Forsetti-CSRF"

  /// Whether the request is meant for this console, and comes from its own pages or from no page at all.
  static func check(_ request: HTTPRequest, at address: ListenAddress) throws(Refusal) {
    let hosts: [String] =
      switch address {
      case .loopback(let port): ["127.0.0.1:\(port)", "localhost:\(port)"]
      // Whoever forwards to the socket may use any port of this host.
      case .unix: ["localhost", "127.0.0.1"]
      }
    guard let host = request.headers["Host"], hosts.contains(address.isUnix ? withoutPort(host) : host) else {
      throw .host
    }
    // What a browser says of where a request comes from (Fetch metadata): "none" is a person's own doing.
    if let site = request.headers["Sec-Fetch-Site"], !["same-origin", "none"].contains(site) {
      // Opening the first page from a link elsewhere is no harm: it shows nothing without a session.
      guard request.method == "GET", request.path == "/" else { throw .origin }
    }
    if request.method != "GET", let origin = request.headers["Origin"], origin != "http://\(host)" {
      throw .origin
    }
  }

  /// Whether a request that changes something carries its session's token.
  static func checkChange(_ request: HTTPRequest, of session: Sessions.Session) throws(Refusal) {
    guard let token = request.headers[csrfHeader], Sessions.isSame(token, session.csrf) else { throw .csrf }
  }

  /// The cookie's name; cookies know no ports, and there may be several consoles on one host.
  static func cookieName(at address: ListenAddress) -> String {
    switch address {
    case .loopback(let port): "forsetti-\(port)"
    case .unix: "forsetti"
    }
  }

  private static func withoutPort(_ host: String) -> String {
    host.lastIndex(of: ":").map { String(host[..<$0]) } ?? host
  }
}

extension HTTPResponse {
  /// A failure as the pages read it.
  static func failure(_ status: HTTPStatus, _ message: String, details: [String] = []) -> HTTPResponse {
    json(status, .record(["error": .string(message), "details": .strings(details)]))
  }

  /// JSON.
  static func json(_ status: HTTPStatus, _ value: JSONValue) -> HTTPResponse {
    .json(status, text: JSONWriter.bytes(value))
  }

  static func json(_ status: HTTPStatus, text: [UInt8]) -> HTTPResponse {
    HTTPResponse(status, headers: ["Content-Type": "application/json"], body: text)
  }

  /// With what every answer says: nothing of another site is loaded, run, framed or told; nothing is kept.
  func guarded() -> HTTPResponse {
    var response = self
    for field in Self.guards { response.headers[field.name] = field.value }
    return response
  }

  private static let guards = [
    HTTPField(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"),
    HTTPField("X-Content-Type-Options", "nosniff"), HTTPField("X-Frame-Options", "DENY"),
    HTTPField("Referrer-Policy", "no-referrer"), HTTPField("Cache-Control", "no-store"),
    HTTPField("Cross-Origin-Opener-Policy", "same-origin"),
    HTTPField("Cross-Origin-Resource-Policy", "same-origin"),
    HTTPField("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
  ]
}
