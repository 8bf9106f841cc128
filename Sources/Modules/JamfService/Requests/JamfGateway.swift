internal import ForsettiModuleKit

/// All requests to one server with one set of credentials.
@MainActor
final class JamfGateway {
  let credentials: JamfCredentials
  private let tokens: JamfTokens
  private let exchange: JamfExchange
  private let gate: RequestGate
  /// Whether other credentials have taken the place of these.
  private var isRetired = false

  /// - Parameter gate: shared by gateways that follow each other: the server is mostly the same.
  init(_ credentials: JamfCredentials, exchange: JamfExchange, gate: RequestGate) {
    self.credentials = credentials
    self.exchange = exchange
    self.gate = gate
    tokens = JamfTokens(credentials, exchange: exchange, time: exchange.time)
  }

  /// Sends nothing more: what waits is for other credentials now, and perhaps for another server.
  func retire() { isRetired = true }

  private func current() async throws(JamfFailure) -> JamfToken {
    let token = try await tokens.current()
    guard !isRetired else { throw .unavailable("the credentials were changed meanwhile.") }
    return token
  }

  /// Shows that the credentials are good.
  func logIn() async throws(JamfFailure) { _ = try await tokens.current() }

  /// Jamf Pro's answer, of whatever status but 401.
  func answer(to request: APIRequest, for caller: String) async throws(JamfFailure) -> APIResponse {
    try await gate.pass(for: caller) { () async throws(JamfFailure) in
      var token = try await current()
      let response = try await exchange.answer(
        to: JamfRequest.request(request, to: credentials.server, with: token),
        attempts: JamfAttempts(method: request.method, hasBody: !request.body.isEmpty)
      ) { () async throws(JamfFailure) in
        tokens.drop(token)
        token = try await current()
        return JamfRequest.request(request, to: credentials.server, with: token)
      }
      return JamfRequest.response(response)
    }
  }

  /// What the token may do, by its name, sorted.
  func privileges(for caller: String) async throws(JamfFailure) -> [String] {
    let path = "/api/v1/auth"
    let response = try await answer(to: APIRequest(path: path), for: caller)
    return try JamfPrivileges.names(JamfAnswer.json(response, of: path))
  }
}
