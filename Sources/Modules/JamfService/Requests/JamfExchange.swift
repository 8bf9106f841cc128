internal import ForsettiModuleKit

/// Sends one request and waits out what passes by itself. A status that needs another token is the caller's to see to.
@MainActor
struct JamfExchange {
  let networking: any NetworkingService
  let time: JamfTime
  /// Told of each further try.
  let onRetry: @MainActor (HTTPRequest, JamfAttempts.Outcome) -> Void
  private let session = StickySession()

  init(
    networking: any NetworkingService, time: JamfTime,
    onRetry: @escaping @MainActor (HTTPRequest, JamfAttempts.Outcome) -> Void = { _, _ in }
  ) {
    self.networking = networking
    self.time = time
    self.onRetry = onRetry
  }

  /// The answer of any status but 401, for which `renew` is asked: it gives the request with another token, or nothing where
  /// there is none to be had.
  func answer(
    to first: HTTPRequest, attempts: JamfAttempts,
    renew: () async throws(JamfFailure) -> HTTPRequest? = { () throws(JamfFailure) in nil }
  ) async throws(JamfFailure) -> HTTPResponse {
    var (request, attempts) = (first, attempts)
    while true {
      let answer = await perform(request)
      switch attempts.next(outcome(answer)) {
      case .done: return try finish(answer)
      case .reject: throw .credentialsRejected
      case .renewToken:
        guard let renewed = try await renew() else { return try finish(answer) }
        request = renewed
      case .wait(let milliseconds):
        onRetry(request, outcome(answer))
        do { try await time.wait(milliseconds) } catch { throw .cancelled }
      }
    }
  }

  private func perform(_ request: HTTPRequest) async -> Result<HTTPResponse, ServiceError> {
    do throws(ServiceError) {
      let marked = session.marking(request, at: time.now())
      let response = try await networking.data(marked)
      session.hear(response, to: marked)
      return .success(response)
    } catch { return .failure(error) }
  }

  private func outcome(_ answer: Result<HTTPResponse, ServiceError>) -> JamfAttempts.Outcome {
    switch answer {
    case .success(let response):
      .status(response.status, retryAfter: RetryAfter.seconds(response.headers))
    case .failure(let error) where JamfFailure.isWorthAnotherTry(networking: error): .noAnswer
    // No status at all: nothing is to be tried again.
    case .failure: .status(0, retryAfter: nil)
    }
  }

  private func finish(_ answer: Result<HTTPResponse, ServiceError>) throws(JamfFailure)
    -> HTTPResponse
  {
    switch answer {
    case .success(let response): return response
    case .failure(let error): throw JamfFailure(networking: error)
    }
  }
}
