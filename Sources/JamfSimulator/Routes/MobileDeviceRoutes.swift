import ForsettiCore
import ForsettiHTTP

/// The inventory of mobile devices.
enum MobileDeviceRoutes {
  static let all: [Route] = [
    Route("GET", "/api/v2/mobile-devices/detail", [.readMobileDevices]) { (tenant, call) throws(APIFault) in
      let sections = try call.sections(among: MobileDeviceSection.allCases, default: [.general])
      let seed = tenant.fleet.seed
      return try call.list(
        tenant.fleet.mobileDevices, &tenant.fleet.mobileDeviceList, fields: MobileDeviceFields.table,
        order: "displayName:asc"
      ) {
        MobileDeviceRecord(device: $0, seed: seed).json(sections)
      }
    },
    Route("GET", "/api/v2/mobile-devices", [.readMobileDevices]) { (tenant, call) throws(APIFault) in
      let seed = tenant.fleet.seed
      return try call.list(tenant.fleet.mobileDevices) { MobileDeviceRecord(device: $0, seed: seed).short }
    },
    Route("GET", "/api/v2/mobile-devices/{id}", [.readMobileDevices]) { (tenant, call) throws(APIFault) in
      .json(try record(tenant, call).short)
    },
    Route("GET", "/api/v2/mobile-devices/{id}/detail", [.readMobileDevices]) {
      (tenant, call) throws(APIFault) in
      .json(try record(tenant, call).detail)
    },
  ]

  private static func record(_ tenant: Tenant, _ call: Call) throws(APIFault) -> MobileDeviceRecord {
    let number = try call.number()
    guard let device = tenant.fleet.mobileDevice(number) else {
      throw .notFound("There is no mobile device \(number)")
    }
    return MobileDeviceRecord(device: device, seed: tenant.fleet.seed)
  }
}
