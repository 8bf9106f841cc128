import Testing

@testable import ForsettiModules

@Suite struct RSQLMatcherTests {
  private static func text(_ place: RSQLTextPlace, _ text: String, not: Bool = false) -> RSQLTest {
    .text(place, text, isNegative: not)
  }

  /// 2026-11-30T00:00:00Z
  private static let day: Int64 = 1_795_996_800_000

  private static let cases: [(RSQLTest, String?, Bool)] = [
    (text(.whole, "macbook"), "MacBook", true), (text(.whole, "macbook"), "MacBook Pro", false),
    (text(.anywhere, "book"), "MacBook", true), (text(.anywhere, "*"), "MacBook", false),
    (text(.anywhere, "*"), "Mac*Book", true), (text(.start, "mac"), "MacBook", true),
    (text(.start, "book"), "MacBook", false), (text(.end, "BOOK"), "MacBook", true),
    (text(.whole, "x"), nil, false), (text(.whole, "x", not: true), nil, true),
    (text(.anywhere, "x", not: true), "box", false),
    (.oneOf(["Good", "Fair"], isNegative: false), "good", true),
    (.oneOf(["Good"], isNegative: false), "Replace", false),
    (.oneOf(["Good"], isNegative: true), "good", false), (.oneOf(["Good"], isNegative: true), nil, true),
    (.number(.equal, .integer(5)), "5", true), (.number(.equal, .integer(5)), "5.0", true),
    (.number(.equal, .integer(.max)), "9223372036854775806", false),
    (.number(.less, .integer(10)), "9", true),
    (.number(.less, .double(9.5)), "9", true), (.number(.lessOrEqual, .integer(9)), "9", true),
    (.number(.greater, .integer(9)), "10", true), (.number(.greater, .integer(9)), "9", false),
    (.number(.greaterOrEqual, .integer(9)), "9", true), (.number(.notEqual, .integer(9)), nil, true),
    (.number(.less, .integer(9)), nil, false), (.number(.less, .integer(9)), "few", false),
    (.flag(true), "true", true), (.flag(true), "false", false), (.flag(false), "false", true),
    (.flag(false), nil, false), (.before(day), "2026-11-29T23:59:59.999Z", true),
    (.before(day), "2026-11-30T00:00:00Z", false), (.after(day), "2026-11-30T00:00:00.001Z", true),
    (.on(day..<day + 86_400_000), "2026-11-30", true),
    (.on(day..<day + 86_400_000), "2026-11-30T23:59:59.999Z", true),
    (.on(day..<day + 86_400_000), "2026-12-01T00:00:00Z", false),
    (.between(day...day + 1), "2026-11-30T00:00:00.001Z", true), (.between(day...day), "yesterday", false),
    (.after(day), nil, false),
  ]

  @Test("the client decides as the server would", arguments: cases)
  func tests(test: RSQLTest, value: String?, holds: Bool) { #expect(test.holds(for: value) == holds) }

  @Test("conditions hold by all or any of theirs, and say what they look at")
  func conditions() {
    func field(_ key: String) -> RSQLField { RSQLField(key: key, type: .string, section: "GENERAL") }
    let condition = RSQLCondition.all([
      .any([.test(field("a"), Self.text(.whole, "1")), .test(field("b"), Self.text(.whole, "2"))]),
      .test(field("c"), Self.text(.whole, "3")),
    ])
    #expect(condition.holds { ["b": "2", "c": "3"][$0] })
    #expect(condition.holds { ["a": "1", "c": "3"][$0] })
    #expect(!condition.holds { ["a": "1", "b": "2"][$0] })
    #expect(!condition.holds { ["c": "3"][$0] })
    #expect(condition.keys == ["a", "b", "c"])
  }

  @Test("a day is a whole day in UTC, wherever in it the moment lies")
  func days() {
    for offset in [0, 1, 86_399_999] {
      #expect(RSQLTest.day(of: Self.day + Int64(offset)).lowerBound == Self.day)
    }
    #expect(RSQLTest.day(of: Self.day).upperBound == Self.day + 86_400_000)
  }
}
