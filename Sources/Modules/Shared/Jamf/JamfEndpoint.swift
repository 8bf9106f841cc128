/// A call of Jamf Pro's API as a module makes it, and what the account needs for it. Tests hold these values to the
/// requests that the modules really send, and to what a server refuses.
struct JamfEndpoint: Sendable, Hashable {
  let method: String
  /// `{}` stands for one segment that differs, such as an ID.
  let pattern: String
  /// All of them are needed.
  let privileges: [JamfPrivilege]

  init(_ method: String, _ pattern: String, needs privileges: [JamfPrivilege]) {
    self.method = method
    self.pattern = pattern
    self.privileges = privileges
  }

  /// The same call in several versions of the API, in this order; `{v}` in the pattern stands for the number.
  static func versions(
    _ versions: [Int], _ method: String, _ pattern: String, needs privileges: [JamfPrivilege]
  ) -> [JamfEndpoint] {
    versions.map { version in
      let parts = pattern.split(separator: "{v}", omittingEmptySubsequences: false)
      return JamfEndpoint(method, parts.joined(separator: "\(version)"), needs: privileges)
    }
  }

  /// The path of a request.
  /// - Parameter segment: what stands in each place that differs; without a slash in it.
  func path(_ segment: String = "") -> String {
    pattern.split(separator: "{}", omittingEmptySubsequences: false).joined(separator: segment)
  }

  /// Whether a request is this call.
  func covers(method: String, path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let places = pattern.split(separator: "/", omittingEmptySubsequences: false)
    return method == self.method && parts.count == places.count
      && zip(places, parts).allSatisfy { $0 == "{}" ? !$1.isEmpty : $0 == $1 }
  }
}
