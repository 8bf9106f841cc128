/// A computer as the server knows it: all that lists filter and sort by, and all that may change. The rest of its
/// sections follows from `number` when they are asked for.
struct Computer: Sendable {
  /// The ID of the inventory, from 1.
  var number: Int
  var udid: String
  var managementID: String
  var name: String
  var serialNumber: String
  var assetTag: String?
  var barcodes: [String]
  var ipAddress: String
  var reportedIPv4: String
  var reportedIPv6: String?
  var macAddress: String
  var model: MacModel
  var system: SystemRelease
  var user: Person?
  var purchase: Purchase
  /// The PreStage it came by.
  var prestage: Int?
  var isManaged: Bool
  var isSupervised: Bool
  var isUserApproved: Bool
  var usesDeclarations: Bool
  var binaryVersion: String
  /// Milliseconds since 1970, as all its times.
  var lastContact: Int64
  var lastReport: Int64
  var lastEnrolled: Int64
  var firstSeen: Int64
  var profileExpiration: Int64
  var lastCloudBackup: Int64?
  var memoryMegabytes: Int
  var diskMegabytes: Int
  var freeMegabytes: Int
  /// Percent; none without a battery.
  var battery: Int?
  var isEncrypted: Bool
  var hasActivationLock: Bool
  var hasRecoveryLock: Bool
  var hasFirewall: Bool
  var allowsRemoteDesktop: Bool
  /// Applications that were installed or removed since, by their names.
  var applicationChanges: [String: Bool] = [:]
  var attachments: [Attachment] = []
  /// Values of extension attributes by ID.
  var attributes: [Int: String]

  /// The computer of this number in a fleet of this seed.
  init(number: Int, seed: UInt64) {
    var dice = Dice(seed: seed, .computer, number)
    self.number = number
    udid = dice.uuid().uppercased()
    managementID = dice.uuid()
    serialNumber = SerialNumber.make(number, prefix: "C", &dice)
    model = dice.pick(MacModel.all)
    system = model.isAppleSilicon ? dice.pick(SystemRelease.mac) : SystemRelease.mac[dice.number(0...2)]
    var person = Dice(seed: seed, .person, number)
    user = dice.chance(88) ? Person(number: number, &person) : nil
    name = Person.deviceName(model.family, of: user, number)
    purchase = Purchase(&dice)
    assetTag = dice.chance(80) ? "MAC-\(100_000 + number)" : nil
    barcodes = dice.chance(40) ? ["B1\(200_000 + number)", "B2\(300_000 + number)"] : []
    (ipAddress, reportedIPv4) = (
      "203.0.113.\(dice.number(1...254))",
      "10.\(number / 62_500 % 250).\(number / 250 % 250).\(number % 250 + 1)"
    )
    reportedIPv6 = dice.chance(30) ? "2001:db8::\(String(number, radix: 16))" : nil
    macAddress = dice.macAddress()
    isManaged = dice.chance(95)
    prestage = isManaged && dice.chance(75) ? dice.number(1...Prestage.computerNames.count) : nil
    isSupervised = prestage != nil
    isUserApproved = isManaged && (prestage != nil || dice.chance(80))
    usesDeclarations = isManaged && dice.chance(70)
    binaryVersion = dice.pick(["11.20.1", "11.20.1", "11.19.0", "11.17.2"])
    lastContact = dice.moment(before: Organisation.inventoryTime, days: dice.chance(90) ? 6 : 200)
    lastReport = lastContact - Int64(dice.number(0...86_400)) * 1_000
    lastEnrolled = dice.moment(before: lastReport, days: 900)
    firstSeen = lastEnrolled
    profileExpiration = lastEnrolled + 5 * 365 * 86_400_000
    lastCloudBackup = dice.chance(15) ? dice.moment(before: lastReport, days: 30) : nil
    memoryMegabytes = dice.pick(model.memory) * 1_024
    diskMegabytes = dice.pick([250_685, 500_277, 994_662, 2_000_398])
    freeMegabytes = diskMegabytes * dice.number(3...92) / 100
    battery = model.isPortable ? dice.number(4...100) : nil
    isEncrypted = dice.chance(86)
    hasActivationLock = dice.chance(20)
    hasRecoveryLock = model.isAppleSilicon && dice.chance(55)
    hasFirewall = dice.chance(72)
    allowsRemoteDesktop = dice.chance(12)
    attributes = ExtensionAttribute.values(of: ExtensionAttribute.computer, &dice)
  }

  var usedPercent: Int { diskMegabytes == 0 ? 0 : (diskMegabytes - freeMegabytes) * 100 / diskMegabytes }
}
