internal import ForsettiModuleKit

/// A server, and what opens it. Nothing of it is ever shown, logged or answered but the server and the kind.
struct JamfCredentials: Sendable, Hashable {
  /// How Jamf Pro is logged in to.
  enum Kind: String, Sendable, CaseIterable {
    /// An API client: its ID and its secret (OAuth 2.0 client credentials).
    case apiClient = "api-client"
    /// A user: name and password.
    case user
  }

  var server: JamfServerAddress
  var kind: Kind
  /// The client's ID, or the user's name.
  var account: String
  /// The client's secret, or the user's password.
  var secret: String

  /// The secret of the policy by which a person enters them.
  static let secretID = "jamf-credentials"
  /// Bytes of a name or a secret at most.
  private static let limit = 4_096
  private static let jsonLimits = JSONLimits(bytes: 32 << 10, depth: 2, stringBytes: limit)
}

/// What is wrong with credentials, before any server has seen them.
enum JamfCredentialFault: Error, Sendable, Hashable {
  /// It is no address of a server.
  case server
  /// The address has another scheme than https.
  case scheme
  /// Plain http to another host would show the secret to everybody between.
  case plainText
  case kind
  /// The name of this field.
  case missing(String)
  case tooLong(String)

  /// One line for people: what is wrong, and what to enter.
  var advice: String {
    switch self {
    case .server: "The server is not an address; enter one like https://tenant.jamfcloud.com."
    case .scheme: "The server's address must begin with https://."
    case .plainText:
      "Plain http is for a server on this host alone; enter an address with https://."
    case .kind:
      "The kind is one of \(JamfCredentials.Kind.allCases.map(\.rawValue).joined(separator: ", "))."
    case .missing(let field): "\(field) is missing; enter it."
    case .tooLong(let field): "\(field) is too long to be one."
    }
  }
}

extension JamfCredentials {
  /// Takes what a person entered, by the IDs of the form's fields. White space at the ends comes from copying and belongs to
  /// none of the values.
  init(entered values: [String: String]) throws(JamfCredentialFault) {
    func value(_ field: String) throws(JamfCredentialFault) -> String {
      guard let text = values[field]?.trimmedScalars, !text.isEmpty else { throw .missing(field) }
      guard text.utf8.count <= Self.limit else { throw .tooLong(field) }
      return text
    }
    server = try JamfServerAddress(entered: value("server"))
    guard let kind = Kind(rawValue: try value("kind")) else { throw .kind }
    self.kind = kind
    account = try value("account")
    secret = try value("secret")
  }

  /// As they are sealed.
  var sealed: [UInt8] {
    JSONWriter.bytes(
      .object([
        ("server", .string(server.text)), ("kind", .string(kind.rawValue)),
        ("account", .string(account)),
        ("secret", .string(secret)),
      ]))
  }

  /// Reads what was sealed; nothing where it is another text.
  init?(sealed bytes: [UInt8]) {
    guard let root = try? JSONParser.parse(bytes, limits: Self.jsonLimits).root else { return nil }
    var values: [String: String] = [:]
    for member in root.members ?? [] { values[member.key] = member.value.stringValue }
    guard let credentials = try? JamfCredentials(entered: values) else { return nil }
    self = credentials
  }
}
