import ForsettiCore
import ForsettiHTTP

/// An order for mobile devices as a document of XML, the only form in which the Classic API takes changes.
struct ClassicOrder: Sendable, Equatable {
  var name: String
  /// IDs of the inventory.
  var ids: [Int]

  /// Reads the body of a request.
  init(_ request: ServerRequest) throws(APIFault) {
    let text = try ClassicXML.document(request, root: "mobile_device_command")
    guard let name = ClassicXML.texts(of: "command", in: text).first else {
      throw .invalid("command", "a mobile_device_command with its command is expected")
    }
    let ids = ClassicXML.texts(of: "id", in: text).map { Int($0) }
    guard !ids.isEmpty, !ids.contains(nil) else {
      throw .invalid("id", "a mobile_device with its ID is expected")
    }
    self.name = name
    self.ids = ids.compactMap { $0 }
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
