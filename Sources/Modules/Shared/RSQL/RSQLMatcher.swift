internal import ForsettiModuleKit

extension RSQLCondition {
  /// Whether a record meets the condition.
  /// - Parameter value: the record's value of a field's key.
  func holds(_ value: (String) -> String?) -> Bool {
    switch self {
    case .test(let field, let test): test.holds(for: value(field.key))
    case .all(let conditions): conditions.allSatisfy { $0.holds(value) }
    case .any(let conditions): conditions.contains { $0.holds(value) }
    }
  }

  /// Keys of the fields that are looked at.
  var keys: Set<String> {
    switch self {
    case .test(let field, _): [field.key]
    case .all(let conditions), .any(let conditions):
      conditions.reduce(into: []) { $0.formUnion($1.keys) }
    }
  }
}

extension RSQLTest {
  /// Whether a value passes, as Jamf Pro would decide: what is absent is nothing, and so differs from everything.
  func holds(for value: String?) -> Bool {
    switch self {
    case .text(let place, let text, let isNegative):
      (value.map { Self.has($0.lowercased(), place, text.lowercased()) } ?? false) != isNegative
    case .oneOf(let entries, let isNegative):
      (value.map { value in entries.contains { $0.lowercased() == value.lowercased() } } ?? false)
        != isNegative
    case .number(let order, let number): Self.holds(order, value.flatMap { RSQLNumber($0) }, number)
    case .flag(let flag): value.map { $0.lowercased() == (flag ? "true" : "false") } ?? false
    case .before(let moment): Self.moment(value).map { $0 < moment } ?? false
    case .after(let moment): Self.moment(value).map { $0 > moment } ?? false
    case .on(let day): Self.moment(value).map { day.contains($0) } ?? false
    case .between(let range): Self.moment(value).map { range.contains($0) } ?? false
    }
  }

  private static func moment(_ value: String?) -> Int64? {
    value.flatMap { CivilTime(iso8601: $0) }?.milliseconds
  }

  private static func has(_ value: String, _ place: RSQLTextPlace, _ text: String) -> Bool {
    switch place {
    case .whole: value == text
    case .start: value.hasPrefix(text)
    case .end: value.hasSuffix(text)
    case .anywhere: value.contains(text)
    }
  }

  private static func holds(_ order: RSQLNumberOrder, _ value: RSQLNumber?, _ number: RSQLNumber) -> Bool {
    guard let value else { return order == .notEqual }
    return switch order {
    case .equal: value.isEqual(to: number)
    case .notEqual: !value.isEqual(to: number)
    case .less: value.isLess(than: number)
    case .lessOrEqual: value.isLess(than: number) || value.isEqual(to: number)
    case .greater: number.isLess(than: value)
    case .greaterOrEqual: number.isLess(than: value) || value.isEqual(to: number)
    }
  }
}

extension RSQLNumber {
  /// Integers are compared exactly; beside a fraction both are the nearest doubles.
  fileprivate func isEqual(to other: RSQLNumber) -> Bool {
    if case (.integer(let mine), .integer(let other)) = (self, other) { return mine == other }
    return double == other.double
  }

  fileprivate func isLess(than other: RSQLNumber) -> Bool {
    if case (.integer(let mine), .integer(let other)) = (self, other) { return mine < other }
    return double < other.double
  }

  private var double: Double {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    }
  }
}
