import ForsettiCore
import ForsettiIPC
import Testing

@testable import ForsettiConsole

@Suite struct LiveTextTests {
  @Test("an event is one line of data, whatever is in it")
  func eventText() {
    let text = String(
      decoding: EventText.event("log", .record(["m": .string("a\nevent: x\n\ndata: y")])), as: UTF8.self)
    #expect(text == "event: log\ndata: {\"m\":\"a\\nevent: x\\n\\ndata: y\"}\n\n")
  }

  @Test("an answer and its items are one object, in which the items are what they were")
  func reply() throws {
    var queue = OutboundQueue()
    for id in ["a", "b\n"] {
      let item = CBORValue.map([CBORMember(.text("moduleID"), .text(id))])
      try ControlMessage.encodeItem(item.encoded(), into: &queue, callID: 2)
    }
    let bytes = queue.withPendingBytes { Array($0) }
    var decoder = FrameDecoder()
    _ = decoder.withWritableBuffer(minimum: bytes.count) { $0.copyBytes(from: bytes) }
    decoder.didRead(bytes.count)
    var items = ControlItemText()
    while try decoder.nextControlMessage(itemLimit: 10, addingItemsTo: &items) != nil {}

    func text(_ answer: JSONValue, _ items: ControlItemText) -> String {
      String(
        decoding: SupervisorLink.Reply(answer: answer, items: items).text(items: "modules"), as: UTF8.self)
    }
    let answer = JSONValue.record(["state": .string("ready"), "modules": .array([])])
    #expect(text(answer, items) == #"{"state":"ready","modules":[{"moduleID":"a"},{"moduleID":"b\n"}]}"#)
    #expect(text(.record(["modules": .array([])]), ControlItemText()) == #"{"modules":[]}"#)
  }

  @Test("a look that takes long is made more seldom, within bounds") func pauses() {
    #expect(FiguresStream.pause(afterLooking: .milliseconds(1)) == .seconds(1))
    #expect(FiguresStream.pause(afterLooking: .milliseconds(100)) == .seconds(2))
    #expect(FiguresStream.pause(afterLooking: .seconds(2)) == .seconds(5))
  }
}
