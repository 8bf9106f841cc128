import ForsettiControlClient
import ForsettiCore
import ForsettiHTTP
import ForsettiIPC

/// The console's way to the supervisor: a connection to the control socket for each question. What it may ask is what its
/// connections are for; what comes back is passed on as it is.
struct SupervisorLink: Sendable {
  /// Makes a connection.
  let connect: ConsoleService.Connect

  /// The answer to a call, and its items as text.
  func ask(_ operation: String, _ request: JSONValue = .object([])) throws(ControlClientError) -> Reply {
    var channel = try connect()
    return try Self.ask(&channel, operation, request)
  }

  /// The same over a connection that is kept.
  static func ask(
    _ channel: inout ControlChannel, _ operation: String, _ request: JSONValue
  ) throws(ControlClientError) -> Reply {
    try channel.begin(operation, request.control)
    var items = ControlItemText()
    let answer = try channel.answer(addingItemsTo: &items)
    return Reply(answer: try json(answer), items: items)
  }

  /// The items of a call as values.
  func items(of operation: String) throws(ControlClientError) -> [JSONValue] {
    var channel = try connect()
    try channel.begin(operation, .map([]))
    var items: [JSONValue] = []
    while let step = try channel.next() {
      switch step {
      case .item(let value): items.append(try Self.json(value))
      case .answer: return items
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
    var items: ControlItemText

    /// The items as an array.
    var list: [UInt8] { [UInt8(ascii: "[")] + items.bytes + [UInt8(ascii: "]")] }

    /// The answer as an object that has the items as a member.
    func text(items name: String) -> [UInt8] {
      let members = (answer.members ?? []).filter { $0.key != name }
      var text = JSONWriter.bytes(JSONValue(.object(members)))
      text.removeLast()
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text += JSONWriter.bytes(.string(name))
      text.append(UInt8(ascii: ":"))
      text += list
      text.append(UInt8(ascii: "}"))
      return text
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
