internal import ForsettiModuleKit

/// Something that a record of the inventory says of its device.
struct InventoryField: Sendable {
  /// How queries see it. Its key also names it in saved profiles.
  var query: RSQLField
  /// What people call it.
  var label: String
  /// What values it may have, where the server says so.
  var choices: [String] = []
  /// Whether people gave it, in whatever section it stands: such a text is no word of the server's.
  var isGiven = false
  /// Its value in a record, as the record has it.
  var text: @Sendable (JSONValue) -> String?

  var key: String { query.key }

  /// A field that stands at one path of the record, whose first member is its section.
  /// - Parameter serverName: its name in the server's filters; nothing for one that only the client can search by.
  init(_ key: String, _ label: String, _ type: RSQLFieldType, at path: String, serverName: String?) {
    query = RSQLField(key: key, type: type, section: Self.section(of: path), serverName: serverName)
    self.label = label
    let path = RecordPath(path)
    text = { path.text(in: $0) }
  }

  /// A field that is made of several values.
  init(
    _ query: RSQLField, label: String, choices: [String] = [],
    text: @escaping @Sendable (JSONValue) -> String?
  ) {
    self.query = query
    self.label = label
    self.choices = choices
    self.text = text
  }

  /// A value as people read it. Names and marks that people gave stay as they are.
  func shown(_ value: String) -> String {
    switch query.type {
    case .date: FieldText.time(value) ?? value
    case .string where !isGiven && Self.wordSections.contains(query.section): FieldText.shown(value)
    default: value
    }
  }

  /// Where values are words of the server's, as `FULL_SECURITY`.
  private static let wordSections: Set = [
    "CONTENT_CACHING", "DISK_ENCRYPTION", "OPERATING_SYSTEM", "SECURITY", "STORAGE",
  ]

  /// `USER_AND_LOCATION` of `userAndLocation.room`.
  private static func section(of path: String) -> String {
    guard let dot = path.firstIndex(of: ".") else { return RSQLField.generalSection }
    var name = ""
    for character in path[..<dot] where character.isLetter {
      name += (character.isUppercase ? "_" : "") + character.uppercased()
    }
    return name
  }
}

/// All fields of one kind of record, in the order in which they are shown.
struct InventoryCatalogue: Sendable {
  private(set) var fields: [InventoryField]
  private var places: [String: Int] = [:]
  private var labelCounts: [String: Int] = [:]

  /// Makes a catalogue; the first field of a key counts.
  init(_ fields: [InventoryField]) {
    self.fields = []
    add(fields)
  }

  subscript(key: String) -> InventoryField? { places[key].map { fields[$0] } }

  /// Adds fields that the organisation has, behind the others.
  mutating func add(_ more: [InventoryField]) {
    for field in more where places[field.key] == nil {
      places[field.key] = fields.count
      fields.append(field)
      labelCounts[field.label, default: 0] += 1
    }
  }

  /// What a field is called where it must be told from all others.
  func title(_ field: InventoryField) -> String {
    (labelCounts[field.label] ?? 0) > 1 ? "\(field.label) (\(field.key))" : field.label
  }

  /// Keys that are known here, each once, in the order of the catalogue.
  func ordered(_ keys: some Sequence<String>) -> [String] {
    Set(keys.compactMap { places[$0] }).sorted().map { fields[$0].key }
  }

  /// Sections that fields stand in, the general one always, sorted.
  func sections(of keys: some Sequence<String>) -> [String] {
    Set(keys.compactMap { self[$0]?.query.section } + [RSQLField.generalSection]).sorted()
  }
}
