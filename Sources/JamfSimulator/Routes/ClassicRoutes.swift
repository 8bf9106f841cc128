import ForsettiCore
import ForsettiHTTP

/// What is left of the Classic API: orders by the inventory's ID, and histories.
enum ClassicRoutes {
  private static let base = "/JSSResource"

  static let all: [Route] = [
    Route("POST", base + "/computercommands/command/{name}/id/{ids}", [.readComputers]) {
      (tenant, call) throws(APIFault) in
      let ids = try ids(call.parameters[1])
      return try send(&tenant, call, call.parameters[0], to: ids, .computer)
    },
    Route("POST", base + "/mobiledevicecommands/command/{name}/id/{ids}", [.readMobileDevices]) {
      (tenant, call) throws(APIFault) in
      let ids = try ids(call.parameters[1])
      return try send(&tenant, call, call.parameters[0], to: ids, .mobileDevice)
    },
    Route("POST", base + "/mobiledevicecommands/command", [.readMobileDevices]) {
      (tenant, call) throws(APIFault) in
      let order = try ClassicOrder(call.request)
      return try send(&tenant, call, order.name, to: order.ids, .mobileDevice)
    },
    Route("GET", base + "/computerhistory/id/{id}", [.readComputers]) { (tenant, call) throws(APIFault) in
      let computer = try ComputerRoutes.computer(tenant, call)
      let commands = ClassicHistory(tenant, of: computer.managementID, now: call.now)
      return .json(
        .object([
          (
            "computer_history",
            .object([("general", general(computer.number, computer.name)), ("commands", commands.computer)])
          )
        ]))
    },
    Route("GET", base + "/mobiledevicehistory/id/{id}", [.readMobileDevices]) {
      (tenant, call) throws(APIFault) in
      let number = try call.number()
      guard let device = tenant.fleet.mobileDevice(number) else {
        throw .notFound("There is no mobile device \(number)")
      }
      let commands = ClassicHistory(tenant, of: device.managementID, now: call.now)
      return .json(
        .object([
          (
            "mobile_device_history",
            .object([
              ("general", general(device.number, device.name)),
              ("management_commands", commands.mobileDevice),
            ])
          )
        ]))
    },
  ]

  private static func general(_ number: Int, _ name: String) -> JSONValue {
    .object([("id", .integer(number)), ("name", .string(name))])
  }

  /// IDs of an inventory, separated by commas.
  private static func ids(_ text: String) throws(APIFault) -> [Int] {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard !numbers.contains(nil) else { throw .invalid("id", "\(text.quoted()) is no list of IDs") }
    return numbers.compactMap { $0 }
  }

  /// An order for devices of one kind: all of them are told, or none.
  private static func send(
    _ tenant: inout Tenant, _ call: Call, _ name: String, to ids: [Int], _ client: MDMCommand.ClientType
  ) throws(APIFault) -> ServerResponse {
    guard let type = MDMCommandType(classic: name), type.suits(client) else {
      throw .invalid("command", "\(name.quoted()) is no command for a \(client.rawValue)")
    }
    guard call.token.account.privileges.contains(type.privilege(for: client)) else { throw .forbidden }
    var devices: [Tenant.DeviceReference] = []
    for id in ids {
      let managementID =
        client == .computer
        ? tenant.fleet.computer(id)?.managementID : tenant.fleet.mobileDevice(id)?.managementID
      guard let managementID, let device = tenant.device(managementID: managementID) else {
        throw .notFound("There is no device \(id)")
      }
      devices.append(device)
    }
    let commands = devices.map { tenant.send(type, to: $0, now: call.now) }
    return ServerResponse(
      .created, ClassicOrder.answer(commands, name: name, client), type: "application/xml;charset=UTF-8")
  }
}

/// The orders of one device by their outcome, as the Classic API tells of them.
private struct ClassicHistory {
  private var parts: [(part: String, commands: [MDMCommand])]

  init(_ tenant: Tenant, of managementID: String, now: Int64) {
    let mine = tenant.commands.commands.filter { $0.managementID == managementID }
    parts = [("completed", [.acknowledged]), ("pending", [.pending, .notNow]), ("failed", [.error])].map {
      (part: String, states: [MDMCommand.State]) in
      (part, mine.filter { states.contains($0.state(at: now)) })
    }
  }

  var computer: JSONValue { json(issued: "issued", ended: { $0 }) }
  var mobileDevice: JSONValue { json(issued: "date_time_issued", ended: { "date_time_\($0)" }) }

  private func json(issued: String, ended: (String) -> String) -> JSONValue {
    .object(
      parts.map { part, commands in
        let rows = commands.map { command in
          var members: [(String, JSONValue)] = [("name", .string(command.type.classicName))]
          if part != "completed" {
            members += [
              ("status", .string(part == "failed" ? "The device refused it" : "Pending")),
              (issued, RecordJSON.moment(command.sent)),
            ]
          }
          if part != "pending" { members.append((ended(part), RecordJSON.moment(command.settles))) }
          return JSONValue.object(members)
        }
        return (part, .array(rows))
      })
  }
}
