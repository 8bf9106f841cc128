internal import ForsettiModuleKit

/// A request to Jamf as a value.
struct SupportCall: Sendable {
  enum Body: Sendable {
    case none
    case json(JSONValue)
    case xml(String)
    /// An upload.
    case form(MultipartForm)
  }

  var method: String
  /// With its leading slash.
  var path: String
  var query: [(String, String)] = []
  var body: Body = .none

  static func get(_ path: String, _ query: [(String, String)] = []) -> SupportCall {
    SupportCall(method: "GET", path: path, query: query)
  }

  static func post(_ path: String, _ body: Body = .none) -> SupportCall {
    SupportCall(method: "POST", path: path, body: body)
  }
}

/// Requests of one meaning, the first that Jamf takes decides.
struct SupportAttempts: Sendable {
  /// When the next is tried. A request that may have been taken is never followed by another.
  enum Rule: Sendable, Equatable {
    /// The server is older and has no such call (404, 405).
    case endpointMissing
    /// Any answer that says that nothing was done.
    case refused
  }

  var calls: [SupportCall]
  var rule: Rule = .endpointMissing
}
