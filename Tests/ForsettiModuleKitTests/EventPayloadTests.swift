import ForsettiIPC
import Testing

@testable import ForsettiModuleKit

/// What module code sees of an event.
@Suite struct EventPayloadTests {
  private func event(
    _ texts: [String: String], type: String = "t", from source: String? = "a.b"
  ) throws -> ForsettiEvent {
    try ForsettiEvent(type: type, payload: texts, sourceModuleID: source, timestamp: 1)
  }

  @Test("reads as the dictionary it was made of") func dictionary() throws {
    let texts = ["one": "1", "two": "2", "": "empty"]
    let payload = try event(texts).payload
    #expect(payload.count == 3 && !payload.isEmpty)
    #expect(payload["one"] == "1" && payload["two"] == "2" && payload[""] == "empty")
    #expect(payload["three"] == nil)
    #expect(payload.dictionary == texts)
    #expect(Dictionary(uniqueKeysWithValues: Array(payload)) == texts)
    #expect(try event([:]).payload.isEmpty)
  }

  @Test("of a message names its receiver, which its bytes don't") func message() throws {
    var bytes = CBORWriter()
    try ["a": "1"].encode(into: &bytes)
    let origin = EventOrigin(type: "t", source: "a.b", receiver: "c.d")
    let event = ForsettiEvent(
      EventStorage(origin, timestamp: 1, trace: nil, payload: bytes.bytes.span))
    let expected = ["a": "1", ForsettiEvent.targetModuleIDKey: "c.d"]
    #expect(event.payload[ForsettiEvent.targetModuleIDKey] == "c.d")
    #expect(event.payload.count == 2 && event.payload.dictionary == expected)
    let other = try self.event(["a": "1"])
    #expect(other.payload[ForsettiEvent.targetModuleIDKey] == nil && other != event)
  }

  @Test("an event is what it says, wherever it came from") func equality() throws {
    let events = try [
      event(["a": "1", "b": "2"]), event(["b": "2", "a": "1"]), event(["a": "1"]),
      event(["a": "1"], from: nil), event(["a": "1"], type: "u"),
    ]
    #expect(events[0] == events[1] && events[0].payload == events[1].payload)
    #expect(Set(events).count == 4)
    #expect(events[4].type == "u" && events[3].sourceModuleID == nil && events[4].sourceModuleID == "a.b")
    #expect(events[0].timestamp == 1 && events[0].trace == nil)
  }

  @Test("what no module could send can't be made either") func unsendable() {
    for texts in [["_forsetti.x": ""], ["k": String(repeating: "x", count: 1 << 21)]] {
      let error = #expect(throws: ForsettiContextError.self) { try event(texts) }
      guard case .unsendableEvent("t", _) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }
}
