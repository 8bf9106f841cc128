import ForsettiCore
import ForsettiHTTP
import Testing

@testable import JamfSimulator

@Suite struct AuthenticationTests {
  @Test("client credentials are answered with a token that says how long it holds") func client() {
    var client = APIClient()
    let answer = client.logIn("forsetti-demo")
    #expect(answer["token_type"]?.stringValue == "Bearer")
    #expect(answer["expires_in"]?.integerValue == 1_200)
    #expect(answer["scope"]?.stringValue == "api-role:1")
    #expect(client.get("/api/v1/auth").status == 200)
  }

  @Test(
    "credentials that are none, and forms that are none, are refused",
    arguments: [
      ("grant_type=client_credentials&client_id=forsetti-demo&client_secret=wrong", 401, "invalid_client"),
      ("grant_type=client_credentials&client_id=demo&client_secret=demo-password", 401, "invalid_client"),
      ("grant_type=client_credentials", 401, "invalid_client"),
      ("grant_type=password&client_id=forsetti-demo", 400, "unsupported_grant_type"),
      ("grant_type=%zz", 400, "unsupported_grant_type"), ("", 400, "unsupported_grant_type"),
    ])
  func badClient(form: String, status: Int, code: String) {
    var client = APIClient(as: nil)
    let answer = client.send("POST", "/api/oauth/token", body: Array(form.utf8))
    #expect(answer.status == status)
    #expect(answer.json["error"]?.stringValue == code)
  }

  @Test("a user logs in with a password, keeps the token alive, and its old one ends") func user() throws {
    var client = APIClient(as: nil)
    let logIn = client.send(
      "POST", "/api/v1/auth/token", headers: ["Authorization": "Basic ZGVtbzpkZW1vLXBhc3N3b3Jk"])
    let first = try #require(logIn.json["token"]?.stringValue)
    #expect(logIn.json["expires"]?.stringValue == timestampText(client.time + 1_200_000))
    client.token = first
    client.time += 1_000_000
    let kept = client.send("POST", "/api/v1/auth/keep-alive")
    #expect(kept.json["expires"]?.stringValue == timestampText(client.time + 1_200_000))
    #expect(client.get("/api/v1/auth").status == 401)
    client.token = kept.json["token"]?.stringValue
    #expect(client.get("/api/v1/auth").json.at("account", "username")?.stringValue == "demo")
  }

  @Test("a client's token is not kept alive: it logs in anew") func keepAliveOfClient() {
    var client = APIClient()
    #expect(client.send("POST", "/api/v1/auth/keep-alive").status == 401)
  }

  @Test("a token ends when its time is over, and not before") func expiry() {
    var client = APIClient()
    client.time += 1_199_999
    #expect(client.get("/api/v1/auth").status == 200)
    client.time += 1
    #expect(client.get("/api/v1/auth").status == 401)
    #expect(client.get("/api/v1/auth").code == "INVALID_TOKEN")
  }

  @Test("a token that was given back is one no more") func invalidate() {
    var client = APIClient()
    #expect(client.send("POST", "/api/v1/auth/invalidate-token").status == 204)
    #expect(client.get("/api/v1/auth").status == 401)
  }

  @Test("whoever has no token learns nothing of what is there")
  func unauthorized() {
    var client = APIClient(as: nil)
    #expect(client.get("/api/v3/computers-inventory").status == 401)
    #expect(client.get("/api/v9/nothing").status == 401)
    client.token = "made up"
    #expect(client.get("/api/v3/computers-inventory").status == 401)
    #expect(
      client.send("GET", "/api/v1/auth", headers: ["Authorization": "Basic ZGVtbzpkZW1vLXBhc3N3b3Jk"]).status
        == 401)
  }

  @Test("so many tokens hold, and the oldest ends first") func manyTokens() {
    var client = APIClient()
    let first = client.token
    for _ in 0..<TokenBook.limit { client.logIn("forsetti-demo") }
    client.token = first
    #expect(client.get("/api/v1/auth").status == 401)
  }

  @Test("what one may do is said, and is what is held") func privileges() {
    var client = APIClient(as: "forsetti-reader")
    let said = client.get("/api/v1/auth").json.at("account", "privilegesBySite", "-1")?.elements?.compactMap(
      \.stringValue)
    #expect(said == Privilege.reading.map(\.rawValue).sorted())
    #expect(
      client.get("/api/v1/api-role-privileges").json["privileges"]?.elements?.count
        == Privilege.allCases.count)
  }

  private static let basic: [(String, BasicCredentials?)] = [
    ("Basic YTpi", BasicCredentials("Basic YTpi")), ("Basic YTo=", BasicCredentials("Basic YTo=")),
    ("Basic YTpi=", nil), ("Basic YT=i", nil), ("Basic YTp", nil), ("Basic !!!!", nil), ("Basic YWI=", nil),
    ("Basic /////w==", nil), ("Bearer YTpi", nil), ("", nil), ("Basic ====", nil),
  ]

  @Test("a header of Basic credentials is read strictly", arguments: basic)
  func basicCredentials(header: String, expected: BasicCredentials?) {
    #expect(BasicCredentials(header) == expected)
  }

  @Test("Basic credentials may hold colons and letters of any language") func basicContent() throws {
    #expect(try #require(BasicCredentials("Basic YTpiOmM=")).password == "b:c")
    #expect(try #require(BasicCredentials("Basic YTo=")).password == "")
    #expect(try #require(BasicCredentials("Basic esO8OsO8")).name == "zü")
  }
}
