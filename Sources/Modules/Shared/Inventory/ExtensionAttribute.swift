internal import ForsettiModuleKit

/// A field that the organisation added to its inventory.
struct ExtensionAttribute: Sendable, Hashable {
  var id: String
  var name: String
  var type: RSQLFieldType
  /// Values of a menu.
  var choices: [String] = []

  /// The section of the record that has its value.
  static let section = "EXTENSION_ATTRIBUTES"
  /// Definitions of an organisation that are taken up, and choices of one.
  static let limit = 500

  /// Reads a definition as any version of Jamf Pro's API writes it; nothing for one without an ID or a name.
  init?(_ json: JSONValue) {
    guard let id = RecordPath("id").text(in: json), let name = RecordPath("name").text(in: json) else {
      return nil
    }
    self.id = id
    self.name = name
    let menu = (json["popupMenuChoices"] ?? json["popupChoices"])?.elements ?? []
    let isMenu = ["POPUP", "POP-UP MENU"].contains(Self.word(json, ["inputType", "input_type"]))
    switch Self.word(json, ["dataType", "data_type"]) {
    case "INTEGER", "NUMBER": type = .integer
    case "DATE_TIME", "DATE": type = .date
    case _ where isMenu: type = .enumeration
    default: type = .string
    }
    if isMenu { choices = menu.prefix(Self.limit).compactMap { RecordPath.text([$0]) } }
  }

  private static func word(_ json: JSONValue, _ keys: [String]) -> String? {
    // The Classic API has `{"type": "Pop-up Menu"}` where the others have a word.
    keys.lazy.compactMap { key in
      (json[key]?.stringValue ?? json[key]?["type"]?.stringValue)?.uppercased()
    }.first
  }

  /// The attribute as a field: only the client can search by it.
  /// - Parameter prefix: of its key, as `cea_`.
  func field(prefix: String) -> InventoryField {
    let id = id
    return InventoryField(
      RSQLField(key: prefix + id, type: type, section: Self.section), label: name, choices: choices
    ) { ExtensionAttribute.value(of: id, in: $0) }
  }

  /// The value in a record: it stands in the section that the attribute is shown in.
  static func value(of id: String, in record: JSONValue) -> String? {
    let lists =
      [record["extensionAttributes"]] + (record.members ?? []).map { $0.value["extensionAttributes"] }
    for entry in lists.lazy.compactMap({ $0?.elements }).joined() {
      guard RecordPath.text([entry["definitionId"] ?? entry["id"] ?? .null]) == id else { continue }
      if let text = RecordPath.text([entry["values"] ?? entry["value"] ?? .null]) { return text }
    }
    return nil
  }
}
