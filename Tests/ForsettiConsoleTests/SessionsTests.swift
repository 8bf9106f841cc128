import Testing

@testable import ForsettiConsole

@Suite struct SessionsTests {
  private let start = SuspendingClock.now

  @Test(
    "a browser is in from when it showed the token until it is shown out, or has been silent for half a day")
  func life() {
    var sessions = Sessions(token: "t")
    let first = sessions.begin(at: start)
    let second = sessions.begin(at: start)
    #expect(
      first.id != second.id && first.csrf != second.csrf && first.id != first.csrf && first.id.count == 32)
    #expect(sessions.find(first.id, at: start + .seconds(60))?.csrf == first.csrf)
    #expect(sessions.find("", at: start) == nil)
    sessions.end(first.id)
    #expect(sessions.find(first.id, at: start) == nil)
    #expect(sessions.find(second.id, at: start + .seconds(43_199)) != nil)
    #expect(sessions.find(second.id, at: start + .seconds(43_199 + 43_200)) == nil)
  }

  @Test("the browser that was silent for longest makes room for one too many")
  func room() {
    var sessions = Sessions(token: "t")
    let all = (0..<Sessions.limit).map { sessions.begin(at: start + .seconds($0)) }
    _ = sessions.find(all[0].id, at: start + .seconds(100))
    _ = sessions.begin(at: start + .seconds(101))
    #expect(sessions.find(all[0].id, at: start + .seconds(102)) != nil)
    #expect(sessions.find(all[1].id, at: start + .seconds(102)) == nil)
  }

  @Test("only the token is the token", arguments: ["", "toke", "tokens", "Token", "token\u{0}"])
  func token(text: String) {
    let sessions = Sessions(token: "token")
    #expect(sessions.isToken("token"))
    #expect(!sessions.isToken(text))
  }
}
