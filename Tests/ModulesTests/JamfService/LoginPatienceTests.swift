import Testing

@testable import ForsettiModules

@Suite("How soon refused credentials are tried again") struct LoginPatienceTests {
  private func refused(_ times: Int, at now: Int64 = 1_000_000) -> LoginPatience {
    var patience = LoginPatience()
    for _ in 0..<times { patience.noteRefusal(at: now) }
    return patience
  }

  private static let cases: [(Int, Int64)] = [
    (1, 1_000), (2, 5_000), (3, 15_000), (4, 60_000), (5, 60_000), (1_000, 60_000),
  ]

  @Test("each refusal in a row makes the pause longer, up to a minute", arguments: cases)
  func grows(times: Int, pause: Int64) {
    let patience = refused(times)
    #expect(!patience.allowsLogin(at: 1_000_000))
    #expect(!patience.allowsLogin(at: 1_000_000 + pause - 1))
    #expect(patience.allowsLogin(at: 1_000_000 + pause))
  }

  @Test("what was never refused may be tried, and after a success the first pause is short again")
  func resets() {
    #expect(LoginPatience().allowsLogin(at: 0))
    var patience = refused(4)
    patience.noteSuccess()
    #expect(patience.allowsLogin(at: 1_000_000))
    patience.noteRefusal(at: 1_000_000)
    #expect(patience.allowsLogin(at: 1_001_000))
  }

  @Test("a clock that is set back lengthens no pause") func setBack() {
    #expect(refused(4).allowsLogin(at: 999_999))
  }
}
