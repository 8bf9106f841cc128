internal import ForsettiModuleKit

/// Queries as they are kept in storage.
extension RSQLQuery {
  /// Groups of a query and comparisons of a group at most: what a filter of Jamf's and a person can still hold.
  static let limit = 16

  /// Times are milliseconds since 1970.
  var json: JSONValue {
    .object([
      ("combinator", .string(combinator.rawValue)), ("groups", .array(groups.map(\.json))),
    ])
  }

  init(_ cursor: JSONCursor) throws(JSONFault) {
    combinator = try cursor.required("combinator").oneOf(RSQLCombinator.self, called: "a combinator")
    for group in try cursor.required("groups").elements(atMost: Self.limit) {
      groups.append(try RSQLGroup(group))
    }
  }
}

extension RSQLGroup {
  fileprivate var json: JSONValue {
    .object([
      ("combinator", .string(combinator.rawValue)), ("criteria", .array(criteria.map(\.json))),
    ])
  }

  fileprivate init(_ cursor: JSONCursor) throws(JSONFault) {
    combinator = try cursor.required("combinator").oneOf(RSQLCombinator.self, called: "a combinator")
    for criterion in try cursor.required("criteria").elements(atMost: RSQLQuery.limit) {
      criteria.append(try RSQLCriterion(criterion))
    }
  }
}

extension RSQLCriterion {
  fileprivate var json: JSONValue {
    .object(omittingAbsent: [
      ("field", .string(field)), ("operator", .string(comparison.rawValue)), ("value", value?.json),
    ])
  }

  fileprivate init(_ cursor: JSONCursor) throws(JSONFault) {
    field = try cursor.required("field").string()
    comparison = try cursor.required("operator").oneOf(RSQLOperator.self, called: "a comparison")
    if let kept = try cursor.optional("value") { value = try RSQLValue(kept) }
  }
}

extension RSQLValue {
  fileprivate var json: JSONValue {
    switch self {
    case .string(let text): .string(text)
    case .integer(let number): .integer(number)
    case .double(let number): .number(number)
    case .date(let moment): .object([("date", .integer(moment))])
    case .dates(let range):
      .object([("from", .integer(range.lowerBound)), ("to", .integer(range.upperBound))])
    case .list(let entries): .strings(entries)
    }
  }

  fileprivate init(_ cursor: JSONCursor) throws(JSONFault) {
    switch cursor.value.content {
    case .string(let text): self = .string(text)
    case .number(let number): self = number.integer.map { .integer($0) } ?? .double(number.double)
    case .array: self = .list(try cursor.strings())
    case .object:
      if let date = try cursor.optional("date") {
        self = .date(try date.integer(in: Self.years))
        return
      }
      let from = try cursor.required("from").integer(in: Self.years)
      self = .dates(from...(try cursor.required("to").integer(in: from...Self.years.upperBound)))
    case .null, .bool: throw cursor.fault("no value to compare with")
    }
  }
}

extension JSONCursor {
  /// The elements of an array that has not too many.
  func elements(atMost limit: Int) throws(JSONFault) -> [JSONCursor] {
    let elements = try array()
    guard elements.count <= limit else { throw fault("more than \(limit) elements") }
    return elements
  }
}
