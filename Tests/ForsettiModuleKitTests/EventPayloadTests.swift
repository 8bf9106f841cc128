import ForsettiIPC
import Testing

@testable import ForsettiModuleKit

/// What module code sees of an event.
@Suite struct EventPayloadTests {
  /// The payload as it comes through a pipe.
  private func received(_ texts: [String: String]) throws -> ForsettiEventPayload {
    var queue = OutboundQueue()
    try queue.appendPublish(EventHead(type: "t"), payload: texts)
    var decoder = FrameDecoder()
    let count = queue.withPendingBytes { pending in
      decoder.withWritableBuffer { room in
        room.copyMemory(from: pending)
        return pending.count
      }
    }
    decoder.didRead(count ?? 0)
    guard let frame = try decoder.next() else { throw FrameError.truncated(0) }
    return ForsettiEventPayload(try EncodedTextMap(frame.payload))
  }

  @Test("reads as the dictionary it was published as, whether it came or was made here") func dictionary()
    throws
  {
    let texts = ["one": "1", "two": "2", "": "empty"]
    for payload in [try received(texts), ForsettiEventPayload(texts)] {
      #expect(payload.count == 3 && !payload.isEmpty)
      #expect(payload["one"] == "1" && payload["two"] == "2" && payload[""] == "empty")
      #expect(payload["three"] == nil)
      #expect(payload.dictionary == texts)
      #expect(Dictionary(uniqueKeysWithValues: Array(payload)) == texts)
    }
    #expect(try received([:]).isEmpty)
  }

  @Test("is equal to another that says the same") func equality() throws {
    let made: ForsettiEventPayload = ["a": "1", "b": "2"]
    let came = try received(["b": "2", "a": "1"])
    #expect(made == came && Set([made, came]).count == 1)
    #expect(try received(["a": "1"]) != made)
    let literal: ForsettiEventPayload = ["a": "1", "a": "2"]
    #expect(literal["a"] == "2")
  }

  @Test("an event is what it says, not where it came from") func events() {
    func event(_ type: String, _ source: String?) -> ForsettiEvent {
      ForsettiEvent(type: type, payload: ["a": "1"], sourceModuleID: source, timestamp: 1)
    }
    #expect(event("t", "a.b") == event("t", "a.b"))
    #expect(Set([event("t", "a.b"), event("t", "a.b"), event("t", nil), event("u", "a.b")]).count == 3)
    #expect(event("t", "a.b").type == "t" && event("t", "a.b").sourceModuleID == "a.b")
  }
}
