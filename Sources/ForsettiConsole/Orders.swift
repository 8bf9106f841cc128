import ForsettiControlClient
import ForsettiCore
import ForsettiHTTP

/// What the pages have the supervisor do. A path is an operation of the control socket that takes the right to change, but
/// for `render`, which is a question with parameters, and `setSecret`; the body is its request. No other trust is given
/// here: whoever accepts a registration looks at what it is, in a terminal.
struct Orders {
  /// The operations that a page may ask for.
  static let operations: Set<String> = [
    "activate", "deactivate", "restart", "reset", "select-ui", "render", "publish", "retry",
    "setSecret",
  ]

  let link: SupervisorLink

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    let operation = String(request.path.dropFirst("/api/".count))
    guard Self.operations.contains(operation) else { return .failure(.notFound, "nothing is done this way") }
    guard request.headers["Content-Type"] == "application/json", let body = request.json, body.members != nil
    else {
      return .failure(.badRequest, "an object of JSON is meant")
    }
    do throws(ControlClientError) { return .json(.ok, try link.ask(operation, body).answer) } catch {
      return HTTPResponse(error)
    }
  }
}
