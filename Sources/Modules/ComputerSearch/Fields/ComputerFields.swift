internal import ForsettiModuleKit

/// What a record of `computers-inventory` says. The names of filters are those of Jamf's documentation of its third version;
/// a field's key is its path in the record.
enum ComputerFields {
  static let catalogue = InventoryCatalogue(
    [
      identity, [prestageField], management, machine, storage, system, encryption, security, person, purchase,
      assigned, accounts, applications, software, contentCache, contentTraffic,
    ].flatMap(\.self))

  /// Free text is looked for in these first.
  static let identityKeys = [
    "general.name", "hardware.serialNumber", "udid", "general.assetTag", "general.barcode1",
    "general.barcode2", "general.lastIpAddress", "userAndLocation.username", "userAndLocation.email",
    "userAndLocation.realname",
  ]
  /// What every version of Jamf Pro can filter by.
  static let basicKeys = ["general.name", "hardware.serialNumber", "udid"]
  static let columns = [
    "general.name", "hardware.serialNumber", "userAndLocation.username", "operatingSystem.version", prestage,
  ]
  static let prestage = "prestageEnrollmentProfile"

  private static let prestageField = InventoryField(
    RSQLField(key: prestage, type: .string, section: "GENERAL"), label: "PreStage", text: prestageText)

  /// A field that the server filters by, under the name of its path.
  static func found(_ path: String, _ label: String, _ type: RSQLFieldType = .string)
    -> InventoryField
  {
    InventoryField(path, label, type, at: path, serverName: path)
  }

  /// A field that only the client can search by.
  static func shown(_ path: String, _ label: String, _ type: RSQLFieldType = .string)
    -> InventoryField
  {
    InventoryField(path, label, type, at: path, serverName: nil)
  }

  /// The same, of a text that people gave: it is shown as it is.
  static func given(_ path: String, _ label: String) -> InventoryField {
    var field = shown(path, label)
    field.isGiven = true
    return field
  }

  private static let prestageID = RecordPath("general.enrollmentMethod.id")
  private static let prestageName = RecordPath("general.enrollmentMethod.objectName")

  /// Of the ways to enrol, only a PreStage is one.
  @Sendable private static func prestageText(_ record: JSONValue) -> String? {
    let status = PrestageStatus(of: record)?.rawValue
    guard let method = record["general"]?["enrollmentMethod"], method.members != nil,
      method["objectType"]?.stringValue?.lowercased().contains("prestage") ?? false
    else { return status }
    return PrestageText.make(
      status: status ?? PrestageStatus.enrolled.rawValue, name: prestageName.text(in: record),
      id: prestageID.text(in: record))
  }
}
