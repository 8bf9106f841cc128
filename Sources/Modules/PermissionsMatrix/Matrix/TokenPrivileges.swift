internal import ForsettiModuleKit

/// What the account may do by its own words, and what this server knows of.
struct TokenPrivileges: Sendable, Equatable {
  /// Names, as the server has them.
  let held: Set<String>
  /// Every privilege that there is on this server; nothing where the account may not ask.
  let catalogue: Set<String>?

  /// Names at most, and bytes of one; Jamf Pro has some hundreds.
  private static let limit = 5_000
  private static let nameLimit = 200

  /// What GET `/api/v1/auth` says; nothing where it has no list. Versions differ in where it stands.
  static func held(_ answer: JSONValue) -> Set<String>? {
    let account = answer["account"]
    let places = [
      account?["privilegesBySite"], account?["privileges"], answer["authorizations"], answer["privileges"],
    ]
    guard let list = places.lazy.compactMap({ $0 }).first(where: { !$0.isNull }) else { return nil }
    // By site: what holds in any of them is had.
    return names(list.members.map { $0.flatMap { $0.value.elements ?? [] } } ?? list.elements)
  }

  /// What GET `/api/v1/api-role-privileges` says.
  static func catalogue(_ answer: JSONValue) -> Set<String>? { names(answer["privileges"]?.elements) }

  private static func names(_ elements: [JSONValue]?) -> Set<String>? {
    elements.map { elements in
      Set(elements.prefix(limit).compactMap(\.stringValue).filter { $0.utf8.count <= nameLimit })
    }
  }

  /// The names that the modules need and this server doesn't know: another version of Jamf Pro calls them otherwise.
  var unknown: [String] {
    guard let catalogue else { return [] }
    return Set(PermissionMatrix.rows.flatMap { JamfRequirement($0.action).names }).subtracting(catalogue)
      .sorted()
  }
}
