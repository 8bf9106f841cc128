import ForsettiCore
import ForsettiHTTP

/// An order for mobile devices as a document of XML, the only form in which the Classic API takes changes.
struct ClassicOrder: Sendable, Equatable {
  var name: String
  /// IDs of the inventory.
  var ids: [Int]

  /// Bytes of a document at most.
  private static let limit = 65_536

  /// Reads the body of a request.
  init(_ request: ServerRequest) throws(APIFault) {
    let type = request.headers["Content-Type"]?.lowercased() ?? ""
    guard type.hasPrefix("application/xml") || type.hasPrefix("text/xml") else {
      throw APIFault(.unsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", "XML is expected, not \(type.quoted())")
    }
    guard request.body.count <= Self.limit else { throw .invalid("body", "it is too long") }
    let text = String(decoding: request.body, as: UTF8.self)
    guard text.contains("<mobile_device_command>"), text.contains("</mobile_device_command>"),
      let name = Self.texts(of: "command", in: text).first
    else { throw .invalid("command", "a mobile_device_command with its command is expected") }
    let ids = Self.texts(of: "id", in: text).map { Int($0) }
    guard !ids.isEmpty, !ids.contains(nil) else {
      throw .invalid("id", "a mobile_device with its ID is expected")
    }
    self.name = name
    self.ids = ids.compactMap { $0 }
  }

  /// The texts of all elements of a name that hold text alone.
  private static func texts(of name: String, in text: String) -> [String] {
    text.split(separator: "<").filter { $0.hasPrefix("\(name)>") }
      .map { String($0.dropFirst(name.count + 1)).trimmedScalars }
  }

  /// What is answered: the orders that were given.
  static func answer(_ commands: [MDMCommand], name: String, _ client: MDMCommand.ClientType) -> String {
    let (root, device) =
      client == .computer
      ? ("computer_command", "computer_id") : ("mobile_device_command", "mobile_device_id")
    let parts = commands.map { command in
      "<command><name>\(name)</name><command_uuid>\(command.uuid)</command_uuid>"
        + "<\(device)>\(command.device)</\(device)></command>"
    }
    return #"<?xml version="1.0" encoding="UTF-8"?>"# + "<\(root)>\(parts.joined())</\(root)>"
  }
}
