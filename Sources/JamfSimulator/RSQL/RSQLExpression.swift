/// A filter as it was written: comparisons joined by AND and OR, in the language that Jamf Pro's lists understand.
/// Grammar: https://github.com/jirutka/rsql-parser, with Jamf's `*` as a wildcard inside values.
indirect enum RSQLExpression: Sendable, Equatable {
  case comparison(RSQLComparison)
  /// Joined by `;` or `and`; two or more.
  case all([RSQLExpression])
  /// Joined by `,` or `or`; two or more.
  case any([RSQLExpression])
}

/// One comparison of a filter.
struct RSQLComparison: Sendable, Equatable {
  /// The field, as `general.name`.
  var selector: String
  var comparator: RSQLComparator
  /// One value; one or more for `=in=` and `=out=`.
  var values: [String]
  /// Where it begins, in bytes.
  var offset: Int

  init(_ selector: String, _ comparator: RSQLComparator, _ values: [String], offset: Int = 0) {
    self.selector = selector
    self.comparator = comparator
    self.values = values
    self.offset = offset
  }
}

/// What a comparison asks.
enum RSQLComparator: Sendable, CaseIterable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, isIn, isOut

  /// Every way to write it.
  var spellings: [String] {
    switch self {
    case .equal: ["=="]
    case .notEqual: ["!="]
    case .less: ["=lt=", "<"]
    case .lessOrEqual: ["=le=", "<="]
    case .greater: ["=gt=", ">"]
    case .greaterOrEqual: ["=ge=", ">="]
    case .isIn: ["=in="]
    case .isOut: ["=out="]
    }
  }

  /// Whether it takes a list in parentheses.
  var takesList: Bool { self == .isIn || self == .isOut }
}

/// How much a filter may ask for, checked before anything is built from it.
struct RSQLLimits: Sendable, Equatable {
  /// Length of the whole filter in bytes of UTF-8.
  var bytes = 8_192
  /// Parentheses within parentheses.
  var depth = 16
  /// Comparisons in all.
  var comparisons = 128
  /// Values of one list.
  var values = 256

  /// What the simulated server takes. Jamf documents no limits; these are beyond what any client sends.
  static let server = RSQLLimits()
}
