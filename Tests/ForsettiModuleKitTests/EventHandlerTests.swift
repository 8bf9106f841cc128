import Testing

@testable import ForsettiIPC
@testable import ForsettiModuleKit

/// How the two kinds of handlers get what comes through the pipe.
@MainActor
@Suite struct EventHandlerTests {
  /// What the handlers of a test saw, and how they leave.
  @MainActor private final class Witness: Sendable {
    var seen: [String] = []
    var subscription: Subscription?
  }

  private let events = ModuleEvents(
    moduleID: "a.b", logger: ForsettiModuleLogger(moduleID: "a.b", destination: RecordingOutlet()))
  private let witness = Witness()

  private func receive(_ number: Int, type: String = "t.one") throws {
    var head = CBORWriter()
    var payload = CBORWriter()
    try EventHead(type: type, delivery: .init(source: "c.d", time: 1)).encode(into: &head)
    try ["n": "\(number)"].encode(into: &payload)
    try events.receive(head.bytes.span, payload.bytes.span)
  }

  private func note(_ name: String) -> ForsettiContext.ImmediateEventHandler {
    { [witness] event in witness.seen.append("\(name) \(event.payload["n"] ?? "")") }
  }

  @Test("one that waits for nothing is called where the event is read") func atOnce() throws {
    #expect(events.add(Subscription(pattern: "t.*", .atOnce(note("a"))), to: .event))
    try receive(1)
    try receive(2, type: "t.two")
    try receive(3, type: "u")
    #expect(witness.seen == ["a 1", "a 2"])
  }

  @Test("every one that wants an event has it, whichever kind it is") func both() async throws {
    let (handled, done) = AsyncStream<String>.makeStream()
    let queue = HandlerQueue { done.yield($0.payload["n"] ?? "") }
    #expect(events.add(Subscription(pattern: "t.one", .queued(queue)), to: .event))
    #expect(events.add(Subscription(pattern: "t.*", .atOnce(note("a"))), to: .event))
    #expect(events.add(Subscription(pattern: "*", .atOnce(note("b"))), to: .event))
    try receive(1)
    try receive(2)
    #expect(witness.seen == ["a 1", "b 1", "a 2", "b 2"])
    var iterator = handled.makeAsyncIterator()
    #expect(await iterator.next() == "1")
    #expect(await iterator.next() == "2")
  }

  @Test("one that leaves while it handles an event sees no other") func leaves() throws {
    let subscription = Subscription(
      pattern: "t.*",
      .atOnce { [events, witness] event in
        witness.seen.append(event.payload["n"] ?? "")
        if let subscription = witness.subscription { events.remove(subscription) }
      })
    witness.subscription = subscription
    #expect(events.add(subscription, to: .event))
    try receive(1)
    try receive(2)
    #expect(witness.seen == ["1"])
  }

  @Test("one that subscribes while it handles an event changes nothing for that one") func joins() throws {
    let late = Subscription(pattern: "t.*", .atOnce(note("late")))
    let first = Subscription(
      pattern: "t.*",
      .atOnce { [events, witness] event in
        witness.seen.append("first \(event.payload["n"] ?? "")")
        if witness.seen.count == 1 { _ = events.add(late, to: .event) }
      })
    #expect(events.add(first, to: .event))
    try receive(1)
    try receive(2)
    #expect(witness.seen == ["first 1", "late 2", "first 2"])
  }

  @Test("the end of the module ends both kinds, in the middle of an event too") func close() throws {
    let ending = Subscription(pattern: "t.*", .atOnce { [events] _ in events.close() })
    // Behind the first of the list, so it is handed to first of all.
    #expect(events.add(Subscription(pattern: "t.*", .atOnce(note("a"))), to: .event))
    #expect(events.add(ending, to: .event))
    try receive(1)
    try receive(2)
    #expect(witness.seen == [])
    #expect(!events.add(Subscription(pattern: "t.*", .atOnce(note("b"))), to: .event))
  }
}
