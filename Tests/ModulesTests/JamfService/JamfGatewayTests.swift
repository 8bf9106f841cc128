import ForsettiModuleKit
import Synchronization
import Testing

@testable import ForsettiModules

/// A network that says what the test says.
private final class ScriptedNetworking: NetworkingService {
  typealias Answer = @Sendable (HTTPRequest, Int) throws(ServiceError) -> HTTPResponse

  private let answer: Answer
  private let kept = Mutex<[HTTPRequest]>([])

  /// - Parameter answer: is given the request, and how many came to its path before.
  init(_ answer: @escaping Answer) { self.answer = answer }

  var requests: [HTTPRequest] { kept.withLock { $0 } }
  var logins: Int { requests.count { $0.url.hasSuffix("/token") } }

  nonisolated(nonsending) func data(_ request: HTTPRequest) async throws(ServiceError)
    -> HTTPResponse
  {
    let before = kept.withLock { requests in
      defer { requests.append(request) }
      return requests.count { $0.url == request.url }
    }
    // As over a real network, others have their turn meanwhile; many of them, where the path says so.
    for _ in 0..<(request.url.hasSuffix("/slow") ? 1_000 : 1) { await Task.yield() }
    return try answer(request, before)
  }
}

@MainActor @Suite("The gateway to Jamf Pro") struct JamfGatewayTests {
  /// Waits that take no time, and are kept.
  private final class Waits: Sendable {
    let kept = Mutex<[Int64]>([])
    let now = Mutex<Int64>(0)

    var time: JamfTime {
      JamfTime(
        now: { self.now.withLock { $0 } },
        wait: { milliseconds in
          try Task.checkCancellation()
          self.kept.withLock { $0.append(milliseconds) }
        })
    }
  }

  private let waits = Waits()

  private nonisolated static func response(
    _ status: Int, _ body: String = "", _ headers: [HTTPField] = []
  ) -> HTTPResponse {
    HTTPResponse(status: status, url: "", headers: headers, body: Array(body.utf8))
  }

  /// A server that gives tokens, each another, and answers all else as told.
  private func network(_ answer: @escaping ScriptedNetworking.Answer) -> ScriptedNetworking {
    ScriptedNetworking { request, before throws(ServiceError) in
      guard request.url.hasSuffix("/oauth/token") else { return try answer(request, before) }
      return Self.response(200, #"{"access_token": "T\#(before)", "expires_in": 1200}"#)
    }
  }

  private func gateway(_ network: ScriptedNetworking, kind: String = "api-client") throws
    -> JamfGateway
  {
    JamfGateway(
      try JamfCredentials(
        entered: ["server": "https://a.b", "kind": kind, "account": "i", "secret": "s"]),
      exchange: JamfExchange(networking: network, time: waits.time),
      gate: RequestGate(capacity: 5, waitingLimit: 64))
  }

  private func result(
    _ gateway: JamfGateway, _ request: APIRequest = APIRequest(path: "/api/v1/x")
  ) async -> Result<Int, JamfFailure> {
    do throws(JamfFailure) {
      return .success(try await gateway.answer(to: request, for: "m").status)
    } catch {
      return .failure(error)
    }
  }

  @Test("many first requests at once make one login") func singleFlight() async throws {
    let network = network { _, _ throws(ServiceError) in Self.response(200, "{}") }
    let gateway = try gateway(network)
    let tasks = (0..<20).map { _ in Task { await result(gateway) } }
    for task in tasks { #expect(await task.value == .success(200)) }
    #expect(network.logins == 1)
  }

  @Test("a token is renewed before it ends, and not earlier") func renewal() async throws {
    let network = network { _, _ throws(ServiceError) in Self.response(200, "{}") }
    let gateway = try gateway(network)
    for (now, logins) in [(0, 1), (1_139_999, 1), (1_140_000, 2), (2_279_999, 2)] {
      waits.now.withLock { $0 = Int64(now) }
      #expect(await result(gateway) == .success(200))
      #expect(network.logins == logins)
    }
  }

  @Test("a token that the server forgot is renewed once for all who find out") func forgotten()
    async throws
  {
    let network = network { request, _ throws(ServiceError) in
      let isOld = request.headers.contains(HTTPField("Authorization", "Bearer T0"))
      return Self.response(isOld ? 401 : 200)
    }
    let gateway = try gateway(network)
    let tasks = (0..<5).map { _ in Task { await result(gateway) } }
    for task in tasks { #expect(await task.value == .success(200)) }
    #expect(network.logins == 2)
  }

  @Test("who finds out late that a token was forgotten does not take away the next") func late() async throws
  {
    let network = network { request, _ throws(ServiceError) in
      let isOld = request.headers.contains(HTTPField("Authorization", "Bearer T0"))
      return Self.response(isOld ? 401 : 200)
    }
    let gateway = try gateway(network)
    try await gateway.logIn()
    let slow = Task { await result(gateway, APIRequest(path: "/api/v1/slow")) }
    await Task.yield()
    #expect(await result(gateway) == .success(200))
    #expect(await slow.value == .success(200))
    #expect(network.logins == 2)
  }

  @Test("a second 401 means that the credentials are no good") func rejected() async throws {
    let network = network { _, _ throws(ServiceError) in Self.response(401) }
    #expect(await result(try gateway(network)) == .failure(.credentialsRejected))
    #expect(network.requests.count == 4)
  }

  private nonisolated static let refusals: [(Int, JamfFailure)] = [
    (400, .credentialsRejected), (401, .credentialsRejected), (403, .credentialsRejected),
    (500, .serverError(500)), (429, .rateLimited(retryAfterSeconds: nil)),
  ]

  @Test("refused credentials are tried again soon, then ever later, until they pass; others at once")
  func pauses()
    async throws
  {
    let isOpen = Mutex(false)
    let network = ScriptedNetworking { request, _ throws(ServiceError) in
      guard isOpen.withLock({ $0 }) else { return Self.response(403) }
      return Self.response(200, request.url.hasSuffix("/token") ? #"{"access_token": "T"}"# : "{}")
    }
    let gateway = try gateway(network)
    func logins(at now: Int64, _ expected: Result<Int, JamfFailure>) async -> Int {
      waits.now.withLock { $0 = now }
      #expect(await result(gateway) == expected)
      return network.logins
    }
    let refused = Result<Int, JamfFailure>.failure(.credentialsRejected)
    #expect(await logins(at: 0, refused) == 1)
    #expect(await logins(at: 999, refused) == 1)
    #expect(await logins(at: 1_000, refused) == 2)
    #expect(await logins(at: 5_999, refused) == 2)
    #expect(await result(try self.gateway(network)) == refused)
    #expect(network.logins == 3)
    isOpen.withLock { $0 = true }
    #expect(await logins(at: 6_000, .success(200)) == 4)
  }

  @Test(
    "nothing of what a login is answered reaches people: it may hold the secret",
    arguments: [
      (422, #"{"errors": [{"description": "no such secret: s3cr3t"}]}"#),
      (409, #"{"errors": [{"code": "s3cr3t", "description": "s3cr3t"}]}"#),
      (200, #"{"s3cr3t": 1, "s3cr3t": 2}"#), (200, "s3cr3t"), (200, #"{"access_token": "s3cr3t\u0007"}"#),
      (302, "s3cr3t"),
    ])
  func words(status: Int, body: String) async throws {
    let network = ScriptedNetworking { _, _ throws(ServiceError) in Self.response(status, body) }
    guard case .failure(let failure) = await result(try gateway(network)) else {
      Issue.record("it logged in")
      return
    }
    #expect(!"\(failure.what) \(failure.advice) \(failure.serviceError)".contains("s3cr3t"))
  }

  @Test("once other credentials have come, nothing more is sent with these") func retired() async throws {
    let network = network { _, _ throws(ServiceError) in Self.response(200, "{}") }
    let gateway = try gateway(network)
    #expect(await result(gateway) == .success(200))
    gateway.retire()
    let before = network.requests.count
    #expect(
      await result(gateway) == .failure(.unavailable("the credentials were changed meanwhile.")))
    #expect(network.requests.count == before)
  }

  @Test("a login that is refused says so, and one that fails says that", arguments: refusals)
  func login(status: Int, failure: JamfFailure) async throws {
    let network = ScriptedNetworking { _, _ throws(ServiceError) in Self.response(status) }
    #expect(await result(try gateway(network)) == .failure(failure))
  }

  @Test("a server that is none of Jamf's is told from one that is older") func older() async throws {
    let older = ScriptedNetworking { request, _ throws(ServiceError) in
      if request.url == "https://a.b/api/oauth/token" {
        return Self.response(200, #"{"access_token": "T"}"#)
      }
      return Self.response(request.url.hasSuffix("/token") ? 404 : 200)
    }
    #expect(await result(try gateway(older)) == .success(200))
    let other = ScriptedNetworking { _, _ throws(ServiceError) in Self.response(404) }
    guard case .failure(.unreadable) = await result(try gateway(other)) else {
      Issue.record("a stranger was taken for Jamf Pro")
      return
    }
    let page = ScriptedNetworking { _, _ throws(ServiceError) in Self.response(200, "<html>") }
    guard case .failure(.unreadable) = await result(try gateway(page)) else {
      Issue.record("a page was taken for a token")
      return
    }
  }

  @Test("a user's login is another") func user() async throws {
    let network = ScriptedNetworking { request, _ throws(ServiceError) in
      Self.response(200, request.url.hasSuffix("/auth/token") ? #"{"token": "U"}"# : "{}")
    }
    #expect(await result(try gateway(network, kind: "user")) == .success(200))
    #expect(network.requests.last?.headers.last == HTTPField("Authorization", "Bearer U"))
  }

  @Test("429 is waited out as the server asks, and given back where it does not end") func limited()
    async throws
  {
    let network = network { _, before throws(ServiceError) in
      Self.response(before < 2 ? 429 : 200, "", [HTTPField("Retry-After", "\(before + 3)")])
    }
    #expect(
      await result(try gateway(network), APIRequest(method: "POST", path: "/api/v1/x"))
        == .success(200))
    #expect(waits.kept.withLock { $0 } == [3_000, 4_000])
    let endless = self.network { _, _ throws(ServiceError) in Self.response(429) }
    #expect(await result(try gateway(endless)) == .success(429))
    #expect(endless.requests.count == 5)
  }

  @Test("what failed is asked again, unless it may have done something") func failing() async throws {
    let network = network { _, before throws(ServiceError) in
      guard before > 0 else { throw .failed(code: "connect", message: "nobody") }
      return Self.response(before > 1 ? 200 : 502)
    }
    #expect(await result(try gateway(network)) == .success(200))
    #expect(waits.kept.withLock { $0 } == [500, 2_000])
    let post = APIRequest(method: "POST", path: "/api/v1/x")
    let other = self.network { _, _ throws(ServiceError) in
      throw .failed(code: "connect", message: "nobody")
    }
    #expect(await result(try gateway(other), post) == .failure(.unreachable("nobody.")))
    #expect(other.requests.count == 2)
  }

  @Test("a request that is cancelled while it waits out a limit is not sent again") func cancelled()
    async throws
  {
    let network = network { _, _ throws(ServiceError) in
      withUnsafeCurrentTask { $0?.cancel() }
      return Self.response(429)
    }
    let gateway = try gateway(network)
    #expect(await Task { await result(gateway) }.value == .failure(.cancelled))
    #expect(network.requests.count == 2)
  }

  @Test("the token's privileges are asked for by its own record") func privileges() async throws {
    let network = network { request, _ throws(ServiceError) in
      Self.response(
        request.url == "https://a.b/api/v1/auth" ? 200 : 500,
        #"{"account": {"privileges": ["b", "a"]}}"#)
    }
    #expect(try await gateway(network).privileges(for: "m") == ["a", "b"])
  }
}
