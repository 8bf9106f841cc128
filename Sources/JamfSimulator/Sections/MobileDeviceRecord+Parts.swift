import ForsettiCore

/// The lists of a mobile device's record, and its record on its own.
extension MobileDeviceRecord {
  var applications: JSONValue {
    var dice = Dice(seed: seed, .details, -device.number)
    let installed = Organisation.mobileApplications.enumerated().filter { $0.offset < 2 || dice.chance(50) }
    return .array(
      installed.map { _, application in
        .object([
          ("identifier", .string(application.bundle)), ("name", .string(application.name)),
          ("version", .string(application.version)), ("shortVersion", .string(application.version)),
          ("managementStatus", .string("Managed")), ("validationStatus", .bool(true)),
          ("bundleSize", .string("\(application.megabytes) MB")), ("dynamicSize", .string("0 MB")),
        ])
      })
  }

  var certificates: JSONValue {
    guard device.isManaged else { return .array([]) }
    return .array([
      .object([
        ("commonName", .string(device.managementID)), ("identity", .bool(true)),
        ("expirationDate", RecordJSON.moment(device.profileExpiration)),
      ])
    ])
  }

  var profiles: JSONValue {
    guard device.isManaged else { return .array([]) }
    return .array(
      Organisation.configurationProfiles.prefix(3).enumerated().map { index, name in
        .object([
          ("displayName", .string(name)), ("version", .string("1")),
          ("uuid", .string("00000000-0000-4000-8000-00000000000\(index)")),
          ("identifier", .string("invalid.example.profile.\(index + 1)")), ("removable", .bool(false)),
          ("lastInstalled", RecordJSON.moment(device.lastEnrolled)),
        ])
      })
  }

  var groups: JSONValue {
    let groups = [
      (1, "All Managed iPads", !device.model.isPhone), (2, "All Managed iPhones", device.model.isPhone),
    ]
    return .array(
      groups.filter { $0.2 && device.isManaged }.map { number, name, _ in
        .object([("groupId", RecordJSON.id(number)), ("groupName", .string(name)), ("smart", .bool(true))])
      })
  }

  /// `GET v2/mobile-devices` and `/{id}`: a device in short.
  var short: JSONValue {
    .object([
      ("id", RecordJSON.id(device.number)), ("name", .string(device.name)),
      ("serialNumber", .string(device.serialNumber)), ("wifiMacAddress", .string(device.wifiAddress)),
      ("udid", .string(device.udid)), ("phoneNumber", .string(device.phoneNumber)),
      ("model", .string(device.model.name)), ("modelIdentifier", .string(device.model.identifier)),
      ("username", .string(device.user?.username)), ("type", .string("ios")),
      ("managementId", .string(device.managementID)),
      ("softwareUpdateDeviceId", .string(device.model.identifier)),
    ])
  }

  /// `GET v2/mobile-devices/{id}/detail`: one flat record with what only iOS has below `ios`.
  var detail: JSONValue {
    let user = device.user
    return .object([
      ("id", RecordJSON.id(device.number)), ("name", .string(device.name)), ("enforceName", .bool(false)),
      ("assetTag", .string(device.assetTag)),
      ("lastInventoryUpdateTimestamp", RecordJSON.moment(device.lastReport)),
      ("osVersion", .string(device.system.version)), ("osBuild", .string(device.system.build)),
      ("serialNumber", .string(device.serialNumber)), ("udid", .string(device.udid)),
      ("ipAddress", .string(device.ipAddress)), ("wifiMacAddress", .string(device.wifiAddress)),
      ("bluetoothMacAddress", .string(device.bluetoothAddress)), ("managed", .bool(device.isManaged)),
      ("supervised", .bool(device.isSupervised)),
      ("initialEntryTimestamp", RecordJSON.moment(device.lastEnrolled)),
      ("lastEnrollmentTimestamp", RecordJSON.moment(device.lastEnrolled)),
      ("mdmProfileExpirationTimestamp", RecordJSON.moment(device.profileExpiration)),
      ("deviceOwnershipLevel", .string("Institutional")), ("managementId", .string(device.managementID)),
      ("site", .object([("id", .string("-1")), ("name", .string("None"))])),
      (
        "location",
        .object([
          ("username", .string(user?.username)), ("realName", .string(user?.realName)),
          ("emailAddress", .string(user?.email)), ("position", .string(user?.position)),
          ("phoneNumber", .string(user?.phone)),
          ("departmentId", .string(user.map { String($0.department) })),
          ("buildingId", .string(user.map { String($0.building) })), ("room", .string(user?.room)),
        ])
      ),
      ("groups", groups), ("type", .string("ios")), ("ios", iosPart),
    ])
  }

  private var iosPart: JSONValue {
    .object([
      ("model", .string(device.model.name)), ("modelIdentifier", .string(device.model.identifier)),
      ("modelNumber", .string(device.model.number)), ("supervised", .bool(device.isSupervised)),
      ("batteryLevel", .integer(device.battery)), ("capacityMb", .integer(device.capacity)),
      ("availableMb", .integer(device.free)), ("percentageUsed", .integer(device.usedPercent)),
      ("shared", .bool(device.isShared)), ("lostModeEnabled", .bool(device.isLost)),
      ("passcodePresent", .bool(device.hasPasscode)), ("applications", applications),
      ("certificates", certificates), ("configurationProfiles", profiles),
    ])
  }
}
