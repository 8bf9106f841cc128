import ForsettiCore
import ForsettiIPC
import Testing

@testable import ForsettiConsole

@Suite struct FigureChangesTests {
  private func line(_ id: String, calls: Int = 0, memory: Int? = nil) -> FigureLine {
    var line = FigureLine()
    line.moduleID = id
    line.calls = calls
    line.memoryBytes = memory
    return line
  }

  private func told(_ value: JSONValue) -> [String] {
    (value["modules"]?.elements ?? []).compactMap { $0["moduleID"]?.stringValue }
  }

  @Test("a page is told what it does not know yet, and who is gone")
  func changes() {
    var changes = FigureChanges()
    let answer = JSONValue.record(["state": .string("ready"), "modules": .array([])])
    let first = changes.take(answer, [line("a", calls: 1), line("b", calls: 1)])
    #expect(told(first) == ["a", "b"] && first["state"]?.stringValue == "ready")
    #expect(first["isWhole"]?.boolValue == true)
    let second = changes.take(answer, [line("a", calls: 1), line("b", calls: 2)])
    #expect(told(second) == ["b"] && second["gone"]?.elements?.isEmpty == true)
    #expect(second["isWhole"]?.boolValue == false)
    let third = changes.take(answer, [line("b", calls: 2)])
    #expect(told(third).isEmpty && third["gone"]?.elements?.first?.stringValue == "a")
  }

  @Test(
    "memory that changes by next to nothing is no change, however often; its coming, its end and a real change are",
    arguments: [
      (64_000, 64_900, false), (64_000, 63_100, false), (64_000, 65_000, true), (64_000, nil, true),
      (nil, 64_000, true), (nil, nil, false), (0, 0, false), (0, 1, true),
    ] as [(Int?, Int?, Bool)])
  func memory(before: Int?, after: Int?, isChange: Bool) {
    var changes = FigureChanges()
    _ = changes.take(.record([:]), [line("a", memory: before)])
    #expect(told(changes.take(.record([:]), [line("a", memory: after)])) == (isChange ? ["a"] : []))
    // What was not told is not forgotten: many small changes are one at last.
    guard !isChange, let after else { return }
    #expect(told(changes.take(.record([:]), [line("a", memory: after * 2 + 1)])) == ["a"])
  }

  @Test("of an answer no more is passed on than pages show")
  func picked() throws {
    let figures = try FigureLine(
      control: .map([
        CBORMember(.text("moduleID"), .text("a")), CBORMember(.text("latency"), .array([.unsigned(1)])),
        CBORMember(.text("calls"), .unsigned(3)),
      ]))
    #expect(figures == line("a", calls: 3))
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
