import ForsettiCore
import Testing

@testable import ForsettiModules

@Suite("What the retail UI knows") struct RetailStateTests {
  private static let jamf = RetailCatalogue.jamf
  private static let support = RetailCatalogue.support
  private static let diagnostics = RetailCatalogue.diagnostics

  @Test(
    "news are read where they come from whom they are of, and are what they may be",
    arguments: [
      ("forsetti.lifecycle.activated", ["moduleID": "a.b"], nil, .presence(.active, moduleID: "a.b")),
      ("forsetti.lifecycle.replaced", ["moduleID": "a.b"], nil, .presence(.active, moduleID: "a.b")),
      ("forsetti.lifecycle.deactivated", ["moduleID": "a.b"], nil, .presence(.inactive, moduleID: "a.b")),
      ("forsetti.lifecycle.ended", ["moduleID": "a.b"], nil, .presence(.ended, moduleID: "a.b")),
      ("forsetti.lifecycle.provider_lost", ["moduleID": "a.b", "role": "api"], nil, nil),
      ("forsetti.lifecycle.ended", [:], nil, nil),
      ("forsetti.lifecycle.ended", ["moduleID": "a.b"], "a.c", nil),
      (
        jamf + ".connection", ["state": "connected", "server": "https://a", "since": "7"], jamf,
        .connection(RetailState.Connection(state: "connected", server: "https://a", since: 7))
      ),
      (
        jamf + ".connection", ["state": "notConfigured", "server": " ", "since": "-7"], jamf,
        .connection(RetailState.Connection(state: "notConfigured"))
      ),
      (jamf + ".connection", ["state": ""], jamf, nil),
      (jamf + ".connection", ["state": "connected"], support, nil),
      (support + ".pending", ["count": "3"], support, .pendingCommands(3)),
      (support + ".pending", ["count": "-3"], support, nil),
      (support + ".pending", ["count": "99999999999999999999"], support, nil),
      (support + ".pending", ["count": "3"], nil, nil),
      (diagnostics + ".changed", [:], diagnostics, .diagnosticsChanged),
      (diagnostics + ".changed", [:], jamf, nil),
    ] as [(String, [String: String], String?, RetailNews?)])
  func news(type: String, payload: [String: String], source: String?, expected: RetailNews?) {
    #expect(RetailNews(type, payload, from: source) == expected)
  }

  @Test("a word of another module is cut, and hides nothing") func bounded() throws {
    let state = "\u{202e}" + String(repeating: "x", count: 5_000)
    let news = RetailNews(Self.jamf + ".connection", ["state": state], from: Self.jamf)
    guard case .connection(let connection) = try #require(news) else { return }
    #expect(connection.state.unicodeScalars.count < 300)
    #expect(!connection.state.unicodeScalars.contains("\u{202e}"))
  }

  @Test("at first nothing is known, and nothing is made up") func unknown() {
    let state = RetailState()
    #expect(RetailCatalogue.entries.allSatisfy { state.presence(of: $0.moduleID) == .unknown })
    #expect(state.activeCount == 0 && state.connection == nil && state.pendingCommands == nil)
    #expect(state.errors == .unknown)
  }

  @Test(
    "of a module that is gone nothing that it said holds any more",
    arguments: [RetailState.Presence.inactive, .ended])
  func gone(presence: RetailState.Presence) {
    var state = RetailState()
    state.hear(.connection(RetailState.Connection(state: "connected")))
    state.hear(.pendingCommands(3))
    state.take(.known([]))
    for moduleID in [Self.jamf, Self.support, Self.diagnostics] {
      state.hear(.presence(.active, moduleID: moduleID))
    }
    #expect(state.activeCount == 3 && state.pendingCommands == 3)
    for moduleID in [Self.jamf, Self.support, Self.diagnostics] {
      state.hear(.presence(presence, moduleID: moduleID))
    }
    #expect(state.activeCount == 0 && state.connection == nil && state.pendingCommands == nil)
    #expect(state.errors == .unknown)
  }

  @Test("what was asked gives way to what was heard meanwhile") func askedTooLate() {
    var state = RetailState()
    state.hear(.presence(.ended, moduleID: Self.jamf))
    state.find(.active, of: Self.jamf, insteadOf: .unknown)
    #expect(state.presence(of: Self.jamf) == .ended)
    state.find(.active, of: Self.jamf, insteadOf: .ended)
    #expect(state.presence(of: Self.jamf) == .active)
  }

  @Test("modules that are none of the desk's are not counted") func strangers() {
    var state = RetailState()
    state.hear(.presence(.active, moduleID: "com.example.other"))
    #expect(state.activeCount == 0 && state.presence(of: "com.example.other") == .unknown)
  }
}
