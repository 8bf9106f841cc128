internal import ForsettiModuleKit

/// A query while somebody puts it together: first a field is chosen, then what it is compared with.
struct QueryDraft: Sendable, Hashable {
  private(set) var query = RSQLQuery(groups: [RSQLGroup()])
  /// The field that was chosen, and the group that its comparison will belong to.
  private(set) var chosen: Chosen?

  struct Chosen: Sendable, Hashable {
    var field: String
    /// One past the last is a new group.
    var group: Int
  }

  init() {}

  /// Goes on with a query that was kept.
  init(_ query: RSQLQuery) { self.query = query }

  /// Whether another group may begin.
  var hasRoom: Bool { query.groups.count < RSQLQuery.limit }

  /// Chooses the field of the next comparison.
  mutating func choose(_ field: String, group: Int) {
    guard (0...query.groups.count).contains(group), group < RSQLQuery.limit else { return }
    chosen = Chosen(field: field, group: group)
  }

  /// Takes the comparison of the chosen field; a group that is full takes no more.
  mutating func add(_ criterion: RSQLCriterion) {
    guard let group = chosen?.group else { return }
    if group == query.groups.count { query.groups.append(RSQLGroup()) }
    guard query.groups.indices.contains(group), query.groups[group].criteria.count < RSQLQuery.limit else {
      return
    }
    query.groups[group].criteria.append(criterion)
    chosen = nil
  }

  /// Takes a comparison back, and with its last one the group.
  mutating func remove(group: Int, criterion: Int) {
    guard query.groups.indices.contains(group), query.groups[group].criteria.indices.contains(criterion)
    else { return }
    query.groups[group].criteria.remove(at: criterion)
    if query.groups[group].criteria.isEmpty, query.groups.count > 1 { query.groups.remove(at: group) }
    chosen = nil
  }

  /// Turns AND into OR and back: in a group, or between the groups.
  mutating func toggle(group: Int?) {
    guard let group else {
      query.combinator = query.combinator.other
      return
    }
    guard query.groups.indices.contains(group) else { return }
    query.groups[group].combinator = query.groups[group].combinator.other
  }
}

extension RSQLCombinator {
  fileprivate var other: RSQLCombinator { self == .and ? .or : .and }
}

/// What somebody typed to compare a field with.
struct CriterionInput: Sendable, Hashable {
  var comparison: RSQLOperator
  var value: String
  /// The end of a span of time.
  var until: String

  /// The comparison, judged as the composer will judge it.
  func criterion(of field: InventoryField) throws(RSQLDropReason) -> RSQLCriterion {
    var criterion = RSQLCriterion(field: field.key, comparison: comparison)
    if comparison.needsValue { criterion.value = try typed(field.query.type) }
    _ = try RSQLTest(criterion, for: field.query)
    return criterion
  }

  private func typed(_ type: RSQLFieldType) throws(RSQLDropReason) -> RSQLValue {
    switch (type, comparison) {
    case (.date, .between):
      let (from, to) = (try Self.moment(value, isEnd: false), try Self.moment(until, isEnd: true))
      guard from <= to else { throw .valueDoesNotFit }
      return .dates(from...to)
    case (.date, _): return .date(try Self.moment(value, isEnd: comparison == .after))
    case (_, .includedIn), (_, .excludedFrom):
      return .list(value.split(separator: ",").map { String($0).trimmedScalars })
    default: return .string(value)
    }
  }

  /// - Parameter isEnd: whether a day without a time means its last second.
  private static func moment(_ text: String, isEnd: Bool) throws(RSQLDropReason) -> Int64 {
    let text = text.trimmedScalars
    guard !text.isEmpty else { throw .emptyValue }
    guard let time = CivilTime(iso8601: text)?.milliseconds else { throw .valueDoesNotFit }
    return isEnd && text.utf8.count == 10 ? time + 86_399_000 : time
  }
}
