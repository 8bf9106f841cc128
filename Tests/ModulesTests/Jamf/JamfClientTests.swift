import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@MainActor @Suite("Requests to Jamf Pro") struct JamfClientTests {
  private func failure(_ body: () async throws(JamfFailure) -> Void) async -> JamfFailure? {
    do throws(JamfFailure) {
      try await body()
      return nil
    } catch { return error }
  }

  @Test("a request carries its query, and JSON where there is some") func request() async throws {
    let api = ScriptedAPI(#"{"id": "7"}"#)
    let client = JamfClient(api: api)
    #expect(try await client.get("/api/v1/x", [("filter", "a==1")])["id"]?.stringValue == "7")
    _ = try await client.send("POST", "/api/v1/y", json: .object([("a", .integer(1))]))
    let asked = api.requests
    #expect(asked[0].method == "GET")
    #expect(asked[0].parameter("filter") == "a==1")
    #expect(asked[0].headers == [HTTPField("Accept", "application/json")])
    #expect(asked[1].headers.last == HTTPField("Content-Type", "application/json"))
    #expect(String(decoding: asked[1].body, as: UTF8.self) == #"{"a":1}"#)
  }

  @Test("a change of the Classic API is XML, and so is its answer") func classic() async throws {
    let api = ScriptedAPI(status: 201, "<id>7</id>")
    let bytes = try await JamfClient(api: api).send("PUT", "/JSSResource/computers/id/7", xml: "<computer/>")
    #expect(String(decoding: bytes, as: UTF8.self) == "<id>7</id>")
    #expect(api.requests[0].headers.contains(HTTPField("Content-Type", "application/xml")))
  }

  @Test("an answer without a body is null") func empty() async throws {
    #expect(try await JamfClient(api: ScriptedAPI(status: 204, "")).send("DELETE", "/api/x").isNull)
  }

  @Test("a path without its slash is refused before anything is sent") func relative() async {
    let api = ScriptedAPI("{}")
    let found = await failure { () throws(JamfFailure) in _ = try await JamfClient(api: api).get("api/v1/x") }
    guard case .invalidRequest = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(api.requests.isEmpty)
  }

  @Test("without the api role there is nobody to ask") func bare() async {
    let found = await failure { () throws(JamfFailure) in _ = try await JamfClient(api: nil).get("/api/v1/x")
    }
    guard case .unavailable = found else {
      Issue.record("\(String(describing: found))")
      return
    }
  }

  private nonisolated static let conflict =
    #"{"httpStatus": 409, "errors": [{"code": "OPTIMISTIC_LOCK_FAILED", "description": "older", "field": "versionLock"}]}"#

  private nonisolated static let statuses: [(Int, String, JamfFailure)] = [
    (401, "", .credentialsRejected), (403, "", .forbidden("/p")), (404, "", .notFound("/p")),
    (405, "", .notFound("/p")), (410, "", .notFound("/p")), (501, "", .notFound("/p")),
    (409, conflict, .conflict("OPTIMISTIC_LOCK_FAILED: versionLock: older")),
    (409, "<html>", .conflict("it says no more than status 409.")),
    (400, #"{"errors": [{"description": "a\nb"}]}"#, .invalidRequest(#"a\u{A}b"#)),
    (400, #"{"errors": [{"description": ""}, 7, {}]}"#, .invalidRequest("it says no more than status 400.")),
    (422, "[]", .invalidRequest("it says no more than status 422.")), (413, "", .tooLarge),
    (429, "", .rateLimited(retryAfterSeconds: nil)), (500, "", .serverError(500)),
    (503, "", .serverError(503)),
    (302, "", .unreadable("it has status 302.")), (-1, "", .unreadable("it has status -1.")),
  ]

  @Test("a status that is none of 2xx is a failure of its own class", arguments: statuses)
  func status(status: Int, body: String, expected: JamfFailure) async {
    let client = JamfClient(api: ScriptedAPI(status: status, body))
    let found = await failure { () throws(JamfFailure) in _ = try await client.get("/p") }
    #expect(found == expected)
  }

  @Test(
    "what Jamf Pro writes into an error is bounded", arguments: ["\"", String(repeating: "x", count: 90_000)])
  func bounded(text: String) async {
    let body = JSONWriter.text(
      .object([("errors", .array(Array(repeating: .object([("description", .string(text))]), count: 99)))]))
    let client = JamfClient(api: ScriptedAPI(status: 400, body))
    let found = await failure { () throws(JamfFailure) in _ = try await client.get("/p") }
    #expect((found?.what.utf8.count ?? .max) < 1_000)
  }

  @Test(
    "what is no JSON is unreadable",
    arguments: [
      "<html><body>Sign in</body></html>", "  \n<?xml?>", #"{"results": [{"id": "1""#, "{} x", "\u{0}", "{",
      String(repeating: "[", count: 5_000), #"{"a": 1, "a": 2}"#, #"{"a": NaN}"#,
    ])
  func unreadable(body: String) async {
    let client = JamfClient(api: ScriptedAPI(body))
    let found = await failure { () throws(JamfFailure) in _ = try await client.get("/p") }
    guard case .unreadable = found else {
      Issue.record("\(String(describing: found))")
      return
    }
  }

  private nonisolated static let seconds: [(String, Int?)] = [
    ("2", 2), (" 30 ", 30), ("0", 0), ("-1", nil), ("1.5", nil), ("", nil),
    ("Wed, 21 Oct 2026 07:28:00 GMT", nil),
    ("99999999999999999999999999", 86_400), ("90000", 86_400), ("+5", nil), ("٣", nil),
  ]

  @Test("Retry-After is seconds within a day, and nothing else", arguments: seconds)
  func retryAfter(text: String, expected: Int?) async {
    let client = JamfClient(api: ScriptedAPI(status: 429, headers: [HTTPField("Retry-AFTER", text)], ""))
    let found = await failure { () throws(JamfFailure) in _ = try await client.get("/p") }
    #expect(found == .rateLimited(retryAfterSeconds: expected))
  }
}

@Suite("Failures of Jamf Pro") struct JamfFailureTests {
  private static let travelling: [JamfFailure] = [
    .notConfigured, .credentialsRejected, .forbidden("/p"), .notFound("/p"), .invalidRequest("why"),
    .rateLimited(retryAfterSeconds: 7), .rateLimited(retryAfterSeconds: nil), .serverError(502),
    .unreachable("why"), .unreadable("why"), .tooLarge, .cancelled, .unavailable("why"), .denied("why"),
  ]

  @Test("what Jamf Service decides arrives as the same case", arguments: travelling)
  func roundTrip(failure: JamfFailure) { #expect(JamfFailure(failure.serviceError) == failure) }

  private static let errors: [(ServiceError, JamfFailure)] = [
    (.serviceDenied(.notGranted, detail: "x"), .denied("it has no right to the api role.")),
    (.serviceDenied(.policy, detail: "GET alone"), .denied("GET alone")),
    (
      .moduleCrashed(moduleID: "com.forsetti.jamfpro.service.jamf"),
      .unavailable("com.forsetti.jamfpro.service.jamf ended meanwhile.")
    ),
    (.deadlineExceeded, .unreachable("the time for an answer is over.")),
    (.rateLimited(retryAfterMilliseconds: 1_001), .rateLimited(retryAfterSeconds: 2)),
    (.rateLimited(retryAfterMilliseconds: .max), .rateLimited(retryAfterSeconds: 4_294_968)),
    (.quotaExceeded("open calls"), .unavailable("too much is asked at once (open calls).")),
    (.failed(code: "novel", message: "a\u{1B}b"), .unavailable(#"novel: a\u{1B}b"#)),
  ]

  @Test("every error of a call has its class", arguments: errors)
  func service(error: ServiceError, expected: JamfFailure) { #expect(JamfFailure(error) == expected) }

  @Test(
    "each says what happened and what to do", arguments: travelling + [.conflict("c"), .listChanged("l")])
  func texts(failure: JamfFailure) {
    #expect(failure.what.utf8.last == UInt8(ascii: ".") || failure.what.contains(": "))
    #expect(!failure.advice.isEmpty)
  }

  private static let limits: [(JamfLimit, where: String)] = [
    (.records("/api/v1/x"), "/api/v1/x has more than 100000 records"),
    (.prestages, "more than 1000 PreStages"),
    (.devices, "more than 500000 devices"), (.scope("Lab"), "PreStage Lab is longer"),
    (.destination("Lab"), "PreStage Lab would have more than 25000 devices"),
  ]

  @Test(
    "where there is too much it is said of what and the way round it, and nobody is told to correct it",
    arguments: limits)
  func limit(limit: JamfLimit, place: String) {
    let failure = JamfFailure.beyondLimit(limit)
    #expect(failure.what.contains(place))
    #expect(failure.what.hasSuffix(".") && failure.advice.hasSuffix("."))
    #expect(failure.advice == limit.wayOut)
    for other in [JamfFailure.invalidRequest(""), .tooLarge] { #expect(failure.advice != other.advice) }
    #expect(!failure.isOfVersion, "no older version mends it")
  }

  @Test(
    "an older version may have what is refused or not there, and mends nothing else",
    arguments: travelling + [.conflict("c"), .listChanged("l")])
  func versions(failure: JamfFailure) {
    let mended: [JamfFailure] = [.forbidden("/p"), .notFound("/p"), .invalidRequest("why")]
    #expect(failure.isOfVersion == mended.contains(failure))
  }
}
