internal import ForsettiModuleKit

/// What a Mac says of its temporary administrator, in extension attributes.
struct TemporaryAdminReport: Sendable, Equatable {
  enum Status: Sendable, Equatable {
    /// It says nothing, or that nobody asked.
    case none
    case elevated
    /// Whoever asked had the rights already.
    case alreadyAdmin
    case demoted
    /// It could not be done, or it says what nobody knows.
    case failed(String)
  }

  var status: Status
  /// Milliseconds since 1970, as `changed`; nothing where it is no date.
  var expires: Int64?
  var changed: Int64?

  /// A Mac's clock may be so far behind, in milliseconds: 2 minutes.
  static let clockSlack: Int64 = 120_000

  /// Reads a record.
  init(_ record: JSONValue) {
    func value(_ name: String) -> String? {
      let attribute = record["extensionAttributes"]?.elements?.first { attribute in
        attribute.supportText("name")?.hasSameScalars(as: "Temporary Admin \(name)") ?? false
      }
      return attribute?["values"]?.elements?.first?.supportScalar
    }
    status = Self.status(value("Status"))
    expires = value("Expires At").flatMap { CivilTime(iso8601: $0)?.milliseconds }
    changed = value("Last Change").flatMap { CivilTime(iso8601: $0)?.milliseconds }
  }

  /// Whether it answers a request of this time rather than one before it.
  func answers(requestAt time: Int64) -> Bool { changed.map { $0 >= time - Self.clockSlack } ?? false }

  static func status(_ text: String?) -> Status {
    let word = (text ?? "").trimmedScalars.lowercased().replacingSpaces
    switch word {
    case "", "not_reported", "not_requested": return .none
    case "elevated", "expired_pending_demotion": return .elevated
    case "already_admin": return .alreadyAdmin
    case "demoted": return .demoted
    default: return .failed((text ?? "").plain(limit: 120))
    }
  }
}

extension String {
  /// With underscores for spaces, as scripts write words.
  fileprivate var replacingSpaces: String { String(map { $0 == " " ? "_" : $0 }) }
}
