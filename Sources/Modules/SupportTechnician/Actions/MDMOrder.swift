internal import ForsettiModuleKit

/// MDM commands as Jamf's APIs take them.
enum MDMOrder {
  /// `POST v2/mdm/commands`, for one device.
  static func call(_ type: String, to managementID: String, _ more: [(String, JSONValue)] = []) -> SupportCall
  {
    .post(
      "/api/v2/mdm/commands",
      .json(
        .object([
          ("clientData", .array([.object([("managementId", .string(managementID))])])),
          ("commandData", .object([("commandType", .string(type))] + more)),
        ])))
  }

  static let blankPushPath = "/api/v2/mdm/blank-push"

  /// What wakes a device, so that it looks what it has to do.
  static func blankPush(to managementID: String) -> JSONValue {
    .object([("clientManagementIds", .strings([managementID]))])
  }

  /// The Classic API's way by the inventory's ID. Computers take it in the path; of mobile devices, Jamf documents the
  /// XML document for every command.
  static func classic(_ name: String, to device: SupportDeviceID) -> SupportCall {
    switch device.kind {
    // Empty, yet as XML: the Classic API answers in the language it is asked in.
    case .computer: .post("/JSSResource/computercommands/command/\(name)/id/\(device.inventoryID)", .xml(""))
    case .mobileDevice:
      .post(
        "/JSSResource/mobiledevicecommands/command",
        .xml(
          """
          <?xml version="1.0" encoding="UTF-8"?>\
          <mobile_device_command><general><command>\(XMLText.escaped(name))</command></general>\
          <mobile_devices><mobile_device><id>\(device.inventoryID)</id></mobile_device></mobile_devices>\
          </mobile_device_command>
          """))
    }
  }

  /// UUIDs of the commands that an answer tells of, in the three ways Jamf does.
  static func commandUUIDs(in answer: JSONValue) -> [String] {
    let direct = answer.elements?.prefix(16).map { $0.supportText("id") } ?? []
    let all = direct + [answer.supportText("commandUuid"), answer.supportText("id")]
    return all.compactMap { SupportText.uuid($0) }
  }

  /// The same of the Classic API, which answers in XML.
  static func commandUUIDs(inXML bytes: [UInt8]) -> [String] {
    guard bytes.count <= 1 << 16 else { return [] }
    let text = String(decoding: bytes, as: UTF8.self)
    let found = XMLText.content(of: "command_uuid", in: text) ?? XMLText.content(of: "uuid", in: text)
    return [SupportText.uuid(found)].compactMap { $0 }
  }
}

/// The little of XML that the Classic API needs.
enum XMLText {
  /// A text as the content of an element.
  static func escaped(_ text: String) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      case "'": output += "&apos;"
      // XML 1.0 has no way to write these.
      case _ where scalar.value < 0x20 && scalar != "\t" && scalar != "\n" && scalar != "\r": continue
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// What stands in the first element of a name that holds text alone; entities stay as they are.
  static func content(of name: String, in text: String) -> String? {
    let parts = text.split(separator: "<", omittingEmptySubsequences: true)
    guard let start = parts.first(where: { $0.hasPrefix("\(name)>") }) else { return nil }
    return String(start.dropFirst(name.count + 1)).trimmedScalars
  }
}
