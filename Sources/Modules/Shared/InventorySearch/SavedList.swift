internal import ForsettiModuleKit

/// Something that is kept under a name.
protocol SavedItem: Sendable, Hashable {
  /// Unique in its list, from 1.
  var id: Int { get set }
  var name: String { get }
  /// Milliseconds since 1970.
  var createdAt: Int64 { get set }
  /// As it is kept in storage.
  var json: JSONValue { get }
  init(_ cursor: JSONCursor) throws(JSONFault)
}

/// Columns to show.
struct SearchProfile: SavedItem {
  var id = 0
  var name: String
  /// Keys of fields.
  var fields: [String]
  var createdAt: Int64 = 0
}

/// A query to run again, with columns to show.
struct SmartFilter: SavedItem {
  var id = 0
  var name: String
  var query: RSQLQuery
  /// Keys of fields.
  var fields: [String]
  var createdAt: Int64 = 0
}

/// Why something is not kept.
enum SaveRefusal: Error, Sendable, Hashable {
  case noName, nameTooLong, listFull

  /// One line for people: what is wrong, and what to do.
  var advice: String {
    switch self {
    case .noName: "It needs a name; fill one in."
    case .nameTooLong: "The name has more than \(SavedNames.byteLimit) bytes; choose a shorter one."
    case .listFull: "\(SavedNames.limit) are kept already; delete one first."
    }
  }
}

/// Bounds of what is kept.
enum SavedNames {
  /// Items of a list at most.
  static let limit = 100
  /// Bytes of a name at most.
  static let byteLimit = 120
  /// Columns of a profile or filter at most: a row must fit a view, and a table a page.
  static let fieldLimit = 20
  /// All queries of a list at their longest come to less.
  static let jsonLimits = JSONLimits(bytes: 8 << 20, depth: 12)
}

/// What is kept under names, sorted by them.
struct SavedList<Item: SavedItem>: Sendable, Hashable {
  private(set) var items: [Item] = []

  /// Keeps an item. One of the same name, whatever its case, is replaced and leaves its ID and time to the new one.
  mutating func save(_ item: Item, at time: Int64) throws(SaveRefusal) {
    guard !item.name.isBlank else { throw .noName }
    guard item.name.utf8.count <= SavedNames.byteLimit else { throw .nameTooLong }
    var item = item
    if let place = items.firstIndex(where: { $0.name.lowercased() == item.name.lowercased() }) {
      (item.id, item.createdAt) = (items[place].id, items[place].createdAt)
      items[place] = item
    } else {
      guard items.count < SavedNames.limit else { throw .listFull }
      (item.id, item.createdAt) = ((items.map(\.id).max() ?? 0) + 1, time)
      items.append(item)
    }
    items.sort { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
  }

  mutating func remove(_ id: Int) { items.removeAll { $0.id == id } }

  subscript(id: Int) -> Item? { items.first { $0.id == id } }

  /// As it is kept in storage.
  var text: String { JSONWriter.text(.array(items.map(\.json))) }
}

extension SavedList {
  /// Reads what was kept.
  /// - Throws: where it is another text, or has something that would not be kept today.
  init(text: String) throws(JSONFault) {
    let root = JSONCursor(try JSONParser.parse(Array(text.utf8), limits: SavedNames.jsonLimits).root)
    for element in try root.elements(atMost: SavedNames.limit) { items.append(try Item(element)) }
  }
}

extension SearchProfile {
  var json: JSONValue {
    .object([
      ("id", .integer(id)), ("name", .string(name)), ("fields", .strings(fields)),
      ("createdAt", .integer(createdAt)),
    ])
  }

  init(_ cursor: JSONCursor) throws(JSONFault) {
    (id, name, fields, createdAt) = try cursor.savedParts()
  }
}

extension SmartFilter {
  var json: JSONValue {
    .object([
      ("id", .integer(id)), ("name", .string(name)), ("query", query.json), ("fields", .strings(fields)),
      ("createdAt", .integer(createdAt)),
    ])
  }

  init(_ cursor: JSONCursor) throws(JSONFault) {
    (id, name, fields, createdAt) = try cursor.savedParts()
    query = try RSQLQuery(cursor.required("query"))
  }
}

extension JSONCursor {
  /// What profiles and filters have both.
  fileprivate func savedParts() throws(JSONFault) -> (Int, String, [String], Int64) {
    let id = Int(try required("id").integer(in: 1...1_000_000))
    let name = try required("name").string()
    guard !name.isBlank, name.utf8.count <= SavedNames.byteLimit else { throw fault("no fit name") }
    var fields: [String] = []
    for field in try required("fields").elements(atMost: SavedNames.fieldLimit) {
      fields.append(try field.string())
    }
    return (id, name, fields, try required("createdAt").integer(in: 0...Int64.max))
  }
}
