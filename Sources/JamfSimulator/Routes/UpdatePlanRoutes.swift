import ForsettiCore
import ForsettiHTTP

/// Plans to update the systems of devices.
enum UpdatePlanRoutes {
  private static let base = "/api/v1/managed-software-updates/plans"

  static let all: [Route] = [
    Route("POST", base, [.createUpdatePlans]) { (tenant, call) throws(APIFault) in
      let (devices, config) = try request(call)
      for device in devices {
        let isKnown =
          device.client == .computer
          ? tenant.fleet.computer(device.number) != nil : tenant.fleet.mobileDevice(device.number) != nil
        guard isKnown else { throw .notFound("There is no device \(device.number)") }
      }
      let plans = devices.map { tenant.updatePlans.make($0.client, $0.number, config, now: call.now) }
      return .json(.object([("plans", .array(plans.map(\.reference)))]), .created)
    },
    Route("GET", base, [.readUpdatePlans]) { (tenant, call) throws(APIFault) in
      try call.list(tenant.updatePlans.plans) { $0.json(at: call.now) }
    },
    Route("GET", base + "/{id}", [.readUpdatePlans]) { (tenant, call) throws(APIFault) in
      guard let plan = tenant.updatePlans.plans.first(where: { $0.uuid == call.parameters[0] }) else {
        throw .notFound("There is no plan \(call.parameters[0].quoted())")
      }
      return .json(plan.json(at: call.now))
    },
  ]

  private static func request(_ call: Call) throws(APIFault) -> (
    [(client: MDMCommand.ClientType, number: Int)], UpdatePlan.Config
  ) {
    let (devices, config) = try call.body { (body) throws(JSONFault) in
      var devices: [(client: String, id: String)] = []
      for device in try body.required("devices").array() {
        devices.append((try device.required("objectType").string(), try device.required("deviceId").string()))
      }
      return (devices, try UpdatePlan.Config(body.required("config")))
    }
    guard !devices.isEmpty else { throw .invalid("devices", "a device is needed") }
    guard config.action != .allowDeferral || config.deferrals != nil else {
      throw .invalid("maxDeferrals", "\(config.action.rawValue) needs a number of deferrals")
    }
    var known: [(client: MDMCommand.ClientType, number: Int)] = []
    for (client, id) in devices {
      guard let client = MDMCommand.ClientType(rawValue: client), let number = Int(id) else {
        throw .invalid("devices", "\(client.quoted()) \(id.quoted()) is no device")
      }
      known.append((client, number))
    }
    return (known, config)
  }
}
