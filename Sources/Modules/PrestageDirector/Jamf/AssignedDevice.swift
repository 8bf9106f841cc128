internal import ForsettiModuleKit

/// A device in a PreStage, as far as the inventory knows it.
struct AssignedDevice: Sendable, Equatable {
  let serial: String
  var name: String?
  var model: String?
  var udid: String?

  /// A device of which nothing but its serial number is known.
  init(serial: String) { self.serial = serial }

  /// Reads a record of the inventory; nothing where it has no serial number.
  init?(_ record: JSONValue) {
    let (general, hardware) = (record["general"], record["hardware"])
    guard let serial = SerialNumbers.normalised(hardware?["serialNumber"]?.stringValue) else { return nil }
    self.serial = serial
    name = Self.text(general?["displayName"])
    model = Self.text(hardware?["model"])
    udid = Self.text(general?["udid"])
  }

  /// As it is shared.
  func record(in prestage: PrestageReference) -> SharedRecord {
    SharedRecord(
      title: name ?? serial,
      fields: [
        ("Serial Number", serial), ("Model", model), ("UDID", udid), ("Assigned Prestage", prestage.name),
        ("Prestage ID", prestage.id),
      ])
  }

  /// Characters of a text that are kept.
  private static let limit = 120

  private static func text(_ value: JSONValue?) -> String? {
    value?.stringValue.flatMap { $0.isBlank ? nil : $0.trimmedScalars.plain(limit: limit) }
  }
}
