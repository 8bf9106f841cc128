import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct TypedConfirmationTests {
  private static let typed: [(String?, Bool)] = [
    ("confirm", true), ("  confirm\r\n", true), (nil, false), ("", false), ("Confirm", false),
    ("CONFIRM", false),
    ("con firm", false), ("confirmed", false), ("confirm confirm", false), ("ｃonfirm", false),
    ("confirm\u{301}", false), ("yes", false),
  ]

  @Test("only the word itself confirms", arguments: typed) func word(text: String?, isGiven: Bool) {
    let confirmation = TypedConfirmation(of: "move-7")
    var payload: [String: String] = [:]
    payload[confirmation.field.fieldID] = text
    #expect(confirmation.isGiven(in: payload) == isGiven)
  }

  @Test("the word given for one thing doesn't count for another") func subject() {
    let payload = [TypedConfirmation(of: "move-7").fieldID: "confirm"]
    #expect(!TypedConfirmation(of: "move-8").isGiven(in: payload))
  }
}
