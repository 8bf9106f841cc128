import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct SavedReportsTests {
  private static func definition(_ name: String) throws -> ReportDefinition {
    var definition = ReportDefinition(
      name: name, scope: .computers, matching: .any, grouping: .osVersion, chart: .pie)
    try definition.add(ReportCriterion(.osVersion, .lessThan, "15"))
    try definition.add(ReportCriterion(.room, .isEmpty))
    return definition
  }

  @Test("what was kept is read again, in the order of the names") func roundTrip() throws {
    var saved = SavedReports()
    for name in ["b", "a", "\"c\"\n|"] { try saved.keep(Self.definition(name)) }
    #expect(saved.definitions.map(\.name) == ["\"c\"\n|", "a", "b"])
    #expect(try SavedReports(text: saved.text) == saved)
  }

  @Test("a report takes the place of one of its name, and can be deleted") func replaces() throws {
    var saved = SavedReports()
    try saved.keep(Self.definition("a"))
    try saved.keep(ReportDefinition(name: "a"))
    #expect(saved.definitions == [ReportDefinition(name: "a")])
    #expect(saved["a"] != nil)
    saved.delete(named: "a")
    #expect(saved == SavedReports())
  }

  @Test("so many are kept, and no more") func limit() throws {
    var saved = SavedReports()
    for number in 0..<SavedReports.limit { try saved.keep(ReportDefinition(name: "\(number)")) }
    #expect(throws: ReportFault.tooManyReports) { try saved.keep(ReportDefinition(name: "x")) }
    try saved.keep(ReportDefinition(name: "7", scope: .computers))
    #expect(try SavedReports(text: saved.text) == saved)
  }

  @Test("as many of the longest reports as are kept can be read again") func longest() throws {
    var definition = ReportDefinition(name: "")
    for _ in 0..<ReportDefinition.criteriaLimit {
      try definition.add(ReportCriterion(.name, .contains, String(repeating: "\"", count: 256)))
    }
    var saved = SavedReports()
    for number in 0..<SavedReports.limit {
      definition.name = "\(number)" + String(repeating: "\"", count: ReportDefinition.nameLimit - 3)
      try saved.keep(definition)
    }
    #expect(saved.text.utf8.count < 1 << 20)
    #expect(try SavedReports(text: saved.text) == saved)
  }

  @Test(
    "what was never kept here is refused with its place",
    arguments: [
      "", "7", "[7]", "[{}]", #"[{"name": ""}]"#,
      #"[{"name":"a","scope":"some","matching":"all","criteria":[],"grouping":"model","chart":"bar"}]"#,
      #"[{"name":"a","scope":"all","matching":"all","criteria":[{"field":"battery","comparison":"lessThan","value":"x"}],"grouping":"model","chart":"bar"}]"#,
    ])
  func refused(text: String) { #expect(throws: JSONFault.self) { try SavedReports(text: text) } }
}
