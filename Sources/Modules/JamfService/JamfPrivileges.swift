internal import ForsettiModuleKit

/// What the token may do, in whatever shape this version of Jamf Pro tells it.
enum JamfPrivileges {
  /// Names at most; Jamf Pro knows about seven hundred.
  private static let limit = 5_000

  /// Reads the answer to `GET /api/v1/auth`: names, each once, sorted.
  static func names(_ answer: JSONValue) throws(JamfFailure) -> [String] {
    let account = answer["account"]
    let places = [
      account?["privilegesBySite"], account?["privileges"], answer["authorizations"],
      answer["privileges"],
    ]
    for place in places {
      guard let place, let names = names(in: place), !names.isEmpty else { continue }
      guard names.count <= limit else {
        throw .unreadable("it names more than \(limit) privileges.")
      }
      return names.sorted()
    }
    return []
  }

  /// A list of names, or lists of them by their site.
  private static func names(in place: JSONValue) -> Set<String>? {
    if let elements = place.elements { return Set(elements.compactMap(\.stringValue)) }
    guard let members = place.members else { return nil }
    return Set(members.flatMap { $0.value.elements ?? [] }.compactMap(\.stringValue))
  }

  /// As callers get them.
  static func json(_ names: [String]) -> JSONValue { .object([("privileges", .strings(names))]) }
}
