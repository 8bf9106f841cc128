internal import ForsettiModuleKit

/// The names of buildings, or of departments, by their IDs.
struct PlaceNames: Sendable, Equatable {
  private var names: [String: String] = [:]

  /// Names that are kept at most.
  private static let limit = 20_000

  /// Takes up the records of one page.
  mutating func add(_ records: [JSONValue]) {
    let reader = InventoryText()
    for record in records where names.count < Self.limit {
      guard let id = reader.id(record["id"]), let name = reader.own(record["name"]) else { continue }
      names[id] = name
    }
  }

  /// The name of a place; nothing for an ID that is unknown or absent.
  func name(_ id: String?) -> String? { id.flatMap { names[$0] } }
}
