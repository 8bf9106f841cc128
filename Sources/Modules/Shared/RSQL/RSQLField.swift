/// What a field holds, which decides how it may be compared.
enum RSQLFieldType: String, Sendable, CaseIterable {
  case string, integer, double, bool, date, enumeration

  /// The comparisons that make sense, in the order in which they are offered.
  var operators: [RSQLOperator] {
    switch self {
    case .string: [.equals, .notEquals, .contains, .notContains, .startsWith, .endsWith]
    case .integer, .double:
      [.equals, .notEquals, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual]
    case .bool: [.isTrue, .isFalse]
    case .date: [.before, .after, .on, .between]
    case .enumeration: [.includedIn, .excludedFrom, .equals, .notEquals]
    }
  }
}

/// A field as queries see it.
struct RSQLField: Sendable, Hashable {
  /// Its name in queries.
  var key: String
  var type: RSQLFieldType
  /// The section of the record that has it.
  var section: String
  /// Its name in the server's filters; nothing for one that the server can't filter by.
  var serverName: String?
  /// Whether queries may name it at all.
  var isFilterable = true

  /// The section that every record is asked for.
  static let generalSection = "GENERAL"
}

/// How a field is compared.
enum RSQLOperator: String, Sendable, CaseIterable {
  case equals, notEquals, contains, notContains, startsWith, endsWith
  case lessThan, lessThanOrEqual, greaterThan, greaterThanOrEqual
  case isTrue, isFalse
  case before, after, on, between
  case includedIn, excludedFrom

  /// Whether there is something to compare with.
  var needsValue: Bool { self != .isTrue && self != .isFalse }

  /// As words.
  var title: String {
    switch self {
    case .equals: "is"
    case .notEquals: "is not"
    case .contains: "contains"
    case .notContains: "does not contain"
    case .startsWith: "starts with"
    case .endsWith: "ends with"
    case .lessThan: "less than"
    case .lessThanOrEqual: "at most"
    case .greaterThan: "more than"
    case .greaterThanOrEqual: "at least"
    case .isTrue: "is true"
    case .isFalse: "is false"
    case .before: "before"
    case .after: "after"
    case .on: "on the day"
    case .between: "between"
    case .includedIn: "is one of"
    case .excludedFrom: "is none of"
    }
  }
}
