import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct ReportPlanTests {
  private static func definition(
    _ scope: ReportScope, _ matching: ReportMatching = .all,
    _ criteria: [(ReportField, ReportComparison, String)] = [], by grouping: ReportGrouping = .deviceType
  ) throws -> ReportDefinition {
    ReportDefinition(
      name: "r", scope: scope, matching: matching,
      criteria: try criteria.map { try ReportCriterion($0.0, $0.1, $0.2) }, grouping: grouping)
  }

  private func filters(
    _ scope: ReportScope, _ criteria: [(ReportField, ReportComparison, String)],
    matching: ReportMatching = .all
  ) throws -> [String?] {
    ReportPlan(try Self.definition(scope, matching, criteria)).readings.map(\.filter)
  }

  @Test("Jamf Pro decides what it can of the lists that the report is about") func decides() throws {
    #expect(try filters(.all, []) == [nil, nil])
    #expect(
      try filters(.all, [(.managed, .equals, "yes"), (.building, .equals, "Mill")])
        == ["general.remoteManagement.managed==true", "managed==true"])
    #expect(try filters(.mobileDevices, [(.supervised, .equals, "no")]) == ["supervised==false"])
    #expect(
      try filters(.computers, [(.name, .startsWith, "MAC-"), (.username, .contains, "o'b")])
        == [#"general.name=='*MAC-*';userAndLocation.username=='*o\'b*'"#])
    #expect(
      try filters(.computers, [(.name, .endsWith, "7"), (.serialNumber, .equals, "C*1")], matching: .any)
        == [#"general.name=='*7*',hardware.serialNumber=='*C\*1*'"#])
  }

  @Test(
    "no device is lost by a filter: what may be decided otherwise, or be enough here, is left to this side")
  func leaves() throws {
    #expect(
      try filters(.computers, [(.name, .equals, "a"), (.building, .equals, "Mill")], matching: .any) == [nil])
    #expect(
      try filters(.all, [(.email, .equals, "a@example.invalid")])
        == ["userAndLocation.email=='*a@example.invalid*'", nil])
    let left: [(ReportField, ReportComparison, String)] = [
      (.managed, .notEquals, "yes"), (.name, .isSet, ""), (.name, .notContains, "a"),
      (.name, .contains, "é"), (.name, .equals, #"\u{7}"#), (.name, .endsWith, "}"),
      (.osVersion, .equals, "15.6"), (.model, .equals, "Mac mini"), (.chip, .equals, "M2"),
    ]
    for criterion in left { #expect(try filters(.computers, [criterion]) == [nil], "\(criterion)") }
  }

  @Test("of managed Macs in a building their place is read, and the building is decided here")
  func building() throws {
    let plan = ReportPlan(
      try Self.definition(
        .computers, .all, [(.managed, .equals, "yes"), (.building, .equals, "Mill")], by: .building))
    #expect(plan.readings.map(\.domain) == [.computers])
    #expect(plan.readings[0].sections == ["GENERAL", "HARDWARE", "USER_AND_LOCATION"])
    #expect(plan.readings[0].filter == "general.remoteManagement.managed==true")
    #expect(plan.ownCriteria.map(\.field) == [.building])
  }

  private static let needed: [(ReportField, ReportComparison, String, [String], [String])] = [
    (.enrollmentDate, .isSet, "", ["GENERAL", "HARDWARE"], ["GENERAL", "HARDWARE"]),
    (.storageUsed, .greaterThan, "80", ["GENERAL", "HARDWARE", "STORAGE"], ["GENERAL", "HARDWARE"]),
    (.osVersion, .startsWith, "15", ["GENERAL", "HARDWARE", "OPERATING_SYSTEM"], ["GENERAL", "HARDWARE"]),
    (
      .location, .equals, "x", ["EXTENSION_ATTRIBUTES", "GENERAL", "HARDWARE"],
      ["EXTENSION_ATTRIBUTES", "GENERAL", "HARDWARE"]
    ),
  ]

  @Test("no section is read that nothing needs", arguments: needed)
  func sections(
    field: ReportField, comparison: ReportComparison, value: String, computers: [String], devices: [String]
  ) throws {
    let plan = ReportPlan(try Self.definition(.all, .all, [(field, comparison, value)]))
    #expect(plan.readings.map(\.sections) == [computers, devices])
  }

  @Test("what was read for one report serves that one, and is not taken for the fleet by another")
  func serves() throws {
    let report = try Self.definition(.computers, .all, [(.managed, .equals, "yes")])
    let other = try Self.definition(.computers)
    var snapshot = FleetSnapshot(devices: [ReportDevice(domain: .computers)], takenAt: 0)
    #expect(snapshot.serves(report) && snapshot.serves(other))
    snapshot.plan = ReportPlan(report)
    #expect(snapshot.serves(report) && !snapshot.serves(other))
    var state = ReportsState()
    state.begin(other)
    state.take(snapshot)
    state.run()
    #expect(state.result == nil)
    state.begin(report)
    state.run()
    #expect(state.result != nil)
  }

  @Test("a filter that a server doesn't take is left out, before sections are") func refused() throws {
    let report = try Self.definition(
      .computers, .all, [(.managed, .equals, "yes"), (.storageUsed, .isSet, "")])
    let source = InventorySource(try #require(ReportPlan(report).readings.first))
    #expect(source.first.query.last?.1 == "general.remoteManagement.managed==true")
    let older = try #require(source.next(after: source.first, failedBy: .notFound("/x")))
    #expect(older.path.hasPrefix("/api/v2/") && older.filter != nil)
    let plain = try #require(source.next(after: source.first, failedBy: .invalidRequest("filter")))
    #expect(plain.filter == nil && plain.sections == source.first.sections && plain.lack == nil)
    let fewer = try #require(source.next(after: plain, failedBy: .invalidRequest("section")))
    #expect(fewer.lack?.contains("STORAGE") == true)
  }
}
