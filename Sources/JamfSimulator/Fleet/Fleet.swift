/// All devices of the made-up organisation, the same for the same seed and counts.
struct Fleet: Sendable {
  let seed: UInt64
  var computers: [Computer] {
    didSet { computerList = KnownList() }
  }
  var mobileDevices: [MobileDevice] {
    didSet { mobileDeviceList = KnownList() }
  }
  var computerList = KnownList<Computer>()
  var mobileDeviceList = KnownList<MobileDevice>()
  var computerPrestages: PrestageBook
  var mobilePrestages: PrestageBook

  /// Devices of each kind that nobody has switched on yet.
  static let unboxed = 24

  /// - Parameter unboxedMobileDevices: in the first PreStage, besides `unboxed`.
  init(seed: UInt64, computers: Int, mobileDevices: Int, unboxedMobileDevices: Int = 0) {
    self.seed = seed
    let macs = Self.numbers(computers).map { Computer(number: $0, seed: seed) }
    let mobiles = Self.numbers(mobileDevices).map { MobileDevice(number: $0, seed: seed) }
    self.computers = macs
    self.mobileDevices = mobiles
    // Numbers from far beyond the inventory, so that a larger fleet never meets them.
    let boxed = (0..<Self.unboxed).map { 10_000_000 + $0 }
    let stock = Self.numbers(unboxedMobileDevices).map { 20_000_000 + $0 }
    computerPrestages = PrestageBook(
      names: Prestage.computerNames, devices: macs.map { ($0.serialNumber, $0.prestage) },
      unboxed: boxed.map { Computer(number: $0, seed: seed).serialNumber }, date: Organisation.inventoryTime)
    mobilePrestages = PrestageBook(
      names: Prestage.mobileNames, devices: mobiles.map { ($0.serialNumber, $0.prestage) },
      unboxed: boxed.map { MobileDevice(number: $0, seed: seed).serialNumber },
      stock: stock.map { MobileDevice(number: $0, seed: seed).serialNumber }, date: Organisation.inventoryTime
    )
  }

  private static func numbers(_ count: Int) -> [Int] { (0..<max(0, count)).map { $0 + 1 } }

  /// Where a computer of this ID is; IDs are places in the list, from 1.
  func computer(_ number: Int) -> Computer? {
    computers.indices.contains(number - 1) ? computers[number - 1] : nil
  }

  func mobileDevice(_ number: Int) -> MobileDevice? {
    mobileDevices.indices.contains(number - 1) ? mobileDevices[number - 1] : nil
  }
}
