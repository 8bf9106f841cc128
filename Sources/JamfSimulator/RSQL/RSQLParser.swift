/// Reads a filter: `or := and ("," and)*`, `and := term (";" term)*`, `term := "(" or ")" | comparison`.
struct RSQLParser {
  private var lexer: RSQLLexer
  private let limits: RSQLLimits
  private var token: RSQLToken
  private var offset: Int
  private var depth = 0
  private var comparisons = 0

  /// The filter's meaning; a fault for what is none.
  static func parse(
    _ text: String, limits: RSQLLimits = .server
  ) throws(RSQLFault) -> RSQLExpression {
    guard text.utf8.count <= limits.bytes else {
      throw RSQLFault(reason: .tooLong(limit: limits.bytes), offset: limits.bytes)
    }
    var parser = try RSQLParser(Array(text.utf8), limits)
    let expression = try parser.alternatives()
    guard parser.token == .end else { throw parser.unexpected("\";\", \",\" or the end") }
    return expression
  }

  private init(_ bytes: [UInt8], _ limits: RSQLLimits) throws(RSQLFault) {
    lexer = RSQLLexer(bytes)
    self.limits = limits
    (token, offset) = try lexer.next()
  }

  private mutating func advance() throws(RSQLFault) {
    (token, offset) = try lexer.next()
  }

  private func unexpected(_ expected: String) -> RSQLFault {
    RSQLFault(reason: .unexpected(found: token.shown, expected: expected), offset: offset)
  }

  private mutating func alternatives() throws(RSQLFault) -> RSQLExpression {
    var terms = [try conjunction()]
    while token == .or || token == .word("or") {
      try advance()
      terms.append(try conjunction())
    }
    return terms.count == 1 ? terms[0] : .any(terms)
  }

  private mutating func conjunction() throws(RSQLFault) -> RSQLExpression {
    var terms = [try term()]
    while token == .and || token == .word("and") {
      try advance()
      terms.append(try term())
    }
    return terms.count == 1 ? terms[0] : .all(terms)
  }

  private mutating func term() throws(RSQLFault) -> RSQLExpression {
    guard token == .open else { return .comparison(try comparison()) }
    guard depth < limits.depth else { throw RSQLFault(reason: .tooDeep(limit: limits.depth), offset: offset) }
    depth += 1
    try advance()
    let inner = try alternatives()
    guard token == .close else { throw unexpected("\")\"") }
    depth -= 1
    try advance()
    return inner
  }

  private mutating func comparison() throws(RSQLFault) -> RSQLComparison {
    let start = offset
    guard case .word(let selector) = token else { throw unexpected("a field") }
    guard comparisons < limits.comparisons else {
      throw RSQLFault(reason: .tooManyComparisons(limit: limits.comparisons), offset: start)
    }
    comparisons += 1
    try advance()
    guard case .comparator(let comparator) = token else { throw unexpected("an operator") }
    try advance()
    let values = token == .open && comparator.takesList ? try list() : [try value()]
    return RSQLComparison(selector, comparator, values, offset: start)
  }

  private mutating func list() throws(RSQLFault) -> [String] {
    try advance()
    var values = [try value()]
    while token == .or {
      guard values.count < limits.values else {
        throw RSQLFault(reason: .tooManyValues(limit: limits.values), offset: offset)
      }
      try advance()
      values.append(try value())
    }
    guard token == .close else { throw unexpected("\",\" or \")\"") }
    try advance()
    return values
  }

  private mutating func value() throws(RSQLFault) -> String {
    switch token {
    case .word(let text), .quoted(let text):
      try advance()
      return text
    default: throw unexpected("a value")
    }
  }
}
