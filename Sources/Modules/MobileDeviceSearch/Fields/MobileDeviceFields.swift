internal import ForsettiModuleKit

/// What a record of `mobile-devices/detail` says. A field's key is its name in Jamf's filters, which leave the section out.
enum MobileDeviceFields {
  static let catalogue = InventoryCatalogue(
    [
      identity, management, machine, network, person, security, purchase, assigned, sharedUsers, software,
      subscriptions, location,
    ].flatMap(\.self))

  /// Free text is looked for in these.
  static let identityKeys = ["serialNumber", "username"]
  static let columns = ["displayName", "serialNumber", "username", "model", "osVersion"]
  static let prestage = "prestageEnrollmentProfile"

  static let nameField = InventoryField(
    RSQLField(key: "displayName", type: .string, section: "GENERAL", serverName: "displayName"),
    label: "Device", text: name)
  static let prestageField = InventoryField(
    RSQLField(key: prestage, type: .string, section: "GENERAL"), label: "PreStage", text: prestageText)

  /// A field that the server filters by, under its key.
  static func found(
    _ key: String, _ label: String, _ path: String, _ type: RSQLFieldType = .string
  ) -> InventoryField {
    InventoryField(key, label, type, at: path, serverName: key)
  }

  /// A field that only the client can search by.
  static func shown(
    _ key: String, _ label: String, _ path: String, _ type: RSQLFieldType = .string
  ) -> InventoryField {
    InventoryField(key, label, type, at: path, serverName: nil)
  }

  private static let displayName = RecordPath("general.displayName")
  private static let model = RecordPath("hardware.model")
  private static let serialNumber = RecordPath("hardware.serialNumber")
  private static let prestageID = RecordPath("general.enrollmentMethodPrestage.mobileDevicePrestageId")
  private static let prestageName = RecordPath("general.enrollmentMethodPrestage.profileName")

  /// A device without a name goes by its model and the last four of its serial number.
  @Sendable private static func name(_ record: JSONValue) -> String? {
    if let name = displayName.text(in: record) { return name }
    guard let model = model.text(in: record) else { return nil }
    return model + (serialNumber.text(in: record).map { " (\($0.suffix(4)))" } ?? "")
  }

  @Sendable private static func prestageText(_ record: JSONValue) -> String? {
    let (name, id) = (prestageName.text(in: record), prestageID.text(in: record))
    let status = PrestageStatus(of: record)?.rawValue
    guard name != nil || id != nil else { return status }
    return PrestageText.make(status: status ?? PrestageStatus.enrolled.rawValue, name: name, id: id)
  }
}
