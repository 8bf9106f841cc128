import ForsettiCore
import ForsettiHTTP

/// The inventory of computers, in the three versions of its list.
enum ComputerRoutes {
  static let all: [Route] =
    Route.versions(1...3, "GET", "/computers-inventory", [.readComputers]) {
      (tenant, call, version) throws(APIFault) in
      let sections = try call.sections(among: ComputerSection.known(to: version), default: [.general])
      let seed = tenant.fleet.seed
      return try call.list(
        tenant.fleet.computers, &tenant.fleet.computerList, fields: ComputerFields.table,
        order: "general.name:asc"
      ) {
        ComputerRecord(computer: $0, seed: seed).json(sections, version: version)
      }
    }
    + Route.versions(1...3, "GET", "/computers-inventory/{id}", [.readComputers]) {
      (tenant, call, version) throws(APIFault) in
      let sections = try call.sections(among: ComputerSection.known(to: version), default: [.general])
      return .json(try record(tenant, call).json(sections, version: version))
    }
    + Route.versions(1...3, "GET", "/computers-inventory-detail/{id}", [.readComputers]) {
      (tenant, call, version) throws(APIFault) in
      .json(try record(tenant, call).json(Set(ComputerSection.known(to: version)), version: version))
    }

  private static func record(_ tenant: Tenant, _ call: Call) throws(APIFault) -> ComputerRecord {
    ComputerRecord(computer: try computer(tenant, call), seed: tenant.fleet.seed)
  }

  /// The computer whose ID is the route's first parameter.
  static func computer(_ tenant: Tenant, _ call: Call) throws(APIFault) -> Computer {
    let number = try call.number()
    guard let computer = tenant.fleet.computer(number) else {
      throw .notFound("There is no computer \(number)")
    }
    return computer
  }
}
