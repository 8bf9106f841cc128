internal import ForsettiModuleKit

/// Passwords of local administrators that Jamf manages (LAPS).
enum LocalPasswords {
  /// An account on one Mac.
  struct Account: Sendable, Equatable {
    var username: String
    var guid: String?
  }

  /// Accounts of one Mac that are looked at.
  private static let limit = 8
  /// Bytes of an account's name at most.
  static let nameLimit = 255

  /// Where the calls of one Mac begin.
  static func path(_ managementID: String) -> String { "/api/v2/local-admin-password/\(managementID)" }

  /// The accounts in an answer; those without a name are none.
  static func accounts(in answer: JSONValue) -> [Account] {
    (answer["results"]?.elements ?? answer.elements ?? []).prefix(limit).compactMap { row in
      row.supportText("username").map {
        Account(username: $0, guid: SupportText.uuid(row.supportText("guid")))
      }
    }
  }

  /// What a new password is called where it waits to be shown.
  /// - Parameter time: that of the order, in milliseconds since 1970: where nobody knows whether an order was carried out
  ///   and it is given again, two passwords of one account wait, and the later one holds.
  static func title(account: String, orderedAt time: Int64) -> String {
    "New password of \(account.plain(limit: 60)), ordered at \(timestampText(time))"
  }

  /// What sets passwords: Jamf wants each by its account.
  static func body(_ passwords: [(username: String, password: String)]) -> JSONValue {
    let list = passwords.map { entry in
      JSONValue.object([("username", .string(entry.username)), ("password", .string(entry.password))])
    }
    return .object([("lapsUserPasswordList", .array(list))])
  }
}
