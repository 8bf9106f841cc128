import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("Requests of callers") struct JamfRequestTests {
  @Test("a request takes its path, query and kind along, and none of the caller's other fields")
  func request() throws {
    let token = try JamfToken(.record(["access_token": .string("T")]), of: .apiClient, at: 0)
    let asked = APIRequest(
      method: "POST", path: "/api/v1/x",
      query: [HTTPField("filter", "a==\"b+c&d\""), HTTPField("é", "")],
      headers: [
        HTTPField("content-TYPE", "text/xml"), HTTPField("Authorization", "Bearer stolen"),
        HTTPField("Cookie", "a=b"),
      ], body: [1, 2])
    let sent = JamfRequest.request(
      asked, to: try JamfServerAddress(entered: "https://a.b"), with: token)
    #expect(sent.url == "https://a.b/api/v1/x?filter=a%3D%3D%22b%2Bc%26d%22&%C3%A9=")
    #expect(
      sent.headers == [
        HTTPField("content-TYPE", "text/xml"), HTTPField("Authorization", "Bearer T"),
      ])
    #expect(sent.body == [1, 2])
  }

  @Test("an answer goes back without cookies") func response() {
    let answer = JamfRequest.response(
      HTTPResponse(
        status: 429, url: "https://a.b/api/v1/x",
        headers: [
          HTTPField("Set-Cookie", "a"), HTTPField("RETRY-after", "2"), HTTPField("Server", "x"),
        ], body: [7]))
    #expect(answer == APIResponse(status: 429, headers: [HTTPField("RETRY-after", "2")], body: [7]))
  }

  @Test("which part of a body is meant goes both ways") func part() throws {
    let token = try JamfToken(.record(["access_token": .string("T")]), of: .apiClient, at: 0)
    let offset = HTTPField(BodyPart.offsetField, "983040")
    let sent = JamfRequest.request(
      APIRequest(path: "/api/v1/x", headers: [offset]), to: try JamfServerAddress(entered: "https://a.b"),
      with: token)
    #expect(sent.headers.first == offset)
    let fields = BodyPart(length: 1_000_000, digest: "ab").fields
    let answer = JamfRequest.response(HTTPResponse(status: 200, url: "", headers: fields, body: [7]))
    #expect(answer.headers == fields)
  }

  private static let places: [(String, String, JamfRoute)] = [
    ("GET", "/api/v3/computers-inventory", .server),
    ("POST", "/JSSResource/computers/id/0", .server),
    ("GET", "/api/v1/auth", .server), ("GET", "/forsetti/connection", .connection),
    ("GET", "/forsetti/privileges/", .privileges), ("GET", "/api/v1/authors/1", .server),
  ]

  @Test("a path goes to the server, or is answered here", arguments: places)
  func route(method: String, path: String, expected: JamfRoute) throws {
    #expect(try JamfRoute(method: method, path: path) == expected)
  }

  private static let closed: [(String, String)] = [
    ("POST", "/api/v1/oauth/token"), ("POST", "/api/oauth/token"), ("POST", "/api/v1/auth/token"),
    ("POST", "/api/v1/auth/keep-alive"), ("POST", "/api/v1/auth/invalidate-token"),
    ("POST", "/API/V1/Auth/Token/"),
    ("POST", "/uapi/auth/tokens"), ("GET", "/"), ("GET", "/simulator/requests"),
    ("GET", "/legacy/x"),
    ("POST", "/forsetti/connection"), ("GET", "/forsetti/secret"), ("GET", "/forsetti"),
  ]

  @Test("nobody gets at tokens, or at what is no API", arguments: closed)
  func refused(method: String, path: String) {
    #expect(throws: JamfFailure.self) { try JamfRoute(method: method, path: path) }
  }

  private static let networking: [(ServiceError, String, Bool)] = [
    (.failed(code: "connect", message: "nobody"), "unreachable", true),
    (.failed(code: "dns", message: "no"), "unreachable", true),
    (.failed(code: "tls", message: "bad"), "unreachable", false),
    (.failed(code: "network", message: "cut"), "unreadable", true),
    (.failed(code: "redirects", message: "many"), "unreadable", false),
    (.deadlineExceeded, "unreachable", false),
    (.serviceDenied(.policy, detail: "not listed"), "unreachable", false),
    (.tooLarge(limit: 1), "tooLarge", false),
    (.cancelled, "cancelled", false),
    (.invalidArgument(name: "url", reason: "long"), "invalidRequest", false),
    (.quotaExceeded("x"), "unavailable", false),
  ]

  @Test(
    "a fault of the network has its class, and is tried again where that may help",
    arguments: networking)
  func network(error: ServiceError, name: String, isRetried: Bool) {
    #expect(JamfFailure(networking: error).name == name)
    #expect(JamfFailure.isWorthAnotherTry(networking: error) == isRetried)
  }

  private static let answers: [(String, [String])] = [
    (#"{"account": {"privilegesBySite": {"-1": ["b", "a"], "2": ["a"]}}}"#, ["a", "b"]),
    (#"{"account": {"privileges": ["b", "a", "b"]}}"#, ["a", "b"]),
    (#"{"authorizations": ["x"]}"#, ["x"]),
    (#"{"account": {"privileges": []}, "privileges": ["y"]}"#, ["y"]), ("{}", []), ("[]", []),
    (#"{"privileges": [1, null, "z"]}"#, ["z"]),
  ]

  @Test("privileges are read in every shape, each once, sorted", arguments: answers)
  func privileges(answer: String, names: [String]) throws {
    #expect(try JamfPrivileges.names(JSONParser.parse(Array(answer.utf8)).root) == names)
  }
}

@Suite("How often a request is tried") struct JamfAttemptsTests {
  private func steps(_ method: String, hasBody: Bool = false, _ outcomes: [JamfAttempts.Outcome])
    -> [JamfAttempts.Step]
  {
    var attempts = JamfAttempts(method: method, hasBody: hasBody)
    return outcomes.map { attempts.next($0) }
  }

  @Test(
    "401 has the token renewed once, whatever the request does",
    arguments: ["GET", "POST", "DELETE"])
  func renewal(method: String) {
    let refused = JamfAttempts.Outcome.status(401, retryAfter: nil)
    #expect(steps(method, [refused, refused]) == [.renewToken, .reject])
  }

  @Test("429 is waited out three times, also behind a renewal", arguments: ["GET", "POST"])
  func limited(method: String) {
    let limited = JamfAttempts.Outcome.status(429, retryAfter: nil)
    #expect(
      steps(method, [.status(401, retryAfter: nil), limited, limited, limited, limited]) == [
        .renewToken, .wait(milliseconds: 2_000), .wait(milliseconds: 4_000),
        .wait(milliseconds: 8_000), .done,
      ])
  }

  private static let asked: [(Int, JamfAttempts.Step)] = [
    (0, .wait(milliseconds: 0)), (1, .wait(milliseconds: 1_000)), (30, .wait(milliseconds: 30_000)),
    (31, .done),
    (86_400, .done),
  ]

  @Test("what the server asks for is waited, if it is not too long", arguments: asked)
  func retryAfter(seconds: Int, step: JamfAttempts.Step) {
    #expect(steps("GET", [.status(429, retryAfter: seconds)]) == [step])
  }

  private static let repeatable: [(String, Bool, Bool)] = [
    ("GET", false, true), ("HEAD", false, true), ("PUT", true, false), ("DELETE", false, true),
    ("DELETE", true, false),
    ("POST", true, false), ("POST", false, false), ("PATCH", true, false),
  ]

  @Test("a failing server is asked again by what may be done twice alone", arguments: repeatable)
  func failing(method: String, hasBody: Bool, isRepeated: Bool) {
    for outcome in [JamfAttempts.Outcome.noAnswer]
      + [500, 502, 503, 504].map({ .status($0, retryAfter: nil) })
    {
      let found = steps(method, hasBody: hasBody, [outcome, outcome, outcome])
      #expect(
        found
          == (isRepeated
            ? [.wait(milliseconds: 500), .wait(milliseconds: 2_000), .done]
            : [.done, .done, .done]))
    }
  }

  @Test(
    "every other status is the answer", arguments: [0, 200, 204, 302, 400, 403, 404, 409, 501, 599])
  func done(status: Int) { #expect(steps("GET", [.status(status, retryAfter: nil)]) == [.done]) }
}
