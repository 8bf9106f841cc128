internal import ForsettiModuleKit

/// The one token of one set of credentials. Whoever needs it while it is being fetched waits for the same login.
@MainActor
final class JamfTokens {
  private let credentials: JamfCredentials
  private let exchange: JamfExchange
  private let time: JamfTime
  private var token: JamfToken?
  private var login: Task<Result<JamfToken, JamfFailure>, Never>?
  private var patience = LoginPatience()

  init(_ credentials: JamfCredentials, exchange: JamfExchange, time: JamfTime) {
    self.credentials = credentials
    self.exchange = exchange
    self.time = time
  }

  /// A token that holds for a while yet.
  func current() async throws(JamfFailure) -> JamfToken {
    if let token, token.isFresh(at: time.now()) { return token }
    guard login != nil || patience.allowsLogin(at: time.now()) else { throw .credentialsRejected }
    let login = self.login ?? begin()
    // Not cancelled with this caller: others may wait for the same.
    let result = await login.value
    guard !Task.isCancelled else { throw .cancelled }
    return try result.get()
  }

  /// Jamf Pro took this token no more. Of many requests that find out, the first has it renewed.
  func drop(_ refused: JamfToken) { if token == refused { token = nil } }

  private func begin() -> Task<Result<JamfToken, JamfFailure>, Never> {
    let task = Task { @MainActor [weak self] () -> Result<JamfToken, JamfFailure> in
      guard let self else { return .failure(.cancelled) }
      let result: Result<JamfToken, JamfFailure>
      do throws(JamfFailure) { result = .success(try await self.fetch()) } catch {
        result = .failure(error)
      }
      self.take(result)
      return result
    }
    login = task
    return task
  }

  private func take(_ result: Result<JamfToken, JamfFailure>) {
    login = nil
    token = try? result.get()
    switch result {
    case .success: patience.noteSuccess()
    case .failure(.credentialsRejected): patience.noteRefusal(at: time.now())
    // Nobody has looked at the credentials.
    case .failure: break
    }
  }

  private func fetch() async throws(JamfFailure) -> JamfToken {
    for request in JamfLogin.requests(credentials) {
      // A login changes nothing, so it may be tried again as a GET may.
      let response = try await exchange.answer(
        to: request, attempts: JamfAttempts(method: "GET", hasBody: false))
      if JamfLogin.isUnknownPath(response.status) { continue }
      if JamfLogin.isRejection(response.status) { throw .credentialsRejected }
      return try JamfLogin.token(in: response, of: credentials.kind, at: time.now())
    }
    throw .unreadable("it knows no login; is it a Jamf Pro server?")
  }
}
