/// A query split into what the server can decide and what is left.
struct RSQLPlan: Sendable, Hashable {
  /// A comparison that was left out, by its place in the query.
  struct Dropped: Sendable, Hashable {
    var group: Int
    var criterion: Int
    var reason: RSQLDropReason
  }

  /// For the server: it finds at least what the query means. Nothing where it can't narrow anything down.
  var filter: String?
  /// What the records that the server found must meet besides; nothing where the filter says all.
  var residual: RSQLCondition?
  /// All that a record must meet, for records that no server has; nothing where nothing is compared.
  var condition: RSQLCondition?
  /// Sections that the fields of the query stand in, sorted.
  var sections: [String]
  var dropped: [Dropped]
}

/// Turns queries into filters. A filter may find too much, never too little; the plan's `residual` puts that right.
struct RSQLComposer: Sendable {
  /// The field of a key.
  let field: @Sendable (String) -> RSQLField?

  /// Splits a query.
  func compose(_ query: RSQLQuery) -> RSQLPlan {
    var plan = RSQLPlan(sections: [], dropped: [])
    var sections: Set = [RSQLField.generalSection]
    var groups: [(condition: RSQLCondition, split: RSQLSplit)] = []
    for (place, group) in query.groups.enumerated() {
      var tests: [(condition: RSQLCondition, split: RSQLSplit)] = []
      for (number, criterion) in group.criteria.enumerated() {
        do throws(RSQLDropReason) {
          guard let field = field(criterion.field) else { throw .unknownField }
          sections.insert(field.section)
          let test = try RSQLTest(criterion, for: field)
          tests.append((.test(field, test), RSQLSplit(field, test)))
        } catch {
          plan.dropped.append(RSQLPlan.Dropped(group: place, criterion: number, reason: error))
        }
      }
      guard !tests.isEmpty else { continue }
      var split = RSQLSplit.join(tests, group.combinator)
      split.filter = split.filter.map { "(\($0))" }
      groups.append((.joined(tests.map(\.condition), group.combinator), split))
    }
    let whole = RSQLSplit.join(groups, query.combinator)
    if !groups.isEmpty { plan.condition = .joined(groups.map(\.condition), query.combinator) }
    (plan.filter, plan.residual, plan.sections) = (whole.filter, whole.residual, sections.sorted())
    return plan
  }
}
