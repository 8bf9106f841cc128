import ForsettiControlClient
import ForsettiCore
import ForsettiHTTP
import ForsettiIPC

/// The console's way to the supervisor: a connection to the control socket for each question. What it may ask is what its
/// connections are for; what comes back is passed on as it is.
struct SupervisorLink: Sendable {
  /// Makes a connection.
  let connect: ConsoleService.Connect

  /// The answer to a call, and its items under `items` where it has any.
  func ask(_ operation: String, _ request: JSONValue = .object([])) throws(ControlClientError) -> Reply {
    var channel = try connect()
    return try Self.ask(&channel, operation, request)
  }

  /// The same over a connection that is kept.
  static func ask(
    _ channel: inout ControlChannel, _ operation: String, _ request: JSONValue = .object([])
  ) throws(ControlClientError) -> Reply {
    try channel.begin(operation, request.control)
    var items: [JSONValue] = []
    while let step = try channel.next() {
      switch step {
      case .item(let value): items.append(try json(value))
      case .answer(let value): return Reply(answer: try json(value), items: items)
      case .dropped, .silence: continue
      }
    }
    throw .ended
  }

  static func json(_ value: CBORValue) throws(ControlClientError) -> JSONValue {
    do throws(ControlValueError) { return try JSONValue(control: value) } catch { throw .strange("\(error)") }
  }

  /// What comes of a call.
  struct Reply: Sendable {
    var answer: JSONValue
    var items: [JSONValue]

    /// The answer with its items as a member.
    func json(items name: String) -> JSONValue {
      let members = (answer.members ?? []).filter { $0.key != name }
      return JSONValue(.object(members + [JSONMember(key: name, value: .array(items))]))
    }
  }
}

extension HTTPResponse {
  /// Why the supervisor did not do it.
  init(_ error: ControlClientError) {
    switch error {
    case .refused(let failure):
      let status: HTTPStatus =
        switch failure.code {
        case .denied: .forbidden
        case .busy: .unavailable
        case .invalidRequest: .badRequest
        default: .conflict
        }
      self = .failure(status, failure.message, details: failure.details)
    case .tooLong: self = .failure(.contentTooLarge, "\(error)")
    case .strange: self = .failure(.badGateway, "\(error)")
    case .absent, .unreachable, .ended, .silent: self = .failure(.unavailable, "\(error)")
    }
  }
}
