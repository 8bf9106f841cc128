import ForsettiCore
import ForsettiHTTP
import Testing

@testable import ForsettiConsole

/// Core's own types of these names are those of the services.
typealias HTTPRequest = ForsettiHTTP.HTTPRequest
typealias HTTPResponse = ForsettiHTTP.HTTPResponse

@Suite struct GateTests {
  private static let address = ListenAddress.loopback(port: 8666)

  private func request(
    _ method: String = "GET", _ path: String = "/api/status", host: String? = "127.0.0.1:8666",
    _ headers: [String: String] = [:]
  ) -> HTTPRequest {
    var all = HTTPHeaders(headers.map { HTTPField($0.key, $0.value) })
    all["Host"] = host
    return HTTPRequest(method: method, path: path, headers: all)
  }

  @Test("a request by this host's own names passes", arguments: ["127.0.0.1:8666", "localhost:8666"])
  func ownHost(name: String) throws {
    try Gate.check(request(host: name), at: Self.address)
  }

  @Test(
    "a request for another host is sent away, whoever resolves to us",
    arguments: [
      nil, "", "evil.example", "evil.example:8666", "127.0.0.1", "127.0.0.1:80",
      "localhost.evil.example:8666",
      "[::1]:8666", "127.0.0.1:8666.",
    ] as [String?])
  func foreignHost(name: String?) {
    #expect(throws: Gate.Refusal.host) { try Gate.check(request(host: name), at: Self.address) }
  }

  @Test("through a unix socket any port of this host may lead, and no other host")
  func unixHost() throws {
    try Gate.check(request(host: "localhost:1234"), at: .unix(path: "/s"))
    try Gate.check(request(host: "localhost"), at: .unix(path: "/s"))
    #expect(throws: Gate.Refusal.host) {
      try Gate.check(request(host: "a.example:80"), at: .unix(path: "/s"))
    }
  }

  @Test("a page of another site reaches nothing but the first page, which shows nothing")
  func foreignSite() throws {
    for site in ["cross-site", "same-site"] {
      #expect(throws: Gate.Refusal.origin) {
        try Gate.check(request("GET", "/api/status", ["Sec-Fetch-Site": site]), at: Self.address)
      }
      try Gate.check(request("GET", "/", ["Sec-Fetch-Site": site]), at: Self.address)
      #expect(throws: Gate.Refusal.origin) {
        try Gate.check(request("POST", "/", ["Sec-Fetch-Site": site]), at: Self.address)
      }
    }
    for origin in ["http://evil.example", "null", "https://127.0.0.1:8666", "http://localhost:8666"] {
      #expect(throws: Gate.Refusal.origin) {
        try Gate.check(request("POST", "/api/session", ["Origin": origin]), at: Self.address)
      }
    }
    try Gate.check(request("POST", "/api/session", ["Origin": "http://127.0.0.1:8666"]), at: Self.address)
  }

  @Test("a change needs its own session's token")
  func csrf() throws {
    var sessions = Sessions(token: "t")
    let (session, other) = (sessions.begin(at: .now), sessions.begin(at: .now))
    try Gate.checkChange(request("POST", "/api/publish", [Gate.csrfHeader: session.csrf]), of: session)
    for token in [nil, "", other.csrf, session.id] {
      #expect(throws: Gate.Refusal.csrf) {
        try Gate.checkChange(
          request("POST", "/api/publish", token.map { [Gate.csrfHeader: $0] } ?? [:]), of: session)
      }
    }
  }
}
