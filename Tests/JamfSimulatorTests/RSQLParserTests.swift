import Testing

@testable import JamfSimulator

@Suite struct RSQLParserTests {
  private static let single: [(String, RSQLComparator, [String])] = [
    ("a==b", .equal, ["b"]), ("a!=b", .notEqual, ["b"]),
    ("a=lt=5", .less, ["5"]), ("a<5", .less, ["5"]), ("a=le=5", .lessOrEqual, ["5"]),
    ("a<=5", .lessOrEqual, ["5"]),
    ("a=gt=5", .greater, ["5"]), ("a>5", .greater, ["5"]), ("a=ge=5", .greaterOrEqual, ["5"]),
    ("a>=5", .greaterOrEqual, ["5"]), ("a=in=(b,c)", .isIn, ["b", "c"]), ("a=out=(b)", .isOut, ["b"]),
    ("a=in=b", .isIn, ["b"]), ("  a  ==  b  ", .equal, ["b"]), ("a=='b c'", .equal, ["b c"]),
    ("a==\"b;c,(d)\"", .equal, ["b;c,(d)"]), ("a=='O\\'Brien'", .equal, ["O'Brien"]),
    ("a=='domain\\\\jdoe'", .equal, ["domain\\jdoe"]), ("a==''", .equal, [""]),
    ("a=='Zoë’s Mac'", .equal, ["Zoë’s Mac"]),
    ("a==2026-01-01T00:00:00Z", .equal, ["2026-01-01T00:00:00Z"]), ("(a==*b*)", .equal, ["*b*"]),
  ]

  @Test("a comparison is read in every spelling", arguments: single)
  func comparison(text: String, comparator: RSQLComparator, values: [String]) throws {
    guard case .comparison(let read) = try RSQLParser.parse(text) else {
      Issue.record("\(text) is read as more than one comparison")
      return
    }
    #expect(read.selector == "a")
    #expect(read.comparator == comparator)
    #expect(read.values == values)
  }

  @Test("AND binds closer than OR, parentheses closer than both, and words stand for signs")
  func precedence() throws {
    func leaf(_ name: String, _ offset: Int) -> RSQLExpression {
      .comparison(RSQLComparison(name, .equal, ["1"], offset: offset))
    }
    #expect(
      try RSQLParser.parse("a==1,b==1;c==1") == .any([leaf("a", 0), .all([leaf("b", 5), leaf("c", 10)])]))
    #expect(
      try RSQLParser.parse("(a==1,b==1);c==1") == .all([.any([leaf("a", 1), leaf("b", 6)]), leaf("c", 12)]))
    #expect(try RSQLParser.parse("a==1 and b==1") == .all([leaf("a", 0), leaf("b", 9)]))
    #expect(try RSQLParser.parse("a==1 or b==1") == .any([leaf("a", 0), leaf("b", 8)]))
  }

  private static let faults: [(String, RSQLFault)] = [
    ("", fault(.unexpected(found: "the end", expected: "a field"), 0)),
    ("a", fault(.unexpected(found: "the end", expected: "an operator"), 1)),
    ("a==", fault(.unexpected(found: "the end", expected: "a value"), 3)),
    ("a==b;", fault(.unexpected(found: "the end", expected: "a field"), 5)),
    ("a==b)", fault(.unexpected(found: "\")\"", expected: "\";\", \",\" or the end"), 4)),
    ("(a==b", fault(.unexpected(found: "the end", expected: "\")\""), 5)),
    ("a==(b)", fault(.unexpected(found: "\"(\"", expected: "a value"), 3)),
    ("a=in=()", fault(.unexpected(found: "\")\"", expected: "a value"), 6)),
    ("a=in=(b", fault(.unexpected(found: "the end", expected: "\",\" or \")\""), 7)),
    ("a==b c", fault(.unexpected(found: "\"c\"", expected: "\";\", \",\" or the end"), 5)),
    ("'a'==b", fault(.unexpected(found: "\"a\"", expected: "a field"), 0)),
    ("a==\"b", fault(.unclosedQuote, 3)), ("a=='b\\", fault(.unclosedQuote, 3)),
    ("a=b", fault(.unknownOperator("=b"), 1)), ("a=like=b", fault(.unknownOperator("=like="), 1)),
    ("a~b", fault(.unknownOperator("~"), 1)), ("a!b", fault(.unknownOperator("!"), 1)),
  ]

  private static func fault(_ reason: RSQLFault.Reason, _ offset: Int) -> RSQLFault {
    RSQLFault(reason: reason, offset: offset)
  }

  @Test("what is no filter is refused at its place", arguments: faults)
  func refused(text: String, fault: RSQLFault) {
    #expect(throws: fault) { try RSQLParser.parse(text) }
  }

  @Test("every bound holds, and what is just within it is taken") func bounds() throws {
    let limits = RSQLLimits(bytes: 40, depth: 2, comparisons: 3, values: 2)
    _ = try RSQLParser.parse("((a==1;b==1;c==1))", limits: limits)
    _ = try RSQLParser.parse("a=in=(1,2)", limits: limits)
    let refused: [(String, RSQLFault.Reason)] = [
      (String(repeating: "a", count: 41), .tooLong(limit: 40)), ("(((a==1)))", .tooDeep(limit: 2)),
      ("a==1;b==1,c==1;d==1", .tooManyComparisons(limit: 3)), ("a=in=(1,2,3)", .tooManyValues(limit: 2)),
    ]
    for (text, reason) in refused {
      let fault = #expect(throws: RSQLFault.self) { try RSQLParser.parse(text, limits: limits) }
      #expect(fault?.reason == reason)
    }
  }

  @Test("no text traps: every cut and every changed byte of a filter is read or refused") func robust() {
    let text = Array("(a.b=='x\\'y*',c=in=(1,\"2\"));d>=2026-01-01T00:00:00Z and e!=Ω".utf8)
    for end in 0...text.count { _ = try? RSQLParser.parse(String(decoding: text[..<end], as: UTF8.self)) }
    for index in text.indices {
      for byte in [0, 0x20, 0x22, 0x27, 0x28, 0x29, 0x2C, 0x3B, 0x3D, 0x5C, 0xFF] as [UInt8] {
        var changed = text
        changed[index] = byte
        _ = try? RSQLParser.parse(String(decoding: changed, as: UTF8.self))
      }
    }
    #expect(throws: RSQLFault.self) {
      try RSQLParser.parse(String(repeating: "(", count: 100_000), limits: RSQLLimits(bytes: 200_000))
    }
  }
}
