import ForsettiCore
import ForsettiHTTP

/// Buildings, departments and extension attributes.
enum OrganisationRoutes {
  static let all: [Route] =
    [
      Route("GET", "/api/v1/buildings", [.readBuildings]) { (tenant, call) throws(APIFault) in
        try call.list(named(Organisation.buildings), \.json)
      },
      Route("GET", "/api/v1/departments", [.readDepartments]) { (tenant, call) throws(APIFault) in
        try call.list(named(Organisation.departments), \.json)
      },
    ]
    + Route.versions(1...2, "GET", "/computer-extension-attributes", [.readComputerAttributes]) {
      (tenant, call, _) throws(APIFault) in try call.list(ExtensionAttribute.computer, definition)
    }
    + Route.versions(1...2, "GET", "/mobile-device-extension-attributes", [.readMobileAttributes]) {
      (tenant, call, _) throws(APIFault) in try call.list(ExtensionAttribute.mobileDevice, definition)
    }

  private struct Named {
    var number: Int
    var name: String

    var json: JSONValue { .object([("id", RecordJSON.id(number)), ("name", .string(name))]) }
  }

  /// IDs are places in the list, from 1.
  private static func named(_ names: [String]) -> [Named] {
    names.enumerated().map { Named(number: $0 + 1, name: $1) }
  }

  private static func definition(_ attribute: ExtensionAttribute) -> JSONValue {
    .object([
      ("id", RecordJSON.id(attribute.number)), ("name", .string(attribute.name)),
      ("description", .string(attribute.about)), ("dataType", .string(attribute.dataType.rawValue)),
      ("enabled", .bool(true)), ("inventoryDisplayType", .string("EXTENSION_ATTRIBUTES")),
      ("inputType", .string(attribute.inputType.rawValue)),
      ("popupMenuChoices", .strings(attribute.choices)),
    ])
  }
}
