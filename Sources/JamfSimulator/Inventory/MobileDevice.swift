/// A phone or tablet as the server knows it; see `Computer`.
struct MobileDevice: Sendable {
  /// The ID of the inventory, from 1.
  var number: Int
  var udid: String
  var managementID: String
  var name: String
  var serialNumber: String
  var assetTag: String?
  var ipAddress: String
  var wifiAddress: String
  var bluetoothAddress: String
  var model: MobileModel
  var system: SystemRelease
  var user: Person?
  var purchase: Purchase
  var prestage: Int?
  var isManaged: Bool
  var isSupervised: Bool
  var isShared: Bool
  var usesDeclarations: Bool
  /// Milliseconds since 1970.
  var lastReport: Int64
  var lastEnrolled: Int64
  var profileExpiration: Int64
  /// Megabytes.
  var capacity: Int
  var free: Int
  /// Percent.
  var battery: Int
  var hasPasscode: Bool
  var isPasscodeCompliant: Bool
  var hasActivationLock: Bool
  var isLost: Bool
  var isRoaming: Bool
  var phoneNumber: String?
  var attributes: [Int: String]

  /// The device of this number in a fleet of this seed.
  init(number: Int, seed: UInt64) {
    var dice = Dice(seed: seed, .mobileDevice, number)
    self.number = number
    udid = dice.uuid()
    managementID = dice.uuid()
    serialNumber = SerialNumber.make(number, prefix: "F", &dice)
    model = dice.pick(MobileModel.all)
    system = dice.pick(SystemRelease.mobile)
    // Numbers of their own: nobody has a computer and a phone by accident of counting.
    var person = Dice(seed: seed, .person, -number)
    user = dice.chance(80) ? Person(number: 100_000 + number, &person) : nil
    name = Person.deviceName(model.isPhone ? "iPhone" : "iPad", of: user, number)
    purchase = Purchase(&dice)
    assetTag = dice.chance(70) ? "\(model.isPhone ? "PHN" : "TAB")-\(100_000 + number)" : nil
    ipAddress = "10.200.\(number / 250 % 250).\(number % 250 + 1)"
    wifiAddress = dice.macAddress()
    bluetoothAddress = dice.macAddress()
    isManaged = dice.chance(96)
    prestage = isManaged && dice.chance(80) ? dice.number(1...Prestage.mobileNames.count) : nil
    isSupervised = prestage != nil || (isManaged && dice.chance(20))
    isShared = !model.isPhone && isSupervised && dice.chance(10)
    usesDeclarations = isManaged && dice.chance(60)
    lastReport = dice.moment(before: Organisation.inventoryTime, days: dice.chance(85) ? 3 : 120)
    lastEnrolled = dice.moment(before: lastReport, days: 900)
    profileExpiration = lastEnrolled + 2 * 365 * 86_400_000
    capacity = dice.pick(model.capacities) * 1_000
    free = capacity * dice.number(2...90) / 100
    battery = dice.number(5...100)
    hasPasscode = dice.chance(85)
    isPasscodeCompliant = hasPasscode && dice.chance(95)
    hasActivationLock = dice.chance(35)
    isLost = false
    isRoaming = model.isPhone && dice.chance(8)
    phoneNumber = model.isPhone ? "+49 151 5550\(dice.number(1_000...9_999))" : nil
    attributes = ExtensionAttribute.values(of: ExtensionAttribute.mobileDevice, &dice)
  }

  var modemFirmware: String { model.isPhone ? "3.30.01" : "" }
  var carrier: String? { model.isPhone ? "Example Mobile" : nil }
  var imei: String? { model.isPhone ? "35 \(100_000 + number) 000000 0" : nil }
  var usedPercent: Int { capacity == 0 ? 0 : (capacity - free) * 100 / capacity }
}
