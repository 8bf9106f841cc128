/// What somebody searches for: groups of comparisons.
struct RSQLQuery: Sendable, Hashable {
  var groups: [RSQLGroup] = []
  /// Between the groups.
  var combinator = RSQLCombinator.and

  /// Whether nothing is compared.
  var isEmpty: Bool { groups.allSatisfy(\.criteria.isEmpty) }
}

/// Comparisons that belong together.
struct RSQLGroup: Sendable, Hashable {
  var criteria: [RSQLCriterion] = []
  /// Between the comparisons.
  var combinator = RSQLCombinator.and
}

/// Whether all must hold, or one.
enum RSQLCombinator: String, Sendable, CaseIterable {
  case and, or

  /// Between two terms of a filter.
  var symbol: String { self == .and ? ";" : "," }
}

/// One comparison.
struct RSQLCriterion: Sendable, Hashable {
  /// The field's key.
  var field: String
  var comparison: RSQLOperator
  /// Nothing for a comparison that needs none.
  var value: RSQLValue?
}

/// What a field is compared with.
enum RSQLValue: Sendable, Hashable {
  case string(String)
  case integer(Int64)
  case double(Double)
  /// Milliseconds since 1970.
  case date(Int64)
  /// Both ends count.
  case dates(ClosedRange<Int64>)
  case list([String])
}

extension RSQLValue {
  /// Moments that filters can name: the years 1970 to 9999.
  static let years: ClosedRange<Int64> = 0...253_402_300_799_999
  /// Bytes of a text, or of all of a list, at most.
  static let byteLimit = 1_024
}
