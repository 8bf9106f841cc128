import Testing

@testable import JamfSimulator

/// A record with one field of each kind.
struct Sample: Sendable {
  var text: String?
  var number: Int64?
  var flag: Bool?
  var time: Int64?

  static let fields = FieldTable<Sample>([
    Field("text", .text) { FieldValue($0.text) },
    Field("number", .integer) { $0.number.map { .integer($0) } ?? .absent },
    Field("flag", .flag) { $0.flag.map { .flag($0) } ?? .absent },
    Field("time", .moment) { $0.time.map { .moment($0) } ?? .absent },
    Field("unfiltered", .text, filters: false) { FieldValue($0.text) },
  ])

  static func predicate(_ filter: String) throws -> RSQLPredicate<Sample> {
    try RSQLPredicate(try RSQLParser.parse(filter), fields: fields)
  }
}

@Suite struct RSQLPredicateTests {
  private static let cases: [(String, Bool)] = [
    ("text==macbook", false), ("text=='macbook PRO'", true), ("text=='MacBook*'", true),
    ("text=='*pro'", true),
    ("text=='*book*'", true), ("text=='*boot*'", false), ("text=='m*k*o'", true), ("text=='m*kk*o'", false),
    ("text==*", true), ("text=='Pro*'", false), ("text!='*pro'", false), ("text!=x", true),
    ("text=in=(x,'macbook pro')", true), ("text=out=(x,y)", true), ("text=out=('*pro')", false),
    ("text=gt=L", true), ("text=lt=L", false), ("text=ge='macbook pro'", true),
    ("number==12", true), ("number=='12'", true), ("number==13", false), ("number<13", true),
    ("number=le=12", true),
    ("number>12", false), ("number=ge=12", true), ("number=in=(1,12)", true), ("number!=12", false),
    ("flag==true", true), ("flag==TRUE", true), ("flag==false", false), ("flag!=false", true),
    ("time==2026-01-02", true), ("time=ge=2026-01-02T00:00:00Z", true),
    ("time<2026-01-02T00:00:00.001Z", true),
    ("time=lt='2026-01-02'", false),
    ("text==x,number==12", true), ("text==x;number==12", false), ("(text==x,flag==true);number==12", true),
  ]

  @Test("a filter holds for a record as Jamf's does", arguments: cases)
  func holds(filter: String, expected: Bool) throws {
    let sample = Sample(text: "MacBook Pro", number: 12, flag: true, time: 1_767_312_000_000)
    #expect(try Sample.predicate(filter).matches(sample) == expected)
  }

  private static let absent: [(String, Bool)] = [
    ("text==*", false), ("text!=x", true), ("text=gt=a", false), ("number=lt=5", false), ("number!=5", true),
    ("flag==false", false), ("time=ge=1970-01-01", false), ("text=out=(a)", true), ("text=in=(a)", false),
  ]

  @Test("what was never reported equals nothing and has no order", arguments: absent)
  func absentValues(filter: String, expected: Bool) throws {
    #expect(try Sample.predicate(filter).matches(Sample()) == expected)
  }

  private static let unfit: [(String, RSQLFault.Reason)] = [
    ("nothing==1", .unknownField("nothing")), ("unfiltered==1", .unknownField("unfiltered")),
    ("number==twelve", .unfitValue(field: "number", value: "twelve", kind: .integer)),
    ("number==1*", .unfitValue(field: "number", value: "1*", kind: .integer)),
    ("flag==yes", .unfitValue(field: "flag", value: "yes", kind: .flag)),
    ("flag>false", .unfitComparator(field: "flag")),
    ("time==2026-02-30", .unfitValue(field: "time", value: "2026-02-30", kind: .moment)),
  ]

  @Test("a filter that does not fit the fields is refused, not ignored", arguments: unfit)
  func refused(filter: String, reason: RSQLFault.Reason) {
    let fault = #expect(throws: RSQLFault.self) { try Sample.predicate("text==a;" + filter) }
    #expect(fault == RSQLFault(reason: reason, offset: 8))
  }
}
