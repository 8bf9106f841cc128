import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@MainActor @Suite("Keeping to one node") struct StickySessionTests {
  private let session = StickySession()
  private static let path = "https://a.b/api/v1/x"

  /// Sends a request, and gives the cookies that went along.
  @discardableResult
  private func send(
    _ method: String, to path: String = path, at now: Int64 = 0, hearing cookies: [String] = [],
    from url: String = path
  ) -> String? {
    let request = session.marking(HTTPRequest(method: method, url: path), at: now)
    let fields = cookies.map { HTTPField("SET-cookie", $0) }
    session.hear(HTTPResponse(status: 200, url: url, headers: fields, body: []), to: request)
    return request.headers.first { $0.name == "Cookie" }?.value
  }

  private nonisolated static let cookies: [([String], String?)] = [
    ([], nil), (["jpro-ingress=abc.1|2; Path=/; HttpOnly; Secure"], "jpro-ingress=abc.1|2"),
    (["APBALANCEID=aws.node1"], "APBALANCEID=aws.node1"),
    (["APBALANCEID=b", "jpro-ingress=a", "JSESSIONID=s"], "jpro-ingress=a; APBALANCEID=b"),
    (["jpro-ingress=a", "jpro-ingress=b"], "jpro-ingress=b"),
    (["jpro-ingress=a", "jpro-ingress=a; Max-Age=0"], nil),
    (["jpro-ingress=a", "jpro-ingress=; Max-Age=-1"], nil), (["jpro-ingress=a", "jpro-ingress="], nil),
    (["JSESSIONID=s"], nil), (["JPRO-INGRESS=a"], nil), (["xjpro-ingress=a"], nil), (["jpro-ingress"], nil),
    ([""], nil), ([";"], nil), (["=a"], nil), (["jpro-ingress=a b"], nil), ([#"jpro-ingress="a""#], nil),
    (["jpro-ingress=a\r\nX: y"], nil), (["jpro-ingress=é"], nil), (["jpro-ingress=a,b"], nil),
    (
      ["jpro-ingress=\(String(repeating: "x", count: 256))"],
      "jpro-ingress=" + String(repeating: "x", count: 256)
    ),
    (["jpro-ingress=\(String(repeating: "x", count: 257))"], nil),
  ]

  @Test("the load balancer's cookie is sent back, and no other", arguments: cookies)
  func cookies(heard: [String], expected: String?) {
    send("POST", hearing: heard)
    #expect(send("GET") == expected)
  }

  @Test("a node is kept to from a change on, for two minutes behind the latest") func hold() {
    send("GET", hearing: ["jpro-ingress=a"])
    #expect(send("GET") == nil)
    send("PUT", at: 0, hearing: ["jpro-ingress=a"])
    #expect(send("GET", at: 120_000) == "jpro-ingress=a")
    #expect(send("DELETE", at: 120_000) == "jpro-ingress=a")
    #expect(send("GET", at: 240_000) == "jpro-ingress=a")
    #expect(send("GET", at: 240_001) == nil)
  }

  @Test("a login is no change: it binds to no node, and prolongs nothing", arguments: JamfLogin.paths)
  func login(path: String) {
    let login = "https://a.b" + path
    send("POST", to: login, hearing: ["jpro-ingress=a"])
    #expect(send("GET") == nil)
    send("PUT", at: 0, hearing: ["jpro-ingress=a"])
    #expect(send("POST", to: login, at: 120_000) == "jpro-ingress=a")
    #expect(send("GET", at: 120_001) == nil)
  }

  @Test("a reading that went to another node tells nothing; the balancer may send a node's own elsewhere")
  func renewed() {
    let early = session.marking(HTTPRequest(url: Self.path), at: 0)
    send("POST", hearing: ["jpro-ingress=a"])
    session.hear(
      HTTPResponse(
        status: 200, url: Self.path, headers: [HTTPField("Set-Cookie", "jpro-ingress=b")], body: []),
      to: early)
    #expect(send("GET", hearing: ["jpro-ingress=c"]) == "jpro-ingress=a")
    #expect(send("GET") == "jpro-ingress=c")
  }

  @Test(
    "what a redirect brings from elsewhere is not this server's",
    arguments: [
      ("https://a.b/login", true), ("https://a.b.evil/api/v1/x", false), ("http://a.b/api/v1/x", false),
      ("https://a.b:8443/api/v1/x", false), ("", false),
    ])
  func elsewhere(url: String, isTaken: Bool) {
    send("POST", hearing: ["jpro-ingress=a"], from: url)
    #expect((send("GET") != nil) == isTaken)
  }
}
