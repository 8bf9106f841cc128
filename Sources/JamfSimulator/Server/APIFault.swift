import ForsettiCore
import ForsettiHTTP

/// A refusal in the shape that the Pro API gives all of them.
struct APIFault: Error, Sendable, Equatable {
  var status: HTTPStatus
  /// As `INVALID_FIELD`.
  var code: String
  var description: String
  /// The parameter or member at fault.
  var field: String?

  init(_ status: HTTPStatus, _ code: String, _ description: String, field: String? = nil) {
    self.status = status
    self.code = code
    self.description = description
    self.field = field
  }

  static let unauthorized = APIFault(.unauthorized, "INVALID_TOKEN", "Unauthorized")
  static let forbidden = APIFault(.forbidden, "INVALID_PRIVILEGE", "Forbidden")

  static func notFound(_ what: String) -> APIFault { APIFault(.notFound, "INVALID_ID", what, field: "id") }
  static func invalid(_ field: String, _ description: String) -> APIFault {
    APIFault(.badRequest, "INVALID_FIELD", description, field: field)
  }

  var response: ServerResponse {
    .json(
      .object([
        ("httpStatus", .integer(status.rawValue)),
        (
          "errors",
          .array([
            .object([
              ("code", .string(code)), ("description", .string(description)), ("id", .string("0")),
              ("field", .string(field)),
            ])
          ])
        ),
      ]), status)
  }
}

extension ServerResponse {
  /// An answer of JSON.
  static func json(_ value: JSONValue, _ status: HTTPStatus = .ok) -> ServerResponse {
    ServerResponse(status, headers: ["Content-Type": "application/json"], body: JSONWriter.bytes(value))
  }

  /// An answer without a body.
  static let nothing = ServerResponse(.noContent)
}
