import ForsettiCore
import Testing

@testable import ForsettiRuntime

@Suite("Diagnostics center")
@ReactorActor struct DiagnosticsCenterTests {
  private func event(_ index: Int) -> DiagnosticEvent {
    DiagnosticEvent(time: Int64(index), source: "s", category: "c", severity: .info, message: "\(index)")
  }

  @Test("keeps the newest events until they are taken, in order, and tells how many were lost")
  func ring() {
    let center = DiagnosticsCenter(capacity: 5)
    for index in 0..<13 { center.report(event(index)) }
    #expect(center.latest(2).map(\.message) == ["11", "12"])
    let first = center.take(2)
    #expect(first.events.map(\.message) == ["8", "9"])
    #expect(first.lost == 8)
    center.report(event(13))
    center.report(event(14))
    center.report(event(15))
    let rest = center.take()
    #expect(rest.events.map(\.message) == ["11", "12", "13", "14", "15"])
    #expect(rest.lost == 1)
    #expect(center.take().events.isEmpty)
    #expect(center.take().lost == 0)
  }

  @Test("holds 2,000 events unless told otherwise")
  func capacity() {
    let center = DiagnosticsCenter()
    for index in 0..<2_001 { center.report(event(index)) }
    #expect(center.count == 2_000)
    #expect(center.take(0).lost == 1)
    #expect(center.latest(1).first?.message == "2000")
  }

  @Test("a boot failure is an error of forsetti.runtime in the category bootstrap, and announced")
  func bootFailure() {
    let center = DiagnosticsCenter()
    var announced = 0
    center.onReport = { announced += 1 }
    center.reportBootFailure("no manifests", metadata: ["path": "/x"])
    let event = center.take().events.first
    #expect(event?.source == "forsetti.runtime")
    #expect(event?.category == "bootstrap")
    #expect(event?.severity == .error)
    #expect(event?.metadata == ["path": "/x"])
    #expect(announced == 1)
  }

  @Test("texts of an event are bounded")
  func bounds() {
    let long = String(repeating: "x", count: 100_000)
    let pairs = Dictionary(uniqueKeysWithValues: (0..<200).map { ("\($0)", long) })
    let event = DiagnosticEvent(
      time: 0, source: long, category: long, severity: .info, message: long, metadata: pairs)
    #expect(event.message.utf8.count <= LogText.valueLimit + 3)
    #expect(event.metadata.count == LogText.pairLimit)
    #expect(event.metadata.values.allSatisfy { $0.utf8.count <= LogText.valueLimit + 3 })
  }
}

@Suite("Event bus")
@ReactorActor struct DiagnosticsEventBusTests {
  private final class Seen {
    var items: [String] = []
  }

  private let bus = InMemoryEventBus()
  private let seen = Seen()

  private func note(_ name: String) -> InMemoryEventBus.Handler {
    { [seen] event in seen.items.append("\(name):\(event.type)") }
  }

  @Test("an event reaches handlers of its exact type, of prefixes with a dot, and of everything, in order")
  func matching() {
    _ = bus.subscribe(to: "*", note("all"))
    _ = bus.subscribe(to: "a.b.c", note("exact"))
    _ = bus.subscribe(to: "a.*", note("a"))
    _ = bus.subscribe(to: "a.b.*", note("ab"))
    _ = bus.subscribe(to: "a.b.c.*", note("abc"))
    _ = bus.subscribe(to: "a.b", note("parent"))
    bus.publish(ForsettiEvent(type: "a.b.c"))
    #expect(seen.items == ["all:a.b.c", "exact:a.b.c", "a:a.b.c", "ab:a.b.c"])
    seen.items = []
    bus.publish(ForsettiEvent(type: "ab.c"))
    #expect(seen.items == ["all:ab.c"])
    seen.items = []
    bus.publish(ForsettiEvent(type: "a.b"))
    #expect(seen.items == ["all:a.b", "a:a.b", "parent:a.b"])
  }

  @Test("cancelling ends a subscription once and for all, even for the event under way")
  func cancel() {
    let second = Seen()
    var token: SubscriptionToken?
    _ = bus.subscribe(to: "t") { _ in token?.cancel() }
    token = bus.subscribe(to: "t") { _ in second.items.append("late") }
    bus.publish(ForsettiEvent(type: "t"))
    token?.cancel()
    bus.publish(ForsettiEvent(type: "t"))
    #expect(second.items.isEmpty)
  }

  @Test("dropping the token does not end the subscription")
  func dropped() {
    _ = bus.subscribe(to: "t", note("x"))
    bus.publish(ForsettiEvent(type: "t"))
    #expect(seen.items == ["x:t"])
  }

  @Test("what a handler publishes is delivered after the event it handles, to everybody in the same order")
  func nested() {
    _ = bus.subscribe(to: "first") { [bus] _ in bus.publish(ForsettiEvent(type: "second")) }
    _ = bus.subscribe(to: "*", note("x"))
    bus.publish(ForsettiEvent(type: "first"))
    #expect(seen.items == ["x:first", "x:second"])
  }
}

@Suite("Module communication guard")
struct DiagnosticsGuardTests {
  @Test(
    "the first reason that applies is given, in the guard's order",
    arguments: [
      (" ", "", "", .blankSource), ("a.b", "\u{2003}\n", "", .blankTarget),
      ("a.b", " A.B\t", "", .selfRelay), ("a.b", "c.d", " ", .blankType),
      ("a.b", "c.d", " FORSETTI.internal.x", .reservedType),
      ("a.b", "c.d", "forsetti.internal.", .reservedType),
      ("a.b", "c.d", "forsetti.internal", nil), ("a.b", "c.d", "x", nil),
    ] as [(String, String, String, ModuleCommunicationGuard.Denial?)])
  func order(source: String, target: String, type: String, expected: ModuleCommunicationGuard.Denial?) {
    #expect(ModuleCommunicationGuard.denial(source: source, target: target, eventType: type) == expected)
  }
}
