internal import ForsettiModuleKit

/// How this host stands with Jamf Pro, as others may know it.
struct JamfConnection: Sendable, Hashable {
  enum State: String, Sendable {
    /// No credentials are kept.
    case notConfigured
    /// Credentials are kept and nothing is known yet.
    case configured
    /// The last login or request was answered.
    case connected
    /// The server takes the credentials no more.
    case credentialsRejected
    /// The server gave no answer that can be used.
    case unreachable
  }

  /// The event that tells of a change, and the message that answers a question.
  static let eventType = JamfServiceManifest.manifest.moduleID + ".connection"
  /// The message by which a module asks.
  static let questionType = eventType + ".ask"

  var state = State.notConfigured
  var server: JamfServerAddress?
  var kind: JamfCredentials.Kind?
  /// Since when it is so, in milliseconds since 1970.
  var since: Int64

  /// Whether it is so already.
  func says(_ state: State, _ credentials: JamfCredentials) -> Bool {
    self.state == state && server == credentials.server && kind == credentials.kind
  }

  /// What an event or a message says of it.
  var payload: [String: String] {
    var payload = ["state": state.rawValue, "since": "\(since)"]
    payload["server"] = server?.text
    payload["kind"] = kind?.rawValue
    return payload
  }

  /// The same for programs that ask by the api role.
  var json: JSONValue {
    .object([
      ("state", .string(state.rawValue)), ("server", .string(server?.text)),
      ("kind", .string(kind?.rawValue)),
      ("since", .integer(since)),
    ])
  }
}

extension JamfConnection.State {
  /// What a failure tells of the connection; nothing for one that is of the request alone.
  init?(_ failure: JamfFailure) {
    switch failure {
    case .credentialsRejected: self = .credentialsRejected
    case .unreachable: self = .unreachable
    case .notConfigured: self = .notConfigured
    default: return nil
    }
  }
}
