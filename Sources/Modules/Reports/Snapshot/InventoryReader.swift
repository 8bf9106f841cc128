internal import ForsettiModuleKit

/// Makes devices of Jamf Pro's records, and lets go of the rest of them.
struct InventoryReader {
  let buildings: PlaceNames
  let departments: PlaceNames
  /// The extension attribute whose value is the location, if the settings name one.
  let locationAttribute: String?
  private var texts = InventoryText()

  init(buildings: PlaceNames, departments: PlaceNames, locationAttribute: String?) {
    self.buildings = buildings
    self.departments = departments
    self.locationAttribute = locationAttribute
  }

  /// A record of a list.
  mutating func device(_ record: JSONValue, of domain: DeviceDomain) -> ReportDevice {
    switch domain {
    case .computers: computer(record)
    case .mobileDevices: mobileDevice(record)
    }
  }

  private mutating func computer(_ record: JSONValue) -> ReportDevice {
    let (general, hardware) = (record["general"], record["hardware"])
    var device = device(.computers, hardware, record["userAndLocation"], realName: "realname", email: "email")
    device.name = texts.own(general?["name"])
    device.assetTag = texts.own(general?["assetTag"])
    device.osVersion = texts.shared(record["operatingSystem"]?["version"])
    device.enrollmentDate = ReportDay.normalised(texts.own(general?["lastEnrolledDate"]))
    device.lastInventory = ReportDay.normalised(texts.own(general?["reportDate"]))
    device.isManaged = general?["remoteManagement"]?["managed"]?.boolValue
    device.isSupervised = general?["supervised"]?.boolValue
    device.storageUsed = usedStorage(record["storage"])
    device.battery = texts.percent(hardware?["batteryCapacityPercent"])
    device.location = location(record, key: "values")
    return device
  }

  private mutating func mobileDevice(_ record: JSONValue) -> ReportDevice {
    let (general, hardware) = (record["general"], record["hardware"])
    var device = device(
      .mobileDevices, hardware, record["userAndLocation"], realName: "realName", email: "emailAddress")
    device.name = texts.own(general?["displayName"])
    device.assetTag = texts.own(general?["assetTag"])
    device.osVersion = texts.shared(general?["osVersion"])
    device.enrollmentDate = ReportDay.normalised(texts.own(general?["lastEnrolledDate"]))
    device.lastInventory = ReportDay.normalised(texts.own(general?["lastInventoryUpdateDate"]))
    device.isManaged = general?["managed"]?.boolValue
    device.isSupervised = general?["supervised"]?.boolValue
    device.storageUsed = texts.percent(hardware?["usedSpacePercentage"])
    device.battery = texts.percent(hardware?["batteryLevel"])
    device.location = location(record, key: "value")
    return device
  }

  /// What both kinds write alike.
  private mutating func device(
    _ domain: DeviceDomain, _ hardware: JSONValue?, _ place: JSONValue?, realName: String, email: String
  ) -> ReportDevice {
    let model = texts.shared(hardware?["model"])
    let identifier = texts.shared(hardware?["modelIdentifier"])
    let identity = DeviceIdentity(domain, model: model, identifier: identifier)
    var device = ReportDevice(domain: domain, type: identity.type, confidence: identity.confidence)
    device.model = model ?? identifier.flatMap { AppleModelName.of($0) }
    device.modelIdentifier = identifier
    device.chip = chip(of: identifier, reported: hardware?["processorType"])
    device.serialNumber = texts.own(hardware?["serialNumber"])
    device.building = name(of: place?["buildingId"], in: buildings)
    device.department = name(of: place?["departmentId"], in: departments)
    device.room = texts.shared(place?["room"])
    device.username = texts.own(place?["username"])
    device.realName = texts.own(place?[realName])
    device.email = texts.own(place?[email])
    return device
  }

  /// What is known of the model comes before what the device says, which differs from version to version.
  private mutating func chip(of identifier: String?, reported: JSONValue?) -> String? {
    let known = identifier.flatMap {
      AppleMacModel(identifier: $0)?.chip ?? AppleMobileModel(identifier: $0)?.chip
    }
    if let known { return texts.share(known) }
    return texts.shared(reported).map { AppleChip($0)?.name ?? $0 }
  }

  /// Where the list of names could not be read the ID is better than nothing.
  private mutating func name(of value: JSONValue?, in names: PlaceNames) -> String? {
    let id = texts.id(value)
    return (names.name(id) ?? id).map { texts.share($0) }
  }

  /// Of the partition that it starts from, else of the first that says so.
  private func usedStorage(_ storage: JSONValue?) -> Int? {
    let partitions = (storage?["disks"]?.elements ?? []).flatMap { $0["partitions"]?.elements ?? [] }
    let boot = partitions.first { $0["partitionType"]?.stringValue == "BOOT" }
    return texts.percent((boot ?? partitions.first { $0["percentUsed"] != nil })?["percentUsed"])
  }

  private mutating func location(_ record: JSONValue, key: String) -> String? {
    guard let wanted = locationAttribute else { return nil }
    let attributes = record["extensionAttributes"]?.elements ?? []
    guard let found = attributes.first(where: { $0["name"]?.stringValue == wanted }) else { return nil }
    let values = (found[key]?.elements ?? []).compactMap { texts.own($0) }
    return values.isEmpty ? nil : texts.share(values.joined(separator: ", ").plain())
  }
}
