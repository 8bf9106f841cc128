import ForsettiCore
import ForsettiIPC
import ForsettiRuntime

/// A method of a provider role that a person may call: its JSON in and out, and the call between them.
struct OperatorMethod: Sendable {
  typealias Work =
    @ReactorActor @Sendable (
      JSONCursor, ModuleManager, String
    ) async throws(ControlFailure) -> JSONValue

  /// As in `api.request`.
  let name: String
  let call: Work

  private init<Request, Response>(
    _ method: ServiceMethod<Request, Response>,
    _ request: @escaping @Sendable (JSONCursor) throws(JSONFault) -> Request,
    _ response: @escaping @Sendable (Response) -> JSONValue
  ) {
    name = method.info.name
    call = { (json, manager, person) throws(ControlFailure) in
      let asked: Request
      do throws(JSONFault) { asked = try request(json) } catch {
        throw ControlFailure(
          .invalidRequest, .usage,
          "parameters\(error.pointer.isEmpty ? "" : " " + error.pointer): \(error.reason)")
      }
      do throws(ServiceError) {
        return response(try await manager.call(method, asked, inTheNameOf: person))
      } catch { throw ControlFailure(error) }
    }
  }

  /// Every method, sorted by name. Tokens are not issued to persons.
  static let all: [OperatorMethod] = [
    OperatorMethod(APIMethods.request, APIRequest.init(operator:), \.operatorJSON),
    OperatorMethod(AuthenticationMethods.identity, { _ in Nothing() }, \.operatorJSON),
    OperatorMethod(
      AuthenticationMethods.verify, { (json) throws(JSONFault) in try json.required("token").string() },
      { claims in .object(claims.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }) }),
    OperatorMethod(
      DiagnosticsMethods.events, DiagnosticFilter.init(operator:), { .array($0.map(\.operatorJSON)) }),
    OperatorMethod(SharedDatabaseMethods.execute, SQLStatement.init(operator:), { .integer($0) }),
    OperatorMethod(SharedDatabaseMethods.query, SQLStatement.init(operator:), \.operatorJSON),
  ]

  /// The one that a person means.
  static func find(role: String, method: String) throws(ControlFailure) -> OperatorMethod {
    if let found = all.first(where: { $0.name == "\(role).\(method)" }) { return found }
    let names = all.map { $0.name.replacing(".", with: " ") }
    throw ControlFailure(
      .invalidRequest, .usage,
      "nobody calls \(role.quoted()) \(method.quoted()) by hand; there are \(names.joined(separator: ", "))")
  }
}

extension ControlFailure {
  /// A call of a module that came to nothing.
  init(_ error: ServiceError) {
    switch error {
    case .invalidArgument(let name, let reason):
      self.init(.invalidRequest, .usage, "\(name): \(reason)")
    case .serviceDenied(_, let detail): self.init(.failed, .noPermission, "denied: \(detail)")
    case .serviceUnavailable(let role, let why): self.init(.failed, .unavailable, "\(role): \(why)")
    case .deadlineExceeded:
      self.init(.deadlineExceeded, .temporaryFailure, "the module did not answer in time")
    case .notFound(let what): self.init(.failed, .dataError, "not found: \(what)")
    default: self.init(.failed, .unavailable, "\(error)")
    }
  }
}
