import ForsettiCore

/// A filter that was understood for one kind of record: fields are found, values are of their kinds.
struct RSQLPredicate<Record>: Sendable {
  private indirect enum Node: Sendable {
    case test(Field<Record>, FieldTest)
    case all([Node])
    case any([Node])
  }

  private let root: Node

  /// Understands a filter; a fault names the field or value that does not fit.
  init(_ expression: RSQLExpression, fields: FieldTable<Record>) throws(RSQLFault) {
    root = try Self.node(expression, fields)
  }

  /// Whether a record is what the filter asks for.
  func matches(_ record: Record) -> Bool { Self.holds(root, record) }

  private static func node(
    _ expression: RSQLExpression, _ fields: FieldTable<Record>
  ) throws(RSQLFault) -> Node {
    switch expression {
    case .comparison(let comparison):
      guard let field = fields[comparison.selector], field.isFilterable else {
        throw RSQLFault(reason: .unknownField(comparison.selector), offset: comparison.offset)
      }
      return .test(field, try FieldTest(comparison, kind: field.kind))
    case .all(let terms): return .all(try nodes(terms, fields))
    case .any(let terms): return .any(try nodes(terms, fields))
    }
  }

  private static func nodes(
    _ terms: [RSQLExpression], _ fields: FieldTable<Record>
  ) throws(RSQLFault) -> [Node] {
    var nodes: [Node] = []
    for term in terms { nodes.append(try node(term, fields)) }
    return nodes
  }

  private static func holds(_ node: Node, _ record: Record) -> Bool {
    switch node {
    case .test(let field, let test): return test.holds(field.value(record))
    case .all(let nodes):
      for node in nodes where !holds(node, record) { return false }
      return true
    case .any(let nodes):
      for node in nodes where holds(node, record) { return true }
      return false
    }
  }
}

/// One comparison with its values read as the field's kind.
struct FieldTest: Sendable {
  private enum Operand: Sendable, Equatable {
    case pattern(TextPattern, lowered: String)
    case number(Int64)
    case flag(Bool)
  }

  private let comparator: RSQLComparator
  private let operands: [Operand]

  init(_ comparison: RSQLComparison, kind: FieldKind) throws(RSQLFault) {
    comparator = comparison.comparator
    if kind == .flag, [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(comparator) {
      throw RSQLFault(
        reason: .unfitComparator(field: comparison.selector), offset: comparison.offset)
    }
    var operands: [Operand] = []
    for value in comparison.values {
      guard let operand = Self.operand(value, kind) else {
        throw RSQLFault(
          reason: .unfitValue(field: comparison.selector, value: value, kind: kind), offset: comparison.offset
        )
      }
      operands.append(operand)
    }
    self.operands = operands
  }

  private static func operand(_ value: String, _ kind: FieldKind) -> Operand? {
    switch kind {
    case .text: .pattern(TextPattern(value), lowered: value.lowercased())
    case .integer: Int64(value).map { .number($0) }
    case .moment: CivilTime(iso8601: value).map { .number($0.milliseconds) }
    case .flag: ["true": true, "false": false][value.lowercased()].map { .flag($0) }
    }
  }

  /// Whether a value passes. What was never reported equals nothing, is neither smaller nor larger, and so differs
  /// from everything.
  func holds(_ value: FieldValue) -> Bool {
    switch comparator {
    case .equal, .isIn: operands.contains { Self.equals(value, $0) }
    case .notEqual, .isOut: !operands.contains { Self.equals(value, $0) }
    case .less: order(value).map { $0 < 0 } ?? false
    case .lessOrEqual: order(value).map { $0 <= 0 } ?? false
    case .greater: order(value).map { $0 > 0 } ?? false
    case .greaterOrEqual: order(value).map { $0 >= 0 } ?? false
    }
  }

  private static func equals(_ value: FieldValue, _ operand: Operand) -> Bool {
    switch (value, operand) {
    case (.text(let text), .pattern(let pattern, _)): pattern.matches(Array(text.lowercased().utf8))
    case (.integer(let mine), .number(let other)), (.moment(let mine), .number(let other)): mine == other
    case (.flag(let mine), .flag(let other)): mine == other
    default: false
    }
  }

  /// Negative where the value comes before the operand, nothing where they have no order.
  private func order(_ value: FieldValue) -> Int? {
    switch (value, operands.first) {
    case (.text(let text), .pattern(_, let lowered)):
      let mine = text.lowercased()
      return mine == lowered ? 0 : mine < lowered ? -1 : 1
    case (.integer(let mine), .number(let other)), (.moment(let mine), .number(let other)):
      return mine == other ? 0 : mine < other ? -1 : 1
    default: return nil
    }
  }
}
