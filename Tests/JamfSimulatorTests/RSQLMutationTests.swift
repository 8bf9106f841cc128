import ForsettiTestKit
import Testing

@testable import JamfSimulator

/// Filters as a client with a fault might send them.
@Suite("Mutated filters") struct RSQLMutationTests {
  private static let seeds = [
    "text=='MacBook*'", "(text==x,flag==true);number==12",
    "time=ge=2026-01-02T00:00:00Z;text=in=(x,'macbook pro')",
    "text=out=('*pro',\"a b\");number<13",
  ]
  private static let tokens = [
    "(", ")", "((", ",", ";", "==", "=in=", "=", "!", "<", "'", "\"", "\\", "*", "**", "9223372036854775808",
    "\u{0}",
    "\u{202E}", "2026-13-40T99:99:99Z",
  ]

  @Test("no filter makes the reader trap, and a fault is at a place of it", arguments: 1...4)
  func filters(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var read = 0
    for round in 0..<5_000 {
      let bytes = random.mutation(of: Array(Self.seeds[round % Self.seeds.count].utf8), tokens: Self.tokens)
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(RSQLFault) {
        let predicate = try RSQLPredicate(try RSQLParser.parse(text), fields: Sample.fields)
        read += 1
        _ = predicate.matches(Sample(text: "MacBook Pro", number: 12, flag: true, time: 0))
      } catch { #expect((0...text.utf8.count).contains(error.offset), "\(text)") }
    }
    #expect(read > 100)
  }
}
