/// What a record says of itself in one field.
enum FieldValue: Sendable, Equatable {
  case text(String)
  case integer(Int64)
  case flag(Bool)
  /// Milliseconds since 1970.
  case moment(Int64)
  /// The device never reported it; JSON's null.
  case absent

  init(_ text: String?) { self = text.map { .text($0) } ?? .absent }
}

/// What a field holds.
enum FieldKind: Sendable, Equatable, CustomStringConvertible {
  case text, integer, flag, moment

  var description: String {
    switch self {
    case .text: "text"
    case .integer: "integer"
    case .flag: "true or false"
    case .moment: "ISO 8601 date or time"
    }
  }
}

/// One field of a kind of record, by which a list is filtered and sorted.
struct Field<Record>: Sendable {
  /// Its name in filters and sort orders.
  var name: String
  var kind: FieldKind
  /// Jamf filters by fewer fields than it sorts by.
  var isFilterable = true
  var isSortable = true
  var value: @Sendable (Record) -> FieldValue

  init(
    _ name: String, _ kind: FieldKind, filters: Bool = true, sorts: Bool = true,
    _ value: @escaping @Sendable (Record) -> FieldValue
  ) {
    self.name = name
    self.kind = kind
    isFilterable = filters
    isSortable = sorts
    self.value = value
  }
}

/// The fields of a kind of record, by name.
struct FieldTable<Record>: Sendable {
  let fields: [Field<Record>]
  private let byName: [String: Field<Record>]

  init(_ fields: [Field<Record>]) {
    self.fields = fields
    byName = Dictionary(fields.map { ($0.name, $0) }) { first, _ in first }
  }

  subscript(name: String) -> Field<Record>? { byName[name] }
}
