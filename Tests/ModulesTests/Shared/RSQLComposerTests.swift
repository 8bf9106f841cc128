import Testing

@testable import ForsettiModules

@Suite struct RSQLComposerTests {
  static let fields: [RSQLField] = [
    RSQLField(key: "name", type: .string, section: "GENERAL", serverName: "general.name"),
    RSQLField(key: "building", type: .string, section: "USER_AND_LOCATION", serverName: "building"),
    RSQLField(key: "department", type: .string, section: "USER_AND_LOCATION", serverName: "department"),
    RSQLField(key: "model", type: .string, section: "HARDWARE", serverName: "model"),
    RSQLField(key: "supervised", type: .bool, section: "GENERAL", serverName: "supervised"),
    RSQLField(key: "capacity", type: .integer, section: "HARDWARE", serverName: "capacityMb"),
    RSQLField(key: "load", type: .double, section: "HARDWARE", serverName: "load"),
    RSQLField(key: "seen", type: .date, section: "GENERAL", serverName: "lastContact"),
    RSQLField(key: "state", type: .enumeration, section: "SECURITY", serverName: "state"),
    RSQLField(key: "prestage", type: .string, section: "GENERAL"),
    RSQLField(key: "cea_5", type: .integer, section: "EXTENSION_ATTRIBUTES"),
    RSQLField(
      key: "secret", type: .string, section: "PURCHASING", serverName: "secret", isFilterable: false),
  ]

  static let composer = RSQLComposer { key in fields.first { $0.key == key } }

  private static func `is`(_ field: String, _ comparison: RSQLOperator, _ value: RSQLValue? = nil)
    -> RSQLCriterion
  {
    RSQLCriterion(field: field, comparison: comparison, value: value)
  }

  private static func all(_ criteria: RSQLCriterion...) -> RSQLGroup { RSQLGroup(criteria: criteria) }
  private static func any(_ criteria: RSQLCriterion...) -> RSQLGroup {
    RSQLGroup(criteria: criteria, combinator: .or)
  }

  /// 2026-11-30T01:28:39.123Z
  private static let moment: Int64 = 1_796_002_119_123

  private static let comparisons: [(RSQLCriterion, String)] = [
    (`is`("name", .equals, .string("MacBook")), "general.name=='MacBook'"),
    (`is`("model", .contains, .string("iPad")), "model=='*iPad*'"),
    (`is`("model", .notContains, .string("iPad")), "model!='*iPad*'"),
    (`is`("model", .startsWith, .string("iPhone")), "model=='iPhone*'"),
    (`is`("model", .endsWith, .string(" Pro ")), "model=='*Pro'"),
    (`is`("department", .notEquals, .string("Sales")), "department!='Sales'"),
    (`is`("supervised", .isTrue), "supervised==true"),
    (`is`("supervised", .isFalse), "supervised==false"),
    (`is`("capacity", .lessThan, .integer(1024)), "capacityMb=lt='1024'"),
    (`is`("capacity", .lessThanOrEqual, .string(" 1024 ")), "capacityMb=le='1024'"),
    (`is`("capacity", .greaterThan, .integer(-1)), "capacityMb=gt='-1'"),
    (`is`("load", .greaterThanOrEqual, .double(0.5)), "load=ge='0.5'"),
    (`is`("capacity", .equals, .integer(1024)), "capacityMb=='1024'"),
    (`is`("capacity", .notEquals, .integer(1024)), "capacityMb!='1024'"),
    (`is`("capacity", .equals, .string("9223372036854775807")), "capacityMb=='9223372036854775807'"),
    (`is`("name", .equals, .integer(5)), "general.name=='5'"),
    (`is`("name", .equals, .string("O'Brien")), #"general.name=='O\'Brien'"#),
    (`is`("name", .equals, .string(#"domain\jdoe"#)), #"general.name=='domain\\jdoe'"#),
    (`is`("name", .equals, .string(#"a\'b"#)), #"general.name=='a\\\'b'"#),
    (`is`("seen", .before, .date(moment)), "lastContact=lt='2026-11-30T01:28:39Z'"),
    (`is`("seen", .after, .date(0)), "lastContact=gt='1970-01-01T00:00:00Z'"),
    (
      `is`("seen", .on, .date(moment)),
      "(lastContact=ge='2026-11-30T00:00:00Z';lastContact=lt='2026-12-01T00:00:00Z')"
    ),
    (
      `is`("seen", .between, .dates(0...moment)),
      "(lastContact=ge='1970-01-01T00:00:00Z';lastContact=le='2026-11-30T01:28:39Z')"
    ),
    (`is`("state", .includedIn, .list(["a ", " ", "b"])), "(state=='a',state=='b')"),
    (`is`("state", .excludedFrom, .list(["a", "b"])), "(state!='a';state!='b')"),
  ]

  @Test("a comparison the server can make becomes its filter in parentheses", arguments: comparisons)
  func serverFilter(criterion: RSQLCriterion, filter: String) {
    let plan = Self.composer.compose(RSQLQuery(groups: [Self.all(criterion)]))
    #expect(plan.filter == "(\(filter))")
    #expect(plan.residual == nil)
    #expect(plan.dropped.isEmpty)
  }

  private static let joined: [(RSQLQuery, String)] = [
    (
      RSQLQuery(groups: [
        all(`is`("building", .equals, .string("B1")), `is`("model", .contains, .string("iPad")))
      ]),
      "(building=='B1';model=='*iPad*')"
    ),
    (
      RSQLQuery(groups: [
        any(
          `is`("department", .equals, .string("Sales")), `is`("department", .equals, .string("Engineering")))
      ]),
      "(department=='Sales',department=='Engineering')"
    ),
    (
      RSQLQuery(groups: [
        any(`is`("model", .contains, .string("iPad")), `is`("model", .contains, .string("iPhone"))),
        all(`is`("supervised", .isTrue)),
      ]),
      "(model=='*iPad*',model=='*iPhone*');(supervised==true)"
    ),
    (
      RSQLQuery(
        groups: [all(`is`("name", .equals, .string("a"))), all(), all(`is`("supervised", .isTrue))],
        combinator: .or),
      "(general.name=='a'),(supervised==true)"
    ),
  ]

  @Test("groups and comparisons are joined by their combinators", arguments: joined)
  func combinators(query: RSQLQuery, filter: String) {
    #expect(Self.composer.compose(query).filter == filter)
    #expect(Self.composer.compose(query).residual == nil)
  }

  @Test("a query without anything to compare has no filter")
  func empty() {
    for groups in [[], [RSQLGroup()], [Self.all(Self.is("name", .equals, .string("  ")))]] {
      let plan = Self.composer.compose(RSQLQuery(groups: groups))
      #expect(plan.filter == nil)
      #expect(plan.residual == nil)
      #expect(plan.sections == ["GENERAL"])
    }
  }

  private static let droppings: [(RSQLCriterion, RSQLDropReason)] = [
    (`is`("nowhere", .equals, .string("x")), .unknownField),
    (`is`("secret", .equals, .string("x")), .notFilterable),
    (`is`("name", .equals, .string(" \n")), .emptyValue),
    (`is`("name", .equals), .emptyValue),
    (`is`("state", .includedIn, .list([" ", ""])), .emptyValue),
    (`is`("capacity", .contains, .string("1")), .operatorDoesNotFit),
    (`is`("name", .lessThan, .string("1")), .operatorDoesNotFit),
    (`is`("capacity", .equals, .string("many")), .valueDoesNotFit),
    (`is`("capacity", .equals, .string("inf")), .valueDoesNotFit),
    (`is`("load", .equals, .double(.nan)), .valueDoesNotFit),
    (`is`("seen", .on, .string("2026-11-30")), .valueDoesNotFit),
    (`is`("seen", .on, .date(.min)), .valueDoesNotFit),
    (`is`("seen", .between, .dates(0...Int64.max)), .valueDoesNotFit),
    (`is`("name", .equals, .list(["a"])), .valueDoesNotFit),
    (`is`("name", .equals, .string(String(repeating: "x", count: 1_025))), .valueTooLong),
    (`is`("state", .includedIn, .list(Array(repeating: "xxxx", count: 257))), .valueTooLong),
  ]

  @Test(
    "a comparison that makes no sense is left out, with the reason; the others stay", arguments: droppings)
  func dropped(criterion: RSQLCriterion, reason: RSQLDropReason) {
    let plan = Self.composer.compose(
      RSQLQuery(groups: [RSQLGroup(), Self.all(Self.is("supervised", .isTrue), criterion)]))
    #expect(plan.filter == "(supervised==true)")
    #expect(plan.residual == nil)
    #expect(plan.dropped == [RSQLPlan.Dropped(group: 1, criterion: 1, reason: reason)])
    #expect(!reason.advice.isEmpty)
  }

  @Test("what the server can't filter by is left to the client")
  func clientOnly() {
    let plan = Self.composer.compose(
      RSQLQuery(groups: [Self.all(Self.is("prestage", .equals, .string("Standard")))]))
    #expect(plan.filter == nil)
    #expect(plan.residual == .all([.all([Self.test("prestage", "Standard")])]))
  }

  @Test("an AND is split between server and client")
  func splitAnd() {
    let plan = Self.composer.compose(
      RSQLQuery(groups: [
        Self.all(
          Self.is("building", .equals, .string("B1")), Self.is("prestage", .equals, .string("Standard")),
          Self.is("supervised", .isTrue))
      ]))
    #expect(plan.filter == "(building=='B1';supervised==true)")
    #expect(plan.residual == .all([.all([Self.test("prestage", "Standard")])]))
  }

  @Test("an OR across server and client is decided by the client as a whole")
  func splitOr() {
    let group = Self.any(
      Self.is("building", .equals, .string("B1")), Self.is("prestage", .equals, .string("Standard")))
    let open = RSQLCondition.any([Self.test("building", "B1"), Self.test("prestage", "Standard")])
    let plan = Self.composer.compose(RSQLQuery(groups: [group, Self.all(Self.is("supervised", .isTrue))]))
    #expect(plan.filter == "(supervised==true)")
    #expect(plan.residual == .all([open]))
  }

  @Test("an OR of groups of which one is the client's has no filter at all")
  func splitOuterOr() {
    let plan = Self.composer.compose(
      RSQLQuery(
        groups: [
          Self.all(Self.is("building", .equals, .string("B1"))),
          Self.all(Self.is("prestage", .equals, .string("Standard"))),
        ], combinator: .or))
    #expect(plan.filter == nil)
    #expect(
      plan.residual == .any([.all([Self.test("building", "B1")]), .all([Self.test("prestage", "Standard")])]))
  }

  @Test("a typed star is escaped, and the client looks again, for a server may take it for anything")
  func star() {
    let found = Self.composer.compose(
      RSQLQuery(groups: [Self.any(Self.is("name", .contains, .string("a*b")), Self.is("supervised", .isTrue))]
      ))
    #expect(found.filter == #"(general.name=='*a\*b*',supervised==true)"#)
    #expect(found.residual != nil)
    let excluded = Self.composer.compose(
      RSQLQuery(groups: [Self.all(Self.is("name", .notContains, .string("*")))]))
    #expect(excluded.filter == nil)
    #expect(excluded.residual != nil)
  }

  @Test("sections are the general one and those of every known field")
  func sections() {
    let plan = Self.composer.compose(
      RSQLQuery(groups: [
        Self.all(
          Self.is("building", .equals, .string("B1")), Self.is("capacity", .greaterThan, .string("x")),
          Self.is("secret", .isTrue), Self.is("cea_5", .equals, .integer(1)),
          Self.is("nowhere", .isTrue))
      ]))
    #expect(
      plan.sections == ["EXTENSION_ATTRIBUTES", "GENERAL", "HARDWARE", "PURCHASING", "USER_AND_LOCATION"])
  }

  private static func test(_ key: String, _ text: String) -> RSQLCondition {
    let field = fields.first { $0.key == key } ?? fields[0]
    return .test(field, .text(.whole, text, isNegative: false))
  }
}
