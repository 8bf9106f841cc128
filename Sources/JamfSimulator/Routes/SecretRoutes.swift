import ForsettiCore
import ForsettiHTTP

/// What a technician may be shown once: keys, codes and local passwords. All are made up from the seed.
enum SecretRoutes {
  static let all: [Route] =
    Route.versions(1...3, "GET", "/computers-inventory/{id}/filevault", [.viewRecoveryKeys]) {
      (tenant, call, _) throws(APIFault) in
      let computer = try ComputerRoutes.computer(tenant, call)
      guard computer.isEncrypted else { throw .notFound("The computer is not encrypted") }
      return .json(
        .object([
          ("computerId", RecordJSON.id(computer.number)), ("name", .string(computer.name)),
          ("personalRecoveryKey", .string(recoveryKey(tenant, computer))),
          ("individualRecoveryKeyValidityStatus", .string("VALID")),
          ("institutionalRecoveryKeyPresent", .bool(false)), ("diskEncryptionConfigurationName", .null),
        ]))
    }
    + Route.versions(
      1...3, "GET", "/computers-inventory/{id}/view-recovery-lock-password", [.viewRecoveryLocks]
    ) {
      (tenant, call, _) throws(APIFault) in
      let computer = try ComputerRoutes.computer(tenant, call)
      guard computer.hasRecoveryLock else { throw .notFound("No recovery lock password is set") }
      var dice = Dice(seed: tenant.fleet.seed, .secret, computer.number * 4 + 1)
      return .json(.object([("recoveryLockPassword", .string(dice.hex(16)))]))
    }
    + Route.versions(1...3, "GET", "/computers-inventory/{id}/view-device-lock-pin", [.viewRecoveryLocks]) {
      (tenant, call, _) throws(APIFault) in
      let computer = try ComputerRoutes.computer(tenant, call)
      guard let pin = tenant.pins[computer.managementID] else { throw .notFound("No device lock PIN is set") }
      return .json(.object([("pin", .string(pin))]))
    } + localPasswords

  /// `XXXX-XXXX-XXXX-XXXX-XXXX-XXXX`, as FileVault writes them.
  private static func recoveryKey(_ tenant: Tenant, _ computer: Computer) -> String {
    var dice = Dice(seed: tenant.fleet.seed, .secret, computer.number * 4)
    return (0..<6).map { _ in dice.hex(4).uppercased() }.joined(separator: "-")
  }

  private static let base = "/api/v2/local-admin-password/{id}"
  private static let account = "jssmanage"

  private static let localPasswords: [Route] = [
    Route("GET", base + "/accounts", [.viewLocalPasswords]) { (tenant, call) throws(APIFault) in
      let computer = try computer(tenant, call)
      return .json(
        .object([
          ("totalCount", .integer(1)),
          (
            "results",
            .array([
              .object([
                ("clientManagementId", .string(computer.managementID)), ("guid", .string(computer.udid)),
                ("username", .string(account)), ("userSource", .string("JMF")),
              ])
            ])
          ),
        ]))
    },
    Route("GET", base + "/account/{name}/password", [.viewLocalPasswords]) {
      (tenant, call) throws(APIFault) in
      try password(tenant, call)
    },
    Route("GET", base + "/account/{name}/{guid}/password", [.viewLocalPasswords]) {
      (tenant, call) throws(APIFault) in
      try password(tenant, call)
    },
    Route("PUT", base + "/set-password", [.sendLocalPasswords]) { (tenant, call) throws(APIFault) in
      let computer = try computer(tenant, call)
      let passwords = try call.body { (body) throws(JSONFault) in
        var passwords: [(name: String, password: String)] = []
        for entry in try body.required("lapsUserPasswordList").array() {
          passwords.append((try entry.required("username").string(), try entry.required("password").string()))
        }
        return passwords
      }
      for (name, password) in passwords {
        guard name == account else { throw .notFound("There is no account \(name.quoted())") }
        tenant.localPasswords[computer.managementID] = password
      }
      return .json(
        .object([
          ("lapsUserPasswordList", .array(passwords.map { .object([("username", .string($0.name))]) }))
        ]))
    },
  ]

  private static func computer(_ tenant: Tenant, _ call: Call) throws(APIFault) -> Computer {
    guard let device = tenant.device(managementID: call.parameters[0]), device.client == .computer,
      let computer = tenant.fleet.computer(device.number)
    else { throw .notFound("No computer has this management ID") }
    return computer
  }

  private static func password(_ tenant: Tenant, _ call: Call) throws(APIFault) -> ServerResponse {
    let computer = try computer(tenant, call)
    guard call.parameters[1] == account else {
      throw .notFound("There is no account \(call.parameters[1].quoted())")
    }
    if let chosen = tenant.localPasswords[computer.managementID] {
      return .json(.object([("password", .string(chosen))]))
    }
    var dice = Dice(seed: tenant.fleet.seed, .secret, computer.number * 4 + 2)
    return .json(.object([("password", .string(dice.hex(20)))]))
  }
}
