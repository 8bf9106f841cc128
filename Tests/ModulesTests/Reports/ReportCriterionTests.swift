import Testing

@testable import ForsettiModules

@Suite struct ReportCriterionTests {
  private static let mac: ReportDevice = {
    var device = ReportDevice(domain: .computers, type: .mac, confidence: .reported)
    device.name = "Zoë’s MacBook"
    device.osVersion = "15.10.1"
    device.enrollmentDate = "2026-03-05"
    device.lastInventory = "Never"
    device.building = "Mill Campus"
    device.isManaged = true
    device.storageUsed = 80
    return device
  }()

  typealias Case = (ReportField, ReportComparison, String, Bool)
  private static let cases: [Case] = [
    (.name, .equals, "zoë’s macbook", true), (.name, .equals, "Zoë’s", false),
    (.name, .notEquals, "x", true), (.name, .contains, " MACB ", true), (.name, .contains, "*", false),
    (.name, .notContains, "MacB", false), (.name, .startsWith, "zoë", true),
    (.name, .startsWith, "macbook", false), (.name, .endsWith, "BOOK", true), (.name, .isSet, "", true),
    (.name, .isEmpty, "", false), (.room, .isEmpty, "", true), (.room, .isSet, "", false),
    (.deviceType, .equals, "Mac", true), (.confidence, .equals, "Reported", true),
    // What is not known equals nothing.
    (.room, .equals, "1", false), (.room, .notEquals, "1", true), (.room, .contains, "1", false),
    (.room, .notContains, "1", true),
    (.osVersion, .equals, "15.10.1.0", true), (.osVersion, .greaterThan, "15.9", true),
    (.osVersion, .lessThan, "15.9", false), (.osVersion, .lessThan, "26", true),
    (.osVersion, .startsWith, "15", true), (.osVersion, .startsWith, "15.1", false),
    (.osVersion, .notEquals, "15.10.1", false),
    (.enrollmentDate, .greaterThan, "2026-03-04", true), (.enrollmentDate, .greaterThan, "2026-03-05", false),
    (.enrollmentDate, .lessThan, "2026-03-06", true), (.enrollmentDate, .equals, "2026-03-05", true),
    // A text that is no date is before and after none.
    (.lastInventory, .lessThan, "2026-03-06", false), (.lastInventory, .greaterThan, "2026-03-06", false),
    (.lastInventory, .isSet, "", true),
    (.managed, .equals, "yes", true), (.managed, .equals, "No", false), (.managed, .notEquals, "false", true),
    (.supervised, .equals, "No", false), (.supervised, .isEmpty, "", true),
    (.supervised, .notEquals, "Yes", true),
    (.storageUsed, .greaterThan, "79", true), (.storageUsed, .greaterThan, "80", false),
    (.storageUsed, .lessThan, "100", true), (.battery, .lessThan, "20", false),
    (.battery, .isEmpty, "", true),
  ]

  @Test("a device fulfils a criterion, or doesn't", arguments: cases)
  func matches(field: ReportField, comparison: ReportComparison, value: String, expected: Bool) throws {
    #expect(try ReportCriterion(field, comparison, value).matches(Self.mac) == expected)
  }

  private static let wrong: [(ReportField, ReportComparison, String, ReportFault)] = [
    (.name, .greaterThan, "a", .comparison(.name)), (.managed, .contains, "y", .comparison(.managed)),
    (.battery, .startsWith, "1", .comparison(.battery)), (.name, .equals, " \n", .valueMissing(.name)),
    (.name, .equals, String(repeating: "x", count: 257), .valueTooLong(.name)),
    (.osVersion, .equals, "Sequoia", .version(.osVersion)),
    (.osVersion, .lessThan, ".1", .version(.osVersion)),
    (.enrollmentDate, .equals, "05.03.2026", .day(.enrollmentDate)),
    (.enrollmentDate, .equals, "2026-02-30", .day(.enrollmentDate)),
    (.managed, .equals, "maybe", .flag(.managed)), (.battery, .lessThan, "101", .percent(.battery)),
    (.battery, .lessThan, "-1", .percent(.battery)), (.battery, .lessThan, "1.5", .percent(.battery)),
    (.battery, .lessThan, "99999999999999999999", .percent(.battery)),
  ]

  @Test("a criterion that means nothing is refused with its reason", arguments: wrong)
  func refused(field: ReportField, comparison: ReportComparison, value: String, fault: ReportFault) {
    #expect(throws: fault) { try ReportCriterion(field, comparison, value) }
    #expect(!fault.advice.isEmpty)
  }

  @Test("every field can be compared, and found by its title", arguments: ReportField.allCases)
  func fields(field: ReportField) {
    #expect(field.kind.comparisons.contains(.equals))
    #expect(ReportField(title: field.title) == field)
  }

  @Test("criteria join by all or any, within the scope; none of them takes every device")
  func definition() throws {
    var definition = ReportDefinition(name: "x")
    #expect(definition.covers(Self.mac))
    try definition.add(ReportCriterion(.managed, .equals, "yes"))
    try definition.add(ReportCriterion(.building, .equals, "Quay 7"))
    #expect(!definition.covers(Self.mac))
    definition.matching = .any
    #expect(definition.covers(Self.mac))
    definition.scope = .mobileDevices
    #expect(!definition.covers(Self.mac))
    #expect(definition.summary == "Mobile devices where Managed is yes or Building is Quay 7")
    for _ in definition.criteria.count..<ReportDefinition.criteriaLimit {
      try definition.add(ReportCriterion(.name, .isSet))
    }
    #expect(throws: ReportFault.tooManyCriteria) { try definition.add(ReportCriterion(.name, .isSet)) }
  }
}
