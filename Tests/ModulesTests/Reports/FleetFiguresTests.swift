import Testing

@testable import ForsettiModules

@Suite struct FleetFiguresTests {
  private static func device(
    _ type: DeviceType, _ confidence: IdentityConfidence, storage: Int? = nil, battery: Int? = nil,
    building: String? = nil
  ) -> ReportDevice {
    var device = ReportDevice(
      domain: type == .mac ? .computers : .mobileDevices, type: type, confidence: confidence)
    (device.storageUsed, device.battery, device.building) = (storage, battery, building)
    return device
  }

  private static let fleet = [
    device(.mac, .reported, storage: 49, battery: 19, building: "B"),
    device(.ipad, .reported, storage: 50, battery: 20, building: "A"),
    device(.iphone, .inferredHigh, storage: 80, battery: 100, building: "A"), device(.unknown, .unknown),
  ]

  @Test("figures count types, buckets, what is unknown and what was concluded") func figures() {
    let figures = FleetFigures(Self.fleet)
    #expect(figures.total == 4)
    #expect(figures.types.map(\.count) == [1, 1, 1, 0, 1])
    #expect(figures.unknown == 1)
    #expect(figures.inferred == 1)
    #expect(figures.storage.map(\.count) == [1, 1, 1, 1])
    #expect(figures.battery.map(\.count) == [1, 1, 0, 1, 1])
    #expect(
      figures.buildings == [
        ReportCount(label: "A", count: 2), ReportCount(label: "B", count: 1),
        ReportCount(label: "Unassigned", count: 1),
      ])
  }

  @Test("every percent is in exactly one bucket", arguments: [PercentBucket.storage, PercentBucket.battery])
  func buckets(buckets: [PercentBucket]) {
    for percent in 0...100 {
      #expect(PercentBucket.counts(buckets, [percent]).map(\.count).reduce(0, +) == 1)
      #expect(PercentBucket.counts(buckets, [percent]).last?.count == 0)
    }
  }

  @Test("a report holds what fulfils it, counted by its grouping") func result() throws {
    var definition = ReportDefinition(name: "Batteries", grouping: .building)
    try definition.add(ReportCriterion(.battery, .greaterThan, "19"))
    let result = ReportResult(
      definition, on: FleetSnapshot(devices: Self.fleet, takenAt: 7, warnings: ["half"]))
    #expect(result.devices == [Self.fleet[1], Self.fleet[2]])
    #expect(result.groups == [ReportCount(label: "A", count: 2)])
    #expect(result.takenAt == 7)
    #expect(result.warnings == ["half"])
  }

  @Test("a chart shows the largest groups, and one for all others") func charted() {
    let counts = (1...12).map { ReportCount(label: "\($0)", count: 13 - $0) }
    let charted = ReportResult.charted(counts)
    #expect(charted.count == ReportResult.chartLimit)
    #expect(charted.last == ReportCount(label: "3 others", count: 6))
    #expect(ReportResult.charted(Array(counts.prefix(10))) == Array(counts.prefix(10)))
  }
}
