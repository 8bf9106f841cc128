import ForsettiCore
import ForsettiHTTP

/// Orders to devices, and what became of them.
enum CommandRoutes {
  static let all: [Route] = [
    Route("GET", "/api/v2/mdm/commands", [.viewCommands]) { (tenant, call) throws(APIFault) in
      // Jamf refuses to list all orders there are.
      guard !call.values("filter").isEmpty else { throw .invalid("filter", "a filter is needed") }
      let rows = tenant.commands.commands.map { CommandRow(command: $0, now: call.now) }
      return try call.list(rows, fields: CommandRow.fields, order: "dateSent:asc", \.json)
    },
    Route("POST", "/api/v2/mdm/commands", [.viewCommands]) { (tenant, call) throws(APIFault) in
      try send(&tenant, call)
    },
    Route("POST", "/api/v2/mdm/blank-push", [.sendCheckIn]) { (tenant, call) throws(APIFault) in
      let ids = try call.body { (body) throws(JSONFault) in try body.required("clientManagementIds").strings()
      }
      for device in ids.compactMap({ tenant.device(managementID: $0) }) where device.client == .computer {
        tenant.policies.push(device.number, now: call.now)
      }
      return .json(.object([("errorUuids", .strings(ids.filter { tenant.device(managementID: $0) == nil }))]))
    },
    Route("POST", "/api/v1/ddm/{id}/sync", [.sendCheckIn]) { (tenant, call) throws(APIFault) in
      _ = tenant.send(.declarativeManagement, to: try device(tenant, call.parameters[0]), now: call.now)
      return .nothing
    },
    Route("POST", "/api/v1/computer-inventory/{id}/erase", [.wipeComputers]) {
      (tenant, call) throws(APIFault) in
      let computer = try ComputerRoutes.computer(tenant, call)
      let command = tenant.send(.eraseDevice, to: try device(tenant, computer.managementID), now: call.now)
      return answer(command)
    },
    Route("POST", "/api/v1/jamf-management-framework/redeploy/{id}", [.sendFramework]) {
      (tenant, call) throws(APIFault) in
      let computer = try ComputerRoutes.computer(tenant, call)
      let command = tenant.send(
        .declarativeManagement, to: try device(tenant, computer.managementID), now: call.now)
      return answer(command)
    },
  ]

  private static func answer(_ command: MDMCommand) -> ServerResponse {
    .json(
      .object([("deviceId", RecordJSON.id(command.device)), ("commandUuid", .string(command.uuid))]),
      .accepted)
  }

  private static func device(_ tenant: Tenant, _ id: String) throws(APIFault) -> Tenant.DeviceReference {
    guard let device = tenant.device(managementID: id) else {
      throw APIFault(
        .notFound, "INVALID_ID", "No device has the management ID \(id.quoted())", field: "managementId")
    }
    return device
  }

  /// An order for one or several devices: all of them are told, or none.
  private static func send(_ tenant: inout Tenant, _ call: Call) throws(APIFault) -> ServerResponse {
    let (ids, type, pin) = try call.body { (body) throws(JSONFault) in
      var ids: [String] = []
      for client in try body.required("clientData").array() {
        ids.append(try client.required("managementId").string())
      }
      let data = try body.required("commandData")
      let type = try data.required("commandType").oneOf(MDMCommandType.self, called: "a command")
      return (ids, type, try data.optional("pin")?.string())
    }
    var devices: [Tenant.DeviceReference] = []
    for id in ids {
      let device = try device(tenant, id)
      guard type.suits(device.client), !type.isClassic else {
        throw .invalid("commandType", "\(type.rawValue) is not for a \(device.client.rawValue)")
      }
      guard call.token.account.privileges.contains(type.privilege(for: device.client)) else {
        throw .forbidden
      }
      devices.append(device)
    }
    let commands = devices.map { tenant.send(type, to: $0, pin: pin, now: call.now) }
    return .json(
      .array(
        commands.map {
          .object([("id", .string($0.uuid)), ("href", .string("/v2/mdm/commands/\($0.uuid)"))])
        }), .created)
  }
}

/// An order as it stands at a time.
struct CommandRow: Sendable {
  var command: MDMCommand
  var now: Int64

  private var state: MDMCommand.State { command.state(at: now) }

  static let fields = FieldTable<CommandRow>([
    Field("uuid", .text) { .text($0.command.uuid) },
    Field("clientManagementId", .text) { .text($0.command.managementID) },
    Field("command", .text) { .text($0.command.type.rawValue) },
    Field("status", .text) { .text($0.state.rawValue) },
    Field("clientType", .text, sorts: false) { .text($0.command.clientType.rawValue) },
    Field("dateSent", .moment) { .moment($0.command.sent) },
    Field("dateCompleted", .moment) { .moment($0.completed) },
  ])

  /// Jamf writes 1970 where an order has not come to its end.
  private var completed: Int64 {
    switch state {
    case .pending, .notNow: 0
    case .acknowledged, .error: command.settles
    }
  }

  var json: JSONValue {
    .object([
      ("uuid", .string(command.uuid)),
      (
        "client",
        .object([
          ("managementId", .string(command.managementID)),
          ("clientType", .string(command.clientType.rawValue)),
        ])
      ),
      ("commandState", .string(state.rawValue)), ("commandType", .string(command.type.rawValue)),
      ("dateSent", RecordJSON.moment(command.sent)), ("dateCompleted", RecordJSON.moment(completed)),
      ("profileId", .null), ("profileIdentifier", .null),
    ])
  }
}
