import Testing

@testable import ForsettiRuntime

@Suite struct ConsoleBackoffTests {
  @Test("each end makes the next start wait longer, up to a minute, until one lasted for a minute")
  func delays() {
    var backoff = ConsoleBackoff()
    let short = (0..<8).map { _ in backoff.delay(afterLasting: .milliseconds(5)) }
    #expect(short == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    #expect(backoff.delay(afterLasting: .seconds(60)) == .seconds(1))
    #expect(backoff.delay(afterLasting: .zero) == .seconds(2))
  }
}
