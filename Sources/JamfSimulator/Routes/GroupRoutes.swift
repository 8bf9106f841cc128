import ForsettiCore
import ForsettiHTTP

/// Static groups of computers.
enum GroupRoutes {
  private static let base = "/api/v2/computer-groups/static-groups"

  static let all: [Route] = [
    Route("GET", base, [.readStaticGroups]) { (tenant, call) throws(APIFault) in
      try call.list(tenant.staticGroups.groups) { group in
        .object([
          ("id", RecordJSON.id(group.number)), ("name", .string(group.name)),
          ("count", .integer(group.members.count)),
        ])
      }
    },
    Route("GET", base + "/{id}", [.readStaticGroups]) { (tenant, call) throws(APIFault) in
      .json(json(try group(tenant, call)))
    },
    Route("PUT", base + "/{id}", [.readStaticGroups, .updateStaticGroups]) {
      (tenant, call) throws(APIFault) in
      let number = try group(tenant, call).number
      let (name, members) = try call.body { (body) throws(JSONFault) in
        var members: [Int] = []
        for member in try body.required("assignments").required("computerIds").array() {
          members.append(Int(try member.integer(in: 1...Int64(Int32.max))))
        }
        return (try body.required("name").string(), members)
      }
      if let stranger = members.first(where: { tenant.fleet.computer($0) == nil }) {
        throw .invalid("computerIds", "There is no computer \(stranger)")
      }
      tenant.staticGroups.change(number, name: name, members: members, now: call.now)
      return .json(json(try group(tenant, call)), .accepted)
    },
  ]

  private static func group(_ tenant: Tenant, _ call: Call) throws(APIFault) -> StaticGroup {
    let number = try call.number()
    guard let group = tenant.staticGroups.group(number) else {
      throw .notFound("There is no static group \(number)")
    }
    return group
  }

  private static func json(_ group: StaticGroup) -> JSONValue {
    .object([
      ("id", RecordJSON.id(group.number)), ("name", .string(group.name)), ("siteId", .string("-1")),
      ("assignments", .object([("computerIds", .array(group.members.map { .integer($0) }))])),
    ])
  }
}
