import ForsettiControlClient
import ForsettiCore
import ForsettiHTTP
import Testing

@testable import ForsettiConsole

@Suite struct ConsoleServiceTests {
  private let service = ConsoleService(
    address: .loopback(port: 8666), token: "secret",
    connect: { () throws(ControlClientError) in throw .absent })

  private func answer(
    _ method: String, _ path: String, _ headers: HTTPHeaders = [:], body: String = ""
  ) -> HTTPResponse {
    var all = headers
    all["Host"] = "127.0.0.1:8666"
    return service.answer(HTTPRequest(method: method, path: path, headers: all, body: Array(body.utf8)))
  }

  private func text(_ response: HTTPResponse) -> String {
    guard case .bytes(let bytes) = response.body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func signIn(_ token: String = "secret") -> HTTPResponse {
    answer("POST", "/api/session", ["Content-Type": "application/json"], body: #"{"token":"\#(token)"}"#)
  }

  /// The headers of a browser that is in.
  private func session() throws -> HTTPHeaders {
    let response = signIn()
    let cookie = try #require(response.headers["Set-Cookie"]?.split(separator: ";").first)
    let csrf = try #require(try JSONParser.parse(Array(text(response).utf8)).root["csrf"]?.stringValue)
    return ["Cookie": String(cookie), Gate.csrfHeader: csrf, "Content-Type": "application/json"]
  }

  @Test(
    "every answer forbids what comes from elsewhere", arguments: ["/", "/app.js", "/api/status", "/none"])
  func guards(path: String) throws {
    let response = answer("GET", path)
    let policy = try #require(response.headers["Content-Security-Policy"])
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"))
    #expect(response.headers["X-Content-Type-Options"] == "nosniff")
    #expect(response.headers["Cache-Control"] == "no-store")
    #expect(response.headers["Referrer-Policy"] == "no-referrer")
  }

  @Test("the pages are there, with nothing of another site and no script inside")
  func pages() {
    let page = text(answer("GET", "/"))
    #expect(page.contains("<title>Forsetti</title>") && !page.contains("://") && !page.contains("onload="))
    // Asked for at once, not one after the other as each names the next; so all must be named.
    let scripts = page.matches(of: #/"modulepreload" href="/(\w+)\.js"/#).map { String($0.1) }
    #expect(scripts.contains("dom") && Set(scripts).count == scripts.count)
    for name in ["start", "app"] + scripts where name != "secrets" {
      let response = answer("GET", "/\(name).js")
      #expect(response.headers["Content-Type"] == "text/javascript; charset=utf-8")
      let script = text(response).replacing("http://www.w3.org/", with: "")
      let imports = script.matches(of: #/from "\.\/(\w+)\.js"/#).map { String($0.1) }
      #expect(Set(imports).isSubset(of: scripts), "\(name).js")
      for word in [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "://",
        "type: \"password\"",
      ] {
        #expect(!script.contains(word), "\(name).js has \(word)")
      }
    }
  }

  @Test(
    "only the page of secrets has fields that do not show what is typed, and browsers keep nothing of them")
  func secrets() {
    let script = text(answer("GET", "/secrets.js"))
    #expect(script.contains(#"type: "password", autocomplete: "new-password""#))
    #expect(!script.contains("innerHTML") && !script.contains("localStorage"))
  }

  @Test("the token lets a browser in, by a cookie that no script and no other site has")
  func signsIn() throws {
    let response = signIn()
    #expect(response.status == .ok)
    let cookie = try #require(response.headers["Set-Cookie"])
    #expect(cookie.hasPrefix("forsetti-8666=") && cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    var headers = try session()
    #expect(answer("GET", "/api/session", headers).status == .ok)
    #expect(answer("DELETE", "/api/session", ["Cookie": headers["Cookie"] ?? ""]).status == .forbidden)
    #expect(answer("DELETE", "/api/session", headers).status == .noContent)
    #expect(answer("GET", "/api/session", headers).status == .unauthorized)
    headers["Cookie"] = nil
    #expect(answer("GET", "/api/session", headers).status == .unauthorized)
  }

  @Test("a wrong token is refused, and after some the right one must wait too")
  func guessing() {
    for token in ["", "secre", "SECRET"] { #expect(signIn(token).status == .forbidden) }
    #expect(answer("POST", "/api/session", [:], body: #"{"token":"secret"}"#).status == .badRequest)
    for body in ["", "[]", "{", #"{"token":1}"#] {
      let response = answer("POST", "/api/session", ["Content-Type": "application/json"], body: body)
      #expect(response.status == .badRequest)
    }
    for _ in 0..<5 { _ = signIn("wrong") }
    #expect(signIn().status == .forbidden)
  }

  @Test("without a session nothing is asked and nothing is done; without its CSRF token nothing is done")
  func sessionNeeded() throws {
    for path in ["/api/status", "/api/live", "/api/logs", "/api/surface", "/metrics"] {
      #expect(answer("GET", path).status == .unauthorized, "\(path)")
    }
    var headers = try session()
    #expect(answer("POST", "/api/restart", [:], body: "{}").status == .unauthorized)
    headers[Gate.csrfHeader] = "wrong"
    #expect(answer("POST", "/api/restart", headers, body: "{}").status == .forbidden)
    headers[Gate.csrfHeader] = nil
    #expect(answer("POST", "/api/restart", headers, body: "{}").status == .forbidden)
  }

  @Test("only the known orders are passed on, never one that trusts, ends or reads secrets")
  func orders() throws {
    let headers = try session()
    for name in ["accept", "shutdown", "reload", "call", "console", "logs", "../restart", ""] {
      #expect(answer("POST", "/api/\(name)", headers, body: "{}").status == .notFound, "\(name)")
    }
    #expect(answer("POST", "/api/restart", headers, body: "[]").status == .badRequest)
    // Passed on: there is no supervisor here.
    #expect(answer("POST", "/api/restart", headers, body: "{}").status == .unavailable)
    #expect(answer("PUT", "/api/restart", headers, body: "{}").status == .methodNotAllowed)
  }

  @Test("health is the console's own, readiness the supervisor's; metrics are for whoever shows the token")
  func programs() {
    #expect(answer("GET", "/healthz").status == .ok)
    #expect(answer("GET", "/readyz").status == .unavailable)
    #expect(answer("GET", "/metrics", ["Authorization": "Bearer secret"]).status == .unavailable)
    #expect(answer("GET", "/metrics", ["Authorization": "Bearer wrong"]).status == .unauthorized)
  }
}
