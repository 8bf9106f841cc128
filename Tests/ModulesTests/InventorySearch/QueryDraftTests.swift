import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct QueryDraftTests {
  private static func field(_ type: RSQLFieldType) -> InventoryField {
    InventoryField("f", "Field", type, at: "general.f", serverName: nil)
  }

  /// 2026-11-30T00:00:00Z
  private static let day: Int64 = 1_795_996_800_000

  private static let right: [(RSQLFieldType, RSQLOperator, String, String, RSQLValue?)] = [
    (.string, .contains, "Mac", "", .string("Mac")), (.bool, .isTrue, "ignored", "", nil),
    (.integer, .equals, "1024", "", .string("1024")), (.date, .before, "2026-11-30", "", .date(day)),
    (.date, .on, " 2026-11-30 ", "", .date(day)), (.date, .after, "2026-11-30", "", .date(day + 86_399_000)),
    (.date, .after, "2026-11-30T00:00:00Z", "", .date(day)),
    (.date, .between, "2026-11-30", "2026-11-30", .dates(day...day + 86_399_000)),
    (.enumeration, .includedIn, "a, b ,c", "", .list(["a", "b", "c"])),
    (.enumeration, .equals, "a", "", .string("a")),
  ]

  @Test("what is typed becomes a value of the field's kind", arguments: right)
  func typed(
    type: RSQLFieldType, comparison: RSQLOperator, value: String, until: String, wanted: RSQLValue?
  ) throws {
    let input = CriterionInput(comparison: comparison, value: value, until: until)
    #expect(
      try input.criterion(of: Self.field(type))
        == RSQLCriterion(field: "f", comparison: comparison, value: wanted))
  }

  private static let wrong: [(RSQLFieldType, RSQLOperator, String, String, RSQLDropReason)] = [
    (.string, .equals, " ", "", .emptyValue), (.integer, .equals, "many", "", .valueDoesNotFit),
    (.date, .on, "", "", .emptyValue), (.date, .on, "30.11.2026", "", .valueDoesNotFit),
    (.date, .on, "2026-02-30", "", .valueDoesNotFit), (.date, .between, "2026-11-30", "", .emptyValue),
    (.date, .between, "2026-11-30", "2026-11-29", .valueDoesNotFit),
    (.date, .before, "1960-01-01", "", .valueDoesNotFit), (.enumeration, .includedIn, " , ", "", .emptyValue),
    (.string, .before, "x", "", .operatorDoesNotFit),
  ]

  @Test("what makes no sense is refused before it is part of the query", arguments: wrong)
  func refused(
    type: RSQLFieldType, comparison: RSQLOperator, value: String, until: String, reason: RSQLDropReason
  ) {
    let input = CriterionInput(comparison: comparison, value: value, until: until)
    #expect(throws: reason) { try input.criterion(of: Self.field(type)) }
  }

  @Test("groups come with their first comparison and go with their last; there is a limit to both")
  func groups() {
    var draft = QueryDraft()
    let criterion = RSQLCriterion(field: "f", comparison: .isTrue)
    draft.add(criterion)
    #expect(draft.query.isEmpty)
    for group in 0..<40 {
      draft.choose("f", group: group)
      draft.add(criterion)
    }
    #expect(draft.query.groups.count == RSQLQuery.limit)
    #expect(!draft.hasRoom)
    for _ in 0..<40 {
      draft.choose("f", group: 0)
      draft.add(criterion)
    }
    #expect(draft.query.groups[0].criteria.count == RSQLQuery.limit)
    draft.remove(group: 1, criterion: 0)
    draft.remove(group: 99, criterion: 0)
    draft.remove(group: 0, criterion: -1)
    #expect(draft.query.groups.count == RSQLQuery.limit - 1)
    draft.toggle(group: 99)
    #expect(draft.query.groups.allSatisfy { $0.combinator == .and })
  }
}

@Suite struct SavedListTests {
  @Test("a name is kept once, whatever its case, and leaves ID and time to what replaces it")
  func replacing() throws {
    var list = SavedList<SearchProfile>()
    try list.save(SearchProfile(name: "b", fields: ["x"]), at: 1)
    try list.save(SearchProfile(name: "A", fields: ["x"]), at: 2)
    try list.save(SearchProfile(name: "B", fields: ["y"]), at: 3)
    #expect(list.items.map(\.name) == ["A", "B"])
    #expect(list.items[1] == SearchProfile(id: 1, name: "B", fields: ["y"], createdAt: 1))
    #expect(try SavedList<SearchProfile>(text: list.text) == list)
    list.remove(1)
    try list.save(SearchProfile(name: "c", fields: []), at: 4)
    #expect(list.items.map(\.id) == [2, 3])
  }

  @Test("a filter is read as it was kept")
  func filters() throws {
    var list = SavedList<SmartFilter>()
    let query = RSQLQuery(groups: [
      RSQLGroup(criteria: [RSQLCriterion(field: "f", comparison: .equals, value: .string("x"))])
    ])
    try list.save(SmartFilter(name: "Zoë", query: query, fields: ["f"]), at: 5)
    #expect(try SavedList<SmartFilter>(text: list.text) == list)
  }

  @Test("names are neither blank nor endless, and lists have an end")
  func refusals() throws {
    var list = SavedList<SearchProfile>()
    #expect(throws: SaveRefusal.noName) { try list.save(SearchProfile(name: " ", fields: []), at: 0) }
    let long = String(repeating: "x", count: 121)
    #expect(throws: SaveRefusal.nameTooLong) { try list.save(SearchProfile(name: long, fields: []), at: 0) }
    for number in 0..<100 { try list.save(SearchProfile(name: "\(number)", fields: []), at: 0) }
    #expect(throws: SaveRefusal.listFull) { try list.save(SearchProfile(name: "x", fields: []), at: 0) }
    try list.save(SearchProfile(name: "7", fields: ["y"]), at: 0)
  }

  @Test(
    "what was kept by nobody is refused",
    arguments: [
      "", "{}", "[{}]", #"[{"id":0,"name":"x","fields":[],"createdAt":0}]"#,
      #"[{"id":1,"name":" ","fields":[],"createdAt":0}]"#,
      #"[{"id":1,"name":"x","fields":[3],"createdAt":0}]"#,
      #"[{"id":1,"name":"x","fields":[],"createdAt":-1}]"#,
    ])
  func refused(text: String) {
    #expect(throws: JSONFault.self) { try SavedList<SearchProfile>(text: text) }
  }
}
