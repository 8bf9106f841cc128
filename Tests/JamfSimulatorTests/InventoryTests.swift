import ForsettiCore
import Testing

@testable import JamfSimulator

@Suite struct InventoryTests {
  private static let fleet = Fleet(seed: 7, computers: 400, mobileDevices: 300)

  @Test("the same seed and number are the same device, however many there are, and another seed is another")
  func repeatable() {
    let small = Fleet(seed: 7, computers: 3, mobileDevices: 3)
    func text(_ fleet: Fleet) -> [String] {
      fleet.computers.prefix(3).map {
        JSONWriter.text(
          ComputerRecord(computer: $0, seed: fleet.seed).json(Set(ComputerSection.allCases), version: 1))
      }
        + fleet.mobileDevices.prefix(3).map {
          JSONWriter.text(
            MobileDeviceRecord(device: $0, seed: fleet.seed).json(Set(MobileDeviceSection.allCases)))
        }
    }
    #expect(text(small) == text(Self.fleet))
    #expect(text(small) != text(Fleet(seed: 8, computers: 3, mobileDevices: 3)))
  }

  @Test(
    "serial numbers, UDIDs and management IDs are each of one device only, in ten thousand and those still boxed"
  )
  func unique() {
    let fleet = Fleet(seed: 1, computers: 10_000, mobileDevices: 4_000)
    let serials = fleet.computers.map(\.serialNumber) + fleet.mobileDevices.map(\.serialNumber)
    #expect(Set(serials).count == 14_000)
    #expect(serials.allSatisfy { $0.utf8.count == 10 })
    let identifiers =
      fleet.computers.flatMap { [$0.udid, $0.managementID] }
      + fleet.mobileDevices.flatMap { [$0.udid, $0.managementID] }
    #expect(Set(identifiers).count == 28_000)
    let scoped = (fleet.computerPrestages.prestages + fleet.mobilePrestages.prestages).flatMap {
      $0.scope.assignments.map(\.serialNumber)
    }
    #expect(Set(scoped).count == scoped.count)
    #expect(Set(scoped).subtracting(serials).count == 2 * Fleet.unboxed)
  }

  @Test("inventory stands still where it says, and no device was heard of later") func times() {
    #expect(Organisation.inventoryTime == CivilTime(iso8601: "2026-11-01T08:00:00Z")?.milliseconds)
    for computer in Self.fleet.computers {
      #expect(computer.lastEnrolled <= computer.lastReport)
      #expect(computer.lastReport <= computer.lastContact)
      #expect(computer.lastContact <= Organisation.inventoryTime)
    }
  }

  /// The scalar at a path of a record, as the field of that name should read it.
  private func value(_ path: String, _ kind: FieldKind, in record: JSONValue) -> FieldValue? {
    var place = record
    for step in path.split(separator: ".") {
      guard let next = place[String(step)] else { return nil }
      place = next
    }
    if place.isNull { return .absent }
    switch kind {
    case .text: return place.stringValue.map { .text($0) }
    case .flag: return place.boolValue.map { .flag($0) }
    case .moment: return place.stringValue.flatMap { CivilTime(iso8601: $0) }.map { .moment($0.milliseconds) }
    case .integer: return (place.integerValue ?? place.stringValue.flatMap { Int64($0) }).map { .integer($0) }
    }
  }

  @Test(
    "what a computer is filtered by is what its record shows",
    arguments: ComputerFields.table.fields.map(\.name))
  func computerFields(name: String) throws {
    let field = try #require(ComputerFields.table[name])
    for computer in Self.fleet.computers.prefix(60) {
      let record = ComputerRecord(computer: computer, seed: 7).json(Set(ComputerSection.allCases), version: 3)
      #expect(value(name, field.kind, in: record) == field.value(computer))
    }
  }

  @Test(
    "what a mobile device is filtered by is what its record shows",
    arguments: MobileDeviceFields.table.fields.map(\.name))
  func mobileFields(name: String) throws {
    let field = try #require(MobileDeviceFields.table[name])
    for device in Self.fleet.mobileDevices.prefix(60) {
      let record = MobileDeviceRecord(device: device, seed: 7).json(Set(MobileDeviceSection.allCases))
      let paths =
        MobileDeviceFields.paths[name].map { [$0] }
        ?? MobileDeviceSection.allCases.map { "\($0.key).\(name)" }
      let shown = paths.compactMap { value($0, field.kind, in: record) }
      #expect(shown.first == field.value(device))
    }
  }

  @Test("a record holds every section of its version as a member, and null for those not asked for")
  func sections() {
    let record = ComputerRecord(computer: Self.fleet.computers[0], seed: 7)
    let general = record.json([.general], version: 3)
    #expect(general["general"]?.members != nil)
    #expect(general["hardware"]?.isNull == true)
    #expect(general["plugins"] == nil)
    #expect(record.json([], version: 1)["plugins"]?.isNull == true)
    #expect(ComputerSection.allCases.map(\.key).contains("userAndLocation"))
    #expect(ComputerSection.known(to: 3).count == ComputerSection.allCases.count - 2)
  }
}
