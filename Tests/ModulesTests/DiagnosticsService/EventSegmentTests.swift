import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct EventSegmentTests {
  private static func event(_ number: Int64, _ message: String = "m") -> LoggedEvent {
    LoggedEvent(
      number: number,
      report: DiagnosticReport(
        source: "a", category: "c", severity: .error, message: message, metadata: ["b": "2", "a": "\"1\"\n"],
        time: number * 10))
  }

  @Test("one line is one event, with its keys sorted, and can be read again") func lines() {
    var segment = EventSegment()
    segment.add(Self.event(1))
    segment.add(Self.event(2, "line\nbreak"))
    #expect(segment.text.split(separator: "\n").count == 2)
    #expect(segment.text.contains(#""metadata":{"a":"\"1\"\n","b":"2"}"#))
    #expect(EventSegment(text: segment.text) == segment)
  }

  @Test("one event is one line, whatever is in it") func oneLine() {
    var segment = EventSegment()
    segment.add(Self.event(1, "a\nb\r\n"))
    #expect(segment.text.split(separator: "\n").count == 1)
    #expect(segment.text.hasSuffix("}\n"))
    #expect(EventSegment(text: segment.text).events.map(\.report.severity) == [.error])
  }

  @Test("lines that are none are passed over") func malformed() {
    var segment = EventSegment()
    segment.add(Self.event(1))
    let text =
      "{}\n7\n\n" + segment.text + "{\"number\": 2" + "\n" + segment.text.replacing("error", with: "loud")
    #expect(EventSegment(text: text) == segment)
  }

  @Test("it is full after so many events, or bytes") func full() {
    var segment = EventSegment()
    for number in 1...Int64(EventSegment.eventLimit) {
      #expect(!segment.isFull)
      segment.add(Self.event(number))
    }
    #expect(segment.isFull)
    var heavy = EventSegment()
    heavy.add(Self.event(1, String(repeating: "x", count: EventSegment.byteLimit)))
    #expect(heavy.isFull)
  }

  @Test("keys sort as events do, and tell their number", arguments: [0, 1, 99, 100, Int64.max])
  func keys(number: Int64) {
    #expect(EventSegment.firstNumber(of: EventSegment.key(first: number)) == number)
    #expect(EventSegment.key(first: 99) < EventSegment.key(first: 100))
    #expect(EventSegment.firstNumber(of: "cleared") == nil)
    #expect(EventSegment.firstNumber(of: "events.x") == nil)
  }
}
