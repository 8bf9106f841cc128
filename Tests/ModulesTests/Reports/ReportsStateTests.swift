import ForsettiIPC
import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct ReportsStateTests {
  private static func fleet(_ count: Int) -> FleetSnapshot {
    let devices = (0..<count).map { number in
      var device = ReportDevice(
        domain: number.isMultiple(of: 2) ? .computers : .mobileDevices,
        type: number.isMultiple(of: 2) ? .mac : .ipad, confidence: .reported)
      (device.name, device.building) = ("Device \(number)", "House \(number % 150)")
      return device
    }
    return FleetSnapshot(devices: devices, takenAt: 0, warnings: ["Departments are missing"])
  }

  private static let form = [
    "name": " Macs ", "scope": "Computers", "matching": "Any criterion", "grouping": "Building",
    "chart": "Pie",
  ]

  @Test("the form of a report becomes its definition; what is no choice is the usual one") func define()
    throws
  {
    var state = ReportsState()
    try state.define(Self.form)
    #expect(
      state.draft
        == ReportDefinition(name: "Macs", scope: .computers, matching: .any, grouping: .building, chart: .pie)
    )
    try state.define(["name": "x", "scope": "Toasters"])
    #expect(state.draft == ReportDefinition(name: "x"))
    #expect(throws: ReportFault.nameMissing) { try state.define(["name": " "]) }
    #expect(throws: ReportFault.nameTooLong) {
      try state.define(["name": String(repeating: "x", count: 121)])
    }
    #expect(state.draft == ReportDefinition(name: "x"))
  }

  @Test("criteria are added and removed one by one, and survive the form") func criteria() throws {
    var state = ReportsState()
    try state.addCriterion(["field": "Building", "comparison": "contains", "value": "house"])
    try state.addCriterion(["field": "Managed", "comparison": "is empty"])
    try state.define(Self.form)
    #expect(state.draft.criteria.map(\.summary) == ["Building contains house", "Managed is empty"])
    state.removeCriterion(7)
    state.removeCriterion(-1)
    state.removeCriterion(0)
    #expect(state.draft.criteria.map(\.summary) == ["Managed is empty"])
    #expect(throws: ReportFault.unknownField("Colour")) { try state.addCriterion(["field": "Colour"]) }
    #expect(throws: ReportFault.unknownComparison("")) { try state.addCriterion(["field": "Name"]) }
  }

  @Test("a report runs on the fleet, again when that is read anew, and not before") func run() throws {
    var state = ReportsState()
    try state.define(Self.form)
    state.run()
    #expect(state.result == nil)
    state.take(Self.fleet(10))
    #expect(state.result == nil)
    state.run()
    #expect(state.result?.devices.count == 5)
    state.take(Self.fleet(20))
    #expect(state.result?.devices.count == 10)
    #expect(state.fleet?.total == 20)
    state.begin()
    #expect(state.result == nil)
  }

  @Test("pages stay within what was found") func pages() throws {
    var state = ReportsState()
    #expect(state.pageCount == 1)
    state.take(Self.fleet(101))
    state.run()
    #expect(state.pageCount == 3)
    for (page, expected) in [(2, 2), (3, 2), (-1, 0), (Int.max, 2)] {
      state.turn(to: page)
      #expect(state.page == expected)
    }
  }

  @Test("a location is a name, or none", arguments: [("Site ", "Site"), ("", nil), (" ", nil)])
  func location(name: String, expected: String?) {
    var state = ReportsState()
    state.setLocation(name)
    #expect(state.locationAttribute == expected)
  }

  @Test("the view can be drawn at every stage, and the fullest fits through the pipe") func view() throws {
    var state = ReportsState()
    try encode(state)
    state.progress = SnapshotProgress(label: "Computers: 200 of 300", share: 0.4)
    try encode(state)
    state.progress = nil
    state.take(Self.fleet(10_000))
    try encode(state)
    for _ in 0..<ReportDefinition.criteriaLimit {
      try state.addCriterion(
        ["field": "Name", "comparison": "does not contain", "value": String(repeating: "x", count: 256)])
    }
    for number in 0..<SavedReports.limit {
      try state.define(["name": "\(number)", "grouping": "Building"])
      try state.saved.keep(state.draft)
    }
    state.run()
    state.notice = ReportsState.Notice(text: "Kept", tone: .success, advice: "Go on")
    #expect(state.result?.devices.count == 10_000)
    try encode(state)
  }

  private func encode(_ state: ReportsState) throws {
    var writer = CBORWriter()
    try ReportsView(state: state) { "com.example.\($0)" }.node.encode(into: &writer)
    #expect(writer.bytes.count < 1 << 20)
  }
}
