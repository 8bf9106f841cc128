import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("The address of a Jamf Pro server") struct JamfServerAddressTests {
  private static let right: [(String, String)] = [
    ("https://tenant.jamfcloud.com", "https://tenant.jamfcloud.com"),
    ("https://tenant.jamfcloud.com:8443", "https://tenant.jamfcloud.com:8443"),
    ("tenant.jamfcloud.com", "https://tenant.jamfcloud.com"),
    ("tenant.jamfcloud.com:8443/x", "https://tenant.jamfcloud.com:8443"),
    ("HTTPS://Tenant.JamfCloud.com/", "https://tenant.jamfcloud.com"),
    ("  https://a.b/c/d?e=f#g\n", "https://a.b"), ("https://a.b?x://y", "https://a.b"),
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    ("http://localhost:1", "http://localhost:1"),
    ("http://[::1]:8080/", "http://[::1]:8080"), ("https://[2001:db8::1]", "https://[2001:db8::1]"),
    ("https://10.0.0.1:65535", "https://10.0.0.1:65535"),
  ]

  @Test("what a person enters is brought to scheme, host and port", arguments: right)
  func accepted(entered: String, text: String) throws {
    #expect(try JamfServerAddress(entered: entered).text == text)
  }

  private static let wrong: [(String, JamfCredentialFault)] = [
    ("", .server), (" \n", .server), ("https://", .server), ("https://:8443", .server),
    ("file:///etc", .scheme),
    ("ftp://a.b", .scheme), ("http://tenant.jamfcloud.com", .plainText),
    ("http://127.0.0.1.evil.example", .plainText),
    ("http://127.1", .plainText), ("http://128.0.0.1", .plainText), ("http://[::2]", .plainText),
    ("https://user:secret@a.b", .server), ("https://a b", .server), ("https://a.b\\@c.d", .server),
    ("https://a..b", .server), ("https://a.b:0", .server), ("https://a.b:65536", .server),
    ("https://a.b:x", .server), ("https://a.b:", .server), ("https://ä.example", .server),
    ("https://[::1", .server), ("https://[]", .server),
    ("https://a.b:999999999999999999999", .server),
    ("https://" + String(repeating: "a", count: 2_048), .server),
  ]

  @Test("what is no address, or shows secrets to everybody, is refused", arguments: wrong)
  func refused(entered: String, fault: JamfCredentialFault) {
    if entered == "https://a.b\\@c.d" {
      // What stands behind the backslash is no part of the host to anybody.
      #expect((try? JamfServerAddress(entered: entered))?.text == "https://a.b")
    } else {
      #expect(throws: fault) { try JamfServerAddress(entered: entered) }
    }
    #expect(!fault.advice.isEmpty)
  }
}

@Suite("Credentials") struct JamfCredentialsTests {
  private static let whole = [
    "server": "https://a.b/", "kind": "api-client", "account": " id ", "secret": "\tse cret\n",
  ]

  @Test(
    "what is entered is trimmed, and what is sealed is read back the same",
    arguments: ["api-client", "user"])
  func roundTrip(kind: String) throws {
    let credentials = try JamfCredentials(entered: Self.whole.merging(["kind": kind]) { $1 })
    #expect(credentials.server.text == "https://a.b")
    #expect(credentials.account == "id")
    #expect(credentials.secret == "se cret")
    #expect(JamfCredentials(sealed: credentials.sealed) == credentials)
  }

  private static let wrong: [([String: String], JamfCredentialFault)] = [
    (["server": ""], .missing("server")), (["account": " "], .missing("account")),
    (["secret": "\n"], .missing("secret")), (["kind": ""], .missing("kind")),
    (["kind": "root"], .kind),
    (["server": "http://a.b"], .plainText),
    (["secret": String(repeating: "x", count: 5_000)], .tooLong("secret")),
  ]

  @Test("what is missing or wrong is named", arguments: wrong)
  func refused(changed: [String: String], fault: JamfCredentialFault) {
    #expect(throws: fault) { try JamfCredentials(entered: Self.whole.merging(changed) { $1 }) }
  }

  @Test(
    "what was not sealed here is nothing",
    arguments: [
      "", "{}", "[]", "7", #"{"server": "https://a.b"}"#,
      #"{"server": 1, "kind": [], "secret": {}}"#,
    ])
  func damaged(text: String) { #expect(JamfCredentials(sealed: Array(text.utf8)) == nil) }
}

@Suite("Logins and tokens") struct JamfTokenTests {
  private static let now: Int64 = 1_800_000_000_000

  private static let lifetimes: [(String, JamfCredentials.Kind, Int64)] = [
    (#"{"access_token": "t", "expires_in": 1200}"#, .apiClient, 1_140),
    (#"{"access_token": "t"}"#, .apiClient, 1_140),
    (#"{"access_token": "t", "expires_in": 0}"#, .apiClient, 1_140),
    (#"{"access_token": "t", "expires_in": -5}"#, .apiClient, 1_140),
    (#"{"access_token": "t", "expires_in": "soon"}"#, .apiClient, 1_140),
    (#"{"access_token": "t", "expires_in": 60}"#, .apiClient, 30),
    (#"{"access_token": "t", "expires_in": 9223372036854775807}"#, .apiClient, 86_340),
    (#"{"access_token": "t", "expires_in": 1e300}"#, .apiClient, 1_140),
    (#"{"token": "t", "expires": "2027-01-15T08:30:00Z"}"#, .user, 1_740),
    (#"{"token": "t", "expires": "2027-01-15T08:30:00.000Z"}"#, .user, 1_740),
    (#"{"token": "t", "expires": 1800001800}"#, .user, 1_740),
    (#"{"token": "t", "expires": "2020-01-01T00:00:00Z"}"#, .user, 1_140),
    (#"{"token": "t", "expires": "later"}"#, .user, 1_140), (#"{"token": "t"}"#, .user, 1_140),
    (#"{"token": "t", "expires": 9223372036854775807}"#, .user, 1_140),
    (#"{"token": "t", "expires": -9223372036854775808}"#, .user, 1_140),
  ]

  @Test(
    "a token is renewed a minute before its end, or after twenty where none is told",
    arguments: lifetimes)
  func lifetime(answer: String, kind: JamfCredentials.Kind, seconds: Int64) throws {
    let token = try JamfToken(JSONParser.parse(Array(answer.utf8)).root, of: kind, at: Self.now)
    #expect(token.staleAt - Self.now == seconds * 1_000)
    #expect(token.isFresh(at: token.staleAt - 1))
    #expect(!token.isFresh(at: token.staleAt))
  }

  @Test(
    "an answer without a token that fits a header field is unreadable",
    arguments: [
      "{}", "[]", #"{"access_token": ""}"#, #"{"access_token": 7}"#,
      #"{"access_token": "a\r\nX: y"}"#,
      #"{"access_token": "a b"}"#, #"{"access_token": "ä"}"#, #"{"token": "t"}"#,
      #"{"access_token": "\#(String(repeating: "x", count: 8_193))"}"#,
    ])
  func noToken(answer: String) throws {
    let limits = JSONLimits(bytes: 10_000, stringBytes: 10_000)
    let json = try JSONParser.parse(Array(answer.utf8), limits: limits).root
    #expect(throws: JamfFailure.self) { try JamfToken(json, of: .apiClient, at: 0) }
  }

  private func credentials(_ kind: String) throws -> JamfCredentials {
    try JamfCredentials(
      entered: ["server": "https://a.b", "kind": kind, "account": "i&d", "secret": "s+e=c ret"])
  }

  @Test("an API client logs in by a form in which nothing has a meaning it should not have")
  func form() throws {
    let requests = JamfLogin.requests(try credentials("api-client"))
    #expect(
      requests.map(\.url) == ["https://a.b/api/v1/oauth/token", "https://a.b/api/oauth/token"])
    #expect(
      String(decoding: requests[0].body, as: UTF8.self)
        == "grant_type=client_credentials&client_id=i%26d&client_secret=s%2Be%3Dc%20ret")
  }

  @Test("a user logs in by the Basic scheme") func basic() throws {
    let requests = JamfLogin.requests(try credentials("user"))
    #expect(requests.map(\.url) == ["https://a.b/api/v1/auth/token"])
    #expect(requests[0].headers.contains(HTTPField("Authorization", "Basic aSZkOnMrZT1jIHJldA==")))
  }

  private static let encoded = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"), ("ÿþ", "w7/Dvg=="),
  ]

  @Test("base 64 is that of RFC 4648", arguments: encoded)
  func base64(text: String, expected: String) { #expect(Base64.text(Array(text.utf8)) == expected) }
}
