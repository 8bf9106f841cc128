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
    let (answer, items) = try Self.ask(&channel, operation, request, of: JSONValue.self)
    return Reply(answer: answer, items: items)
  }

  /// The answer to a call whose items are records, of which no more is read than the record has.
  func ask<Item: ControlRecord>(
    _ operation: String, _ request: JSONValue, of type: Item.Type
  ) throws(ControlClientError) -> (answer: JSONValue, items: [Item]) {
    var channel = try connect()
    return try Self.ask(&channel, operation, request, of: type)
  }

  /// The same over a connection that is kept.
  static func ask<Item: ControlValue>(
    _ channel: inout ControlChannel, _ operation: String, _ request: JSONValue, of type: Item.Type
  ) throws(ControlClientError) -> (answer: JSONValue, items: [Item]) {
    try channel.begin(operation, request.control)
    var items: [Item] = []
    while let step = try channel.next() {
      switch step {
      case .item(let value): items.append(try read(value))
      case .answer(let value): return (try json(value), items)
      case .dropped, .silence: continue
      }
    }
    throw .ended
  }

  private static func read<Value: ControlValue>(_ value: CBORValue) throws(ControlClientError) -> Value {
    do throws(ControlValueError) { return try Value(control: value) } catch { throw .strange("\(error)") }
  }

  static func json(_ value: CBORValue) throws(ControlClientError) -> JSONValue { try read(value) }

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
