import ForsettiCore
import Testing

@testable import ForsettiConsole

@Suite struct FigureChangesTests {
  private func item(_ id: String, calls: Int) -> JSONValue {
    .record(["moduleID": .string(id), "calls": .integer(calls)])
  }

  @Test("a page is told what it does not know yet, and who is gone")
  func changes() {
    var changes = FigureChanges()
    func take(_ items: JSONValue...) -> String {
      JSONWriter.text(
        changes.take(
          SupervisorLink.Reply(
            answer: .record(["state": .string("ready"), "modules": .array([])]), items: items)))
    }
    #expect(
      take(item("a", calls: 1), item("b", calls: 1))
        == #"{"state":"ready","modules":[{"moduleID":"a","calls":1},{"moduleID":"b","calls":1}],"gone":[]}"#)
    #expect(
      take(item("a", calls: 1), item("b", calls: 2))
        == #"{"state":"ready","modules":[{"moduleID":"b","calls":2}],"gone":[]}"#)
    #expect(take(item("b", calls: 2)) == #"{"state":"ready","modules":[],"gone":["a"]}"#)
  }

  @Test("an event is one line of data, whatever is in it")
  func eventText() {
    let text = String(
      decoding: EventText.event("log", .record(["m": .string("a\nevent: x\n\ndata: y")])), as: UTF8.self)
    #expect(text == "event: log\ndata: {\"m\":\"a\\nevent: x\\n\\ndata: y\"}\n\n")
  }

  @Test("a look that takes long is made more seldom, within bounds") func pauses() {
    #expect(FiguresStream.pause(afterLooking: .milliseconds(1)) == .seconds(1))
    #expect(FiguresStream.pause(afterLooking: .milliseconds(100)) == .seconds(2))
    #expect(FiguresStream.pause(afterLooking: .seconds(2)) == .seconds(5))
  }
}
