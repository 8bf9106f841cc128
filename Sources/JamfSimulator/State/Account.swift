/// Who may log in. These secrets guard nothing: the server is made up, and they are in its documentation.
struct Account: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// OAuth client credentials.
    case client
    /// A username with a password.
    case user
  }

  var kind: Kind
  var name: String
  var secret: String
  var privileges: Set<Privilege>

  static let all = [
    Account(
      kind: .client, name: "forsetti-demo", secret: "forsetti-demo-secret",
      privileges: Set(Privilege.allCases)),
    Account(
      kind: .client, name: "forsetti-reader", secret: "forsetti-reader-secret", privileges: Privilege.reading),
    Account(kind: .client, name: "forsetti-nobody", secret: "forsetti-nobody-secret", privileges: []),
    Account(kind: .user, name: "demo", secret: "demo-password", privileges: Set(Privilege.allCases)),
  ]

  /// The account of these credentials.
  static func find(_ kind: Kind, name: String, secret: String) -> Account? {
    all.first { $0.kind == kind && $0.name == name && $0.secret == secret }
  }
}
