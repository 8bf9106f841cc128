import ForsettiModuleKit
import Testing

@testable import ForsettiModules

func json(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)).root }

@Suite struct InventoryTests {
  private static let record = """
    {"id": 7, "name": " Mac ", "empty": "", "deep": {"flag": true, "none": null, "number": 2.5},
     "disks": [{"size": 994662, "parts": [{"used": 1}, {"used": 2}]}, {"size": 500000, "parts": []}],
     "tags": ["a", "", 3]}
    """

  @Test(
    "a path leads to a text, whatever kind of value stands there",
    arguments: [
      ("id", "7"), ("name", "Mac"), ("empty", nil), ("deep.flag", "true"), ("deep.none", nil),
      ("deep.number", "2.5"), ("deep", nil), ("nowhere.at.all", nil), ("disks[].size", "994662, 500000"),
      ("disks[].parts[].used", "1, 2"), ("disks.size", nil), ("tags", "a, 3"), ("tags[]", "a, 3"),
    ] as [(String, String?)])
  func paths(path: String, text: String?) throws {
    #expect(RecordPath(path).text(in: try json(Self.record)) == text)
  }

  @Test("a text of a record is bounded, and so is a list")
  func bounds() throws {
    let long = try json("{\"a\":\"\(String(repeating: "é", count: 2_000))\"}")
    #expect((RecordPath("a").text(in: long)?.utf8.count ?? 0) < 1_100)
    let many = JSONValue.object([("a", .array((0..<5_000).map { .integer($0) }))])
    #expect((RecordPath("a[]").text(in: many)?.utf8.count ?? 0) < 1_100)
  }

  @Test(
    "shouting becomes words, times become readable, all else stays",
    arguments: [
      ("FULL_SECURITY", "Full Security"),
      ("APP_STORE_AND_IDENTIFIED_DEVELOPERS", "App Store And Identified Developers"), ("ENABLED", "Enabled"),
      (" NOT ENABLED ", "Not Enabled"), ("MacBook Pro", "MacBook Pro"), ("C02XL0ABJGH5", "C02XL0ABJGH5"),
      ("5273", "5273"), ("203.0.113.7", "203.0.113.7"), ("a@example.invalid", "a@example.invalid"),
      ("true", "true"), ("false", "false"), ("  ", ""), ("2026-11-30T01:28:39Z", "2026-11-30 01:28 UTC"),
      ("2026-11-30T01:28:39.123Z", "2026-11-30 01:28 UTC"), ("2026-11-30", "2026-11-30"),
    ])
  func shown(value: String, text: String) { #expect(FieldText.shown(value) == text) }

  @Test(
    "megabytes have the unit that fits",
    arguments: [
      (512, "512 MB"), (1_024, "1.0 GB"), (1_536, "1.5 GB"), (32_768, "32.0 GB"), (994_662, "971 GB"),
      (0, "0 MB"), (-1, nil),
    ] as [(Int64, String?)])
  func megabytes(count: Int64, text: String?) { #expect(FieldText.megabytes(count) == text) }

  @Test(
    "an integer is what a text begins with",
    arguments: [
      ("16384.0", 16_384), ("994662, 500000", 994_662), ("7", 7), ("many", nil), ("1e300", nil), ("", nil),
    ] as [(String, Int64?)])
  func integers(text: String, integer: Int64?) {
    #expect(InventoryRecord(id: .place(0), values: ["a": text]).integer("a") == integer)
    #expect(InventoryRecord(id: .place(0), values: [:]).integer("a") == nil)
  }

  @Test("a refresh wins where it says something; a real ID is never lost")
  func merging() {
    let row = InventoryRecord(id: .inventory("5"), values: ["name": "Mac", "user": "ann", "cea_12": "old"])
    let fresh = InventoryRecord(id: .place(0), values: ["name": "Neo", "user": " ", "cea_12": "new"])
    let merged = row.merging(fresh)
    #expect(merged.id == .inventory("5"))
    #expect(merged.values == ["name": "Neo", "user": "ann", "cea_12": "new"])
    #expect(fresh.merging(row).id == .inventory("5"))
    #expect(row.merging(InventoryRecord(id: .inventory(" "), values: [:])) == row)
  }

  @Test(
    "only a number is an ID to ask for",
    arguments: [
      (.inventory("12"), 12), (.inventory("-1"), nil), (.inventory("prestage-1"), nil), (.place(3), nil),
    ] as [(RecordID, Int64?)])
  func ids(id: RecordID, number: Int64?) { #expect(id.number == number) }

  @Test(
    "a PreStage is told by the parts that are known",
    arguments: [
      ("Enrolled", "Standard Mac", "12", "Enrolled - Standard Mac (ID: 12)"),
      (nil, "Shared Device PreStage", "17", "Shared Device PreStage (ID: 17)"),
      ("Enrolled", nil, nil, "Enrolled"),
      (nil, nil, "17", "(ID: 17)"), (nil, nil, nil, nil),
    ] as [(String?, String?, String?, String?)])
  func prestage(status: String?, name: String?, id: String?, text: String?) {
    #expect(PrestageText.make(status: status, name: name, id: id) == text)
  }

  @Test("words of the server's become readable, what people wrote stays")
  func fieldText() {
    func field(_ path: String, _ type: RSQLFieldType = .string) -> InventoryField {
      InventoryField("f", "Field", type, at: path, serverName: nil)
    }
    #expect(field("security.secureBootLevel").shown("FULL_SECURITY") == "Full Security")
    #expect(field("general.name").shown("LAB MAC") == "LAB MAC")
    #expect(field("general.seen", .date).shown("2026-11-30T01:28:39Z") == "2026-11-30 01:28 UTC")
    #expect(field("general.seen", .date).shown("never") == "never")
  }

  @Test("a catalogue keeps its order, knows each key once, and names sections")
  func catalogue() {
    func field(_ key: String, _ section: String) -> InventoryField {
      InventoryField(key, key, .string, at: section + ".x", serverName: nil)
    }
    var catalogue = InventoryCatalogue([field("b", "userAndLocation"), field("a", "hardware")])
    catalogue.add([field("a", "purchasing"), field("c", "general")])
    #expect(catalogue.fields.map(\.key) == ["b", "a", "c"])
    #expect(catalogue.ordered(["c", "nowhere", "b", "c"]) == ["b", "c"])
    #expect(catalogue.sections(of: ["b", "a"]) == ["GENERAL", "HARDWARE", "USER_AND_LOCATION"])
  }
}

@Suite struct ExtensionAttributeTests {
  @Test(
    "definitions of every version are read",
    arguments: [
      (#"{"id": 5, "name": "Owner"}"#, "5", .string, []),
      (#"{"id": "5", "name": "Days", "dataType": "INTEGER", "inputType": "SCRIPT"}"#, "5", .integer, []),
      (#"{"id": "5", "name": "Day", "dataType": "DATE_TIME"}"#, "5", .date, []),
      (#"{"id": "5", "name": "Odd", "dataType": "BLOB", "inputType": "TELEPATHY"}"#, "5", .string, []),
      (
        #"{"id": "5", "name": "Disk", "dataType": "STRING", "inputType": "POPUP", "popupMenuChoices": ["a", "b"]}"#,
        "5", .enumeration, ["a", "b"]
      ),
      (
        #"{"id": "5", "name": "Disk", "inputType": "POPUP", "popupChoices": ["a", 2]}"#, "5", .enumeration,
        ["a", "2"]
      ),
      (#"{"id": "5", "name": "Text", "inputType": "TEXT", "popupMenuChoices": ["a"]}"#, "5", .string, []),
    ] as [(String, String, RSQLFieldType, [String])])
  func definitions(text: String, id: String, type: RSQLFieldType, choices: [String]) throws {
    let attribute = try #require(ExtensionAttribute(try json(text)))
    #expect(attribute.id == id)
    #expect(attribute.type == type)
    #expect(attribute.choices == choices)
    let field = attribute.field(prefix: "cea_")
    #expect(field.key == "cea_5")
    #expect(field.query.section == "EXTENSION_ATTRIBUTES")
    #expect(field.query.isFilterable)
    #expect(field.query.serverName == nil)
    #expect(field.choices == choices)
  }

  @Test(
    "a definition without an ID or a name is none",
    arguments: ["{}", #"{"id": 1}"#, #"{"name": "x"}"#, "[]", "3"])
  func nameless(text: String) throws { #expect(ExtensionAttribute(try json(text)) == nil) }

  @Test("a value is found in whatever section it is shown in, by its definition first")
  func values() throws {
    let record = try json(
      """
      {"id": "1", "extensionAttributes": [{"definitionId": "5", "id": "6", "values": []}],
       "hardware": {"extensionAttributes": [{"definitionId": 5, "values": ["a", "b"]}]},
       "general": {"extensionAttributes": [{"id": "7", "value": ["c"]}, {"id": "8", "value": "d"}, null, 3]}}
      """)
    #expect(ExtensionAttribute.value(of: "5", in: record) == "a, b")
    #expect(ExtensionAttribute.value(of: "7", in: record) == "c")
    #expect(ExtensionAttribute.value(of: "8", in: record) == "d")
    #expect(ExtensionAttribute.value(of: "6", in: record) == nil)
    #expect(ExtensionAttribute.value(of: "5", in: .null) == nil)
  }
}
