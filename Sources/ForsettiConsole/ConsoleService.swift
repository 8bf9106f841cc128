public import ForsettiControlClient
public import ForsettiCore
public import ForsettiHTTP
import ForsettiIPC
import Synchronization

/// The web console (docs/console.md): pages, sessions, and questions and orders passed on to the control socket.
public final class ConsoleService: Sendable {
  /// Makes a connection to the control socket.
  public typealias Connect = @Sendable () throws(ControlClientError) -> ControlChannel

  private let address: ListenAddress
  private let link: SupervisorLink
  private let sessions: Mutex<Sessions>
  /// Guesses of the token: five at once, then one a second.
  private let guesses = Mutex(TokenBucket(perSecond: 1, burst: 5))
  private let begin = SuspendingClock.now

  /// What the console lets browsers have.
  public static var limits: HTTPLimits {
    var limits = HTTPLimits()
    // The supervisor takes 32 connections of one user, and there are others than this console.
    limits.connections = 24
    limits.streams = 12
    limits.bodyBytes = 65_536
    return limits
  }

  /// Makes a console.
  /// - Parameters:
  ///   - address: where it listens, which a request must name as its host.
  ///   - token: who shows it may come in.
  ///   - connect: makes its connections to the supervisor.
  public init(address: ListenAddress, token: String, connect: @escaping Connect) {
    self.address = address
    link = SupervisorLink(connect: connect)
    sessions = Mutex(Sessions(token: token))
  }

  /// Answers a request.
  public func answer(_ request: ForsettiHTTP.HTTPRequest) -> ForsettiHTTP.HTTPResponse {
    do throws(Gate.Refusal) {
      try Gate.check(request, at: address)
      return try route(request).guarded()
    } catch { return error.response.guarded() }
  }

  private func route(_ request: HTTPRequest) throws(Gate.Refusal) -> HTTPResponse {
    switch (request.method, request.path) {
    case ("GET", "/healthz"): return HTTPResponse(.ok, "ok\n")
    case ("GET", "/readyz"): return readiness()
    case ("GET", "/metrics"): return try metrics(request)
    case ("POST", "/api/session"): return signIn(request)
    case ("GET", "/api/session"):
      return .json(.ok, .record(["csrf": .string(try session(of: request).csrf)]))
    case ("DELETE", "/api/session"):
      let session = try changing(request)
      sessions.withLock { $0.end(session.id) }
      return HTTPResponse(.noContent)
    case ("GET", let path) where path.hasPrefix("/api/"):
      _ = try session(of: request)
      return Questions(link: link).answer(request)
    case ("POST", let path) where path.hasPrefix("/api/"):
      _ = try changing(request)
      return Orders(link: link).answer(request)
    case ("GET", let path), ("HEAD", let path):
      return StaticFiles.response(to: path) ?? .failure(.notFound, "there is no such page")
    default: return .failure(.methodNotAllowed, "GET, POST and DELETE are known here")
    }
  }

  // MARK: Sessions

  private func session(of request: HTTPRequest) throws(Gate.Refusal) -> Sessions.Session {
    guard let id = request.cookie(Gate.cookieName(at: address)),
      let session = sessions.withLock({ $0.find(id, at: .now) })
    else { throw .session }
    return session
  }

  private func changing(_ request: HTTPRequest) throws(Gate.Refusal) -> Sessions.Session {
    let session = try session(of: request)
    try Gate.checkChange(request, of: session)
    return session
  }

  private func signIn(_ request: HTTPRequest) -> HTTPResponse {
    // Only a page of our own may send JSON: for another site's a browser would ask us first, and get no answer.
    guard request.headers["Content-Type"] == "application/json",
      let token = request.json?["token"]?.stringValue
    else { return .failure(.badRequest, "a token is meant") }
    guard isRight(token) else {
      return .failure(.forbidden, "the token is wrong, or there were too many wrong ones")
    }
    let session = sessions.withLock { $0.begin(at: .now) }
    var response = HTTPResponse.json(.ok, .record(["csrf": .string(session.csrf)]))
    response.headers["Set-Cookie"] =
      "\(Gate.cookieName(at: address))=\(session.id); Path=/; HttpOnly; SameSite=Strict"
    return response
  }

  /// Whether it is the token. Every guess costs, so that nobody tries many; the right one does too.
  private func isRight(_ token: String) -> Bool {
    let now = UInt64(clamping: begin.duration(to: .now).components.seconds) * 1_000_000_000
    return guesses.withLock { $0.take(now: now) } && sessions.withLock { $0.isToken(token) }
  }

  // MARK: What programs ask

  private func readiness() -> HTTPResponse {
    do throws(ControlClientError) {
      let state = try link.ask("health").answer["state"]?.stringValue ?? ""
      return HTTPResponse(state == "ready" ? .ok : .unavailable, state + "\n")
    } catch { return HTTPResponse(.unavailable, "\(error)\n") }
  }

  /// For a browser with a session, or whoever shows the token as RFC 6750 has it.
  private func metrics(_ request: HTTPRequest) throws(Gate.Refusal) -> HTTPResponse {
    let scheme = "Bearer "
    if let header = request.headers["Authorization"], header.hasPrefix(scheme) {
      guard isRight(String(header.dropFirst(scheme.count))) else { throw .session }
    } else {
      _ = try session(of: request)
    }
    do throws(ControlClientError) {
      let text = try link.items(of: "metrics").compactMap(\.stringValue).joined()
      return HTTPResponse(.ok, text, type: "application/openmetrics-text; version=1.0.0; charset=utf-8")
    } catch { return HTTPResponse(error) }
  }
}

extension HTTPRequest {
  /// The body as JSON; `nil` where it is none.
  var json: JSONValue? { try? JSONParser.parse(body).root }
}
