internal import ForsettiModuleKit

/// Which record of the inventory something is.
enum RecordID: Sendable, Hashable {
  case inventory(String)
  /// The server said no ID: the place in a list of results, good until the next search.
  case place(Int)
  /// The inventory doesn't have it: a device that a PreStage, by its ID, has in its scope.
  case assigned(serial: String, prestage: String)

  /// For buttons.
  var text: String {
    switch self {
    case .inventory(let id): id
    case .place(let place): "#\(place)"
    case .assigned(let serial, let prestage): "prestage-scope-\(serial)-\(prestage)"
    }
  }

  /// The number by which one record can be asked for; nothing for another form of ID.
  var number: Int64? {
    guard case .inventory(let id) = self, let number = Int64(id), number >= 0 else { return nil }
    return number
  }
}

/// What is known of one device: values by the keys of fields, none of them empty.
struct InventoryRecord: Sendable, Hashable {
  var id: RecordID
  private(set) var values: [String: String]

  init(id: RecordID, values: [String: String]) {
    self.id = id
    self.values = values.filter { !$0.value.isBlank }
  }

  /// Reads fields of a record.
  init(_ json: JSONValue, id: RecordID, fields: some Sequence<InventoryField>) {
    self.id = id
    values = [:]
    for field in fields { values[field.key] = field.text(json) }
  }

  subscript(key: String) -> String? { values[key] }

  /// Another value of a field; where nothing is known the one before stays.
  mutating func set(_ value: String?, for key: String) {
    if let value, !value.isBlank { values[key] = value }
  }

  /// A number that a text begins with: `16384.0` is 16384, of `994662, 500000` the first counts.
  func integer(_ key: String) -> Int64? {
    guard let first = values[key]?.split(separator: ",").first.map({ String($0).trimmedScalars }) else {
      return nil
    }
    return Int64(first) ?? Double(first).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
  }

  /// What is known after a refresh: its values win, what it doesn't say is kept, and so is a real ID.
  func merging(_ refreshed: InventoryRecord) -> InventoryRecord {
    var merged = self
    merged.values.merge(refreshed.values) { $1 }
    if case .inventory(let id) = refreshed.id, !id.isBlank { merged.id = refreshed.id }
    return merged
  }
}
