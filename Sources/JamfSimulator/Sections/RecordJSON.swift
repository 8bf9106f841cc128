import ForsettiCore

/// What several sections write the same way.
enum RecordJSON {
  /// A time as Jamf writes it; null for none.
  static func moment(_ milliseconds: Int64?) -> JSONValue {
    .string(milliseconds.map { timestampText($0) })
  }

  /// The date of a time, without the hour.
  static func date(_ milliseconds: Int64?) -> JSONValue {
    .string(milliseconds.map { String(timestampText($0).prefix(10)) })
  }

  /// IDs are texts in the Pro API.
  static func id(_ number: Int) -> JSONValue { .string(String(number)) }

  /// Extension attributes of a computer's section, with their values.
  static func attributes(of computer: Computer) -> JSONValue {
    .array(
      ExtensionAttribute.computer.map { attribute in
        .object([
          ("definitionId", id(attribute.number)), ("name", .string(attribute.name)),
          ("description", .string(attribute.about)), ("enabled", .bool(true)), ("multiValue", .bool(false)),
          ("values", .strings(computer.attributes[attribute.number].map { [$0] } ?? [])),
          ("dataType", .string(attribute.dataType.rawValue)), ("options", .strings(attribute.choices)),
          ("inputType", .string(attribute.inputType.rawValue)),
        ])
      })
  }

  /// Extension attributes of a mobile device; their type has another name for a date here.
  static func attributes(of device: MobileDevice) -> JSONValue {
    .array(
      ExtensionAttribute.mobileDevice.map { attribute in
        .object([
          ("id", id(attribute.number)), ("name", .string(attribute.name)),
          ("type", .string(attribute.dataType == .dateTime ? "DATE" : attribute.dataType.rawValue)),
          ("value", .strings(device.attributes[attribute.number].map { [$0] } ?? [])),
          ("extensionAttributeCollectionAllowed", .bool(true)), ("inventoryDisplay", .string("GENERAL")),
        ])
      })
  }
}
