/// What a record must meet.
indirect enum RSQLCondition: Sendable, Hashable {
  case test(RSQLField, RSQLTest)
  case all([RSQLCondition])
  case any([RSQLCondition])

  /// Conditions under a combinator.
  static func joined(_ conditions: [RSQLCondition], _ combinator: RSQLCombinator) -> RSQLCondition {
    combinator == .and ? .all(conditions) : .any(conditions)
  }
}

/// A condition as the server's filter says it, and what that leaves open.
struct RSQLSplit: Sendable, Hashable {
  /// Finds at least what the condition means; nothing where the server can't narrow anything down.
  var filter: String?
  /// What a record must meet besides; nothing where the filter says all.
  var residual: RSQLCondition?

  /// Conditions under a combinator, of which each was split already.
  static func join(
    _ parts: [(condition: RSQLCondition, split: RSQLSplit)], _ combinator: RSQLCombinator
  ) -> RSQLSplit {
    let filters = parts.compactMap(\.split.filter)
    let residuals = parts.compactMap(\.split.residual)
    // What the server can't decide is left out of an AND, and takes all of an OR with it.
    let isHelpful = !filters.isEmpty && (combinator == .and || filters.count == parts.count)
    let filter = isHelpful ? filters.joined(separator: combinator.symbol) : nil
    guard !residuals.isEmpty else { return RSQLSplit(filter: filter) }
    let open = combinator == .and ? residuals : parts.map(\.condition)
    return RSQLSplit(filter: filter, residual: .joined(open, combinator))
  }

  /// One test of one field.
  init(_ field: RSQLField, _ test: RSQLTest) {
    guard let name = field.serverName else {
      self.init(residual: .test(field, test))
      return
    }
    guard test.holdsStar else {
      self.init(filter: test.filter(name))
      return
    }
    // The star may be taken for anything: then "is" finds too much, which can be put right, and "is not" too little.
    self.init(filter: test.isNegative ? nil : test.filter(name), residual: .test(field, test))
  }

  init(filter: String? = nil, residual: RSQLCondition? = nil) {
    self.filter = filter
    self.residual = residual
  }
}

extension RSQLTest {
  /// Whether a value has the character that filters take for anything.
  fileprivate var holdsStar: Bool {
    switch self {
    case .text(_, let text, _): text.utf8.contains(UInt8(ascii: "*"))
    case .oneOf(let entries, _): entries.contains { $0.utf8.contains(UInt8(ascii: "*")) }
    case .number, .flag, .before, .after, .on, .between: false
    }
  }

  fileprivate var isNegative: Bool {
    switch self {
    case .text(_, _, let isNegative), .oneOf(_, let isNegative): isNegative
    case .number, .flag, .before, .after, .on, .between: false
    }
  }

  /// The test of a field as a filter has it.
  fileprivate func filter(_ name: String) -> String {
    switch self {
    case .text(let place, let text, let isNegative):
      let literal = RSQL.pattern(
        text, anythingBefore: place == .anywhere || place == .end,
        anythingBehind: place == .anywhere || place == .start)
      return name + (isNegative ? "!=" : "==") + literal
    case .number(let order, let number): return name + order.rawValue + RSQL.quoted(number.text)
    case .flag(let value): return "\(name)==\(value)"
    case .before(let moment): return "\(name)=lt=\(RSQL.moment(moment))"
    case .after(let moment): return "\(name)=gt=\(RSQL.moment(moment))"
    case .on(let day):
      return "(\(name)=ge=\(RSQL.moment(day.lowerBound));\(name)=lt=\(RSQL.moment(day.upperBound)))"
    case .between(let range):
      return "(\(name)=ge=\(RSQL.moment(range.lowerBound));\(name)=le=\(RSQL.moment(range.upperBound)))"
    case .oneOf(let entries, let isNegative):
      let tests = entries.map { name + (isNegative ? "!=" : "==") + RSQL.quoted($0) }
      return "(" + tests.joined(separator: isNegative ? ";" : ",") + ")"
    }
  }
}
