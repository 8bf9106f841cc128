import ForsettiModuleKit
import Synchronization

/// A provider of the api role that says what the test says, and keeps what it was asked.
final class ScriptedAPI: APIService {
  typealias Answer = @Sendable (APIRequest) throws(ServiceError) -> APIResponse

  let answer: Answer
  private let kept = Mutex<[APIRequest]>([])

  init(_ answer: @escaping Answer) { self.answer = answer }

  /// Always the same answer.
  convenience init(status: Int = 200, headers: [HTTPField] = [], _ body: String) {
    self.init { _ throws(ServiceError) in
      APIResponse(status: status, headers: headers, body: Array(body.utf8))
    }
  }

  /// What it was asked.
  var requests: [APIRequest] { kept.withLock { $0 } }

  nonisolated(nonsending) func request(_ request: APIRequest) async throws(ServiceError) -> APIResponse {
    kept.withLock { $0.append(request) }
    return try answer(request)
  }
}

extension APIRequest {
  /// The value of a parameter of the query.
  func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
