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

  /// The names in an answer, of what the account has or of what there is; nothing where it has no list.
  static func names(_ answer: JSONValue) -> Set<String>? {
    answer["privileges"]?.elements.map { elements in
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
