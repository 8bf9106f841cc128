internal import ForsettiModuleKit

/// A PreStage: what it is called, and what Jamf calls it by.
struct PrestageReference: Sendable, Hashable {
  /// Goes into the paths of requests, so it is made of letters, digits and hyphens alone.
  let id: String
  /// Safe to show on one line.
  let name: String

  /// PreStages of a server at most: a view lists them all as places to move to.
  static let limit = 1_000
  /// Characters of a name that are kept.
  static let nameLimit = 60

  /// - Returns: nothing where the ID could not stand in a path.
  init?(id: String, name: String?) {
    guard (1...36).contains(id.utf8.count),
      id.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
      })
    else { return nil }
    self.id = id
    let shown = name.map { $0.trimmedScalars.plain(limit: Self.nameLimit) } ?? ""
    self.name = shown.isEmpty ? "Pre-Stage \(id)" : shown
  }

  /// Reads one of Jamf's list; versions of the API differ in what they call its parts.
  init?(_ item: JSONValue) {
    guard let id = ["id", "prestageId"].lazy.compactMap({ item[$0].flatMap(Self.text) }).first else {
      return nil
    }
    let name = ["displayName", "name", "profileName"].lazy.compactMap { item[$0]?.stringValue }.first {
      !$0.isBlank
    }
    self.init(id: id, name: name)
  }

  /// As it is offered for a choice: names need not be unique, IDs are.
  var label: String { "\(name) (ID: \(id))" }

  private static func text(_ value: JSONValue) -> String? {
    value.stringValue ?? value.integerValue.map { String($0) }
  }
}
