import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct RSQLTests {
  @Test(
    "a literal stands in single quotes; what has a meaning in them is escaped, the backslash first",
    arguments: [
      ("", "''"), ("abc", "'abc'"), ("O'Brien", #"'O\'Brien'"#), (#"domain\user"#, #"'domain\\user'"#),
      (#"\'"#, #"'\\\''"#), ("a*b", #"'a\*b'"#), (#"say "hi""#, #"'say "hi"'"#),
      ("a,b;(c)==d", "'a,b;(c)==d'"),
      ("Zoë\n", "'Zoë\n'"), ("a'\u{301}b", "'a\\'\u{301}b'"),
    ])
  func quoted(text: String, literal: String) {
    #expect(RSQL.quoted(text).unicodeScalars.elementsEqual(literal.unicodeScalars))
  }

  private static let anywhere: [(String, Bool, String)] = [
    (" C02 ", true, "(serialNumber=='*C02*',username=='*C02*')"),
    ("C02", false, "(serialNumber=='C02',username=='C02')"),
    (#"domain\user"#, false, #"(serialNumber=='domain\\user',username=='domain\\user')"#),
    ("o'b", true, #"(serialNumber=='*o\'b*',username=='*o\'b*')"#),
  ]

  @Test("a text in any of some fields: a comma is the OR, and each field gets the value", arguments: anywhere)
  func anyOf(text: String, wildcard: Bool, filter: String) {
    #expect(RSQL.anyOf(["serialNumber", "username"], is: text, wildcard: wildcard) == filter)
  }

  @Test("nothing is searched for by an empty text", arguments: ["", "  ", "\n\t"])
  func blank(text: String) {
    #expect(RSQL.anyOf(["serialNumber"], is: text, wildcard: true) == nil)
    #expect(RSQL.anyOf([], is: "x", wildcard: true) == nil)
  }

  @Test("a query that was kept is the same when it is read")
  func kept() throws {
    let values: [RSQLValue?] = [
      nil, .string("O'Brien | \"x\""), .integer(.max), .double(0.5), .date(1_796_002_119_123),
      .dates(0...253_402_300_799_999), .list(["a", ""]),
    ]
    let query = RSQLQuery(
      groups: [
        RSQLGroup(
          criteria: values.map { RSQLCriterion(field: "f", comparison: .between, value: $0) }, combinator: .or
        ),
        RSQLGroup(),
      ], combinator: .or)
    let text = JSONWriter.bytes(query.json)
    #expect(try RSQLQuery(JSONCursor(JSONParser.parse(text).root)) == query)
  }

  @Test(
    "a kept query that is none is refused",
    arguments: [
      #"{}"#, #"{"combinator":"xor","groups":[]}"#, #"{"combinator":"and","groups":[{"combinator":"and"}]}"#,
      criterion(#"{"field":"f","operator":"near"}"#),
      criterion(#"{"field":"f","operator":"on","value":true}"#),
      criterion(#"{"field":"f","operator":"on","value":{"date":-1}}"#),
      criterion(#"{"field":"f","operator":"on","value":{"date":1e300}}"#),
      criterion(#"{"field":"f","operator":"between","value":{"from":5,"to":4}}"#),
      #"{"combinator":"and","groups":[\#(Array(repeating: #"{"combinator":"and","criteria":[]}"#, count: 17).joined(separator: ","))]}"#,
    ])
  func refused(text: String) throws {
    let root = try JSONParser.parse(Array(text.utf8)).root
    #expect(throws: JSONFault.self) { try RSQLQuery(JSONCursor(root)) }
  }

  private static func criterion(_ text: String) -> String {
    #"{"combinator":"and","groups":[{"combinator":"and","criteria":[\#(text)]}]}"#
  }
}
