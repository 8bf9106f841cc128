import ForsettiCore
import ForsettiIPC
import ForsettiModuleKit
import Testing

private let probeHost = "forsetti-kit-probe"

/// Events and messages, as they reach module code.
@Suite(.serialized) struct EventProcessTests {
  /// An event as a hostile publisher may make it: two keys that Swift holds equal.
  private func eventOfEquivalentKeys(into queue: inout OutboundQueue) throws {
    var payload = CBORWriter()
    payload.map(count: 2)
    for key in ["\u{e9}", "e\u{301}"] {
      try payload.text(key)
      try payload.text(key)
    }
    let head = EventHead(
      type: "com.example.odd", delivery: EventHead.Delivery(source: "com.example.a", time: 1))
    try queue.appendEvent(.deliver, head, payload: payload.bytes.span)
  }

  private func event(
    _ type: String, _ payload: [String: String], from source: String? = "com.example.a",
    kind: EventKind = .event, into queue: inout OutboundQueue
  ) throws {
    let head = EventHead(type: type, delivery: EventHead.Delivery(source: source, time: 1, kind: kind))
    var bytes = CBORWriter()
    try payload.encode(into: &bytes)
    try queue.appendEvent(.deliver, head, payload: bytes.bytes.span)
  }

  @Test("one handler sees events one after the other, and none after its end") func events() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("Events")
    try supervisor.send(.start(StartMessage(grants: [])))
    let subscribe = try supervisor.receiveTraffic()
    #expect(try subscribe.request(RuntimeMethods.subscribe) == "com.Example.*")
    // The first event comes with the answer.
    try supervisor.send {
      try $0.appendReply(42, callID: subscribe.callID)
      try event("com.example.one", ["n": "1", "yields": "50"], into: &$0)
      try event("com.example.two", ["n": "2"], from: nil, into: &$0)
      try event("com.other", ["n": "0"], into: &$0)
      try event("com.example.", ["n": "0"], into: &$0)
    }
    let denied = try supervisor.receiveTraffic()
    #expect(try denied.request(RuntimeMethods.subscribe) == "secret.*")
    try supervisor.send {
      try $0.appendFailure(.serviceDenied(.policy, detail: "no"), callID: denied.callID)
    }
    // The start goes on meanwhile.
    let messages = try (0..<3).map { _ in try supervisor.receive() }
    #expect(messages.contains(.started))
    #expect(
      messages.filter { $0 != .started } == [
        .info("com.example.one 1 from com.example.a"), .info("com.example.two 2 from the runtime"),
      ])
    try supervisor.send {
      try $0.appendDropped(count: 3)
      try event("bye", [:], kind: .message, into: &$0)
    }
    let notice = LogMessage(
      level: .warning, message: "events were lost: they came faster than they were handled",
      metadata: ["count": "3"])
    #expect(try supervisor.receive() == .log(notice))
    #expect(try supervisor.receive() == .info("dropped 3"))
    let unsubscribe = try supervisor.receiveTraffic()
    #expect(try unsubscribe.request(RuntimeMethods.unsubscribe) == 42)
    #expect(try supervisor.receive() == .info("cancelled"))
    try supervisor.send { try event("com.example.three", ["n": "3"], into: &$0) }
    #expect(try supervisor.stop() == [.info("stopped")])
  }

  @Test("an event whose keys only a dictionary holds equal is handled, and its subscriber lives on")
  func equivalentKeys() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("Events")
    try supervisor.send(.start(StartMessage(grants: [])))
    let subscribe = try supervisor.receiveTraffic()
    try supervisor.send {
      try $0.appendReply(42, callID: subscribe.callID)
      try eventOfEquivalentKeys(into: &$0)
      try event("com.example.next", ["n": "2"], into: &$0)
    }
    let denied = try supervisor.receiveTraffic()
    try supervisor.send {
      try $0.appendFailure(.serviceDenied(.policy, detail: "no"), callID: denied.callID)
    }
    let messages = try (0..<3).map { _ in try supervisor.receive() }
    #expect(
      messages.filter { $0 != .started } == [
        .info("com.example.odd  from com.example.a"), .info("com.example.next 2 from com.example.a"),
      ])
    #expect(try supervisor.stop() == [.info("stopped")])
  }

  @Test("of many events in one write all are handled, in their order, though nothing comes after them")
  func manyAtOnce() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("SlowHandler")
    try supervisor.send(.start(StartMessage(grants: [])))
    let subscribe = try supervisor.receiveTraffic()
    // Several turns' worth of a module, in few reads of it.
    let numbers = (1...300).map(String.init)
    try supervisor.send {
      try $0.appendReply(42, callID: subscribe.callID)
      for number in numbers { try event("com.example.many", ["n": number], into: &$0) }
    }
    let messages = try (0...numbers.count).map { _ in try supervisor.receive() }
    #expect(messages.filter { $0 != .started } == numbers.map { .info("handled \($0)") })
    _ = try supervisor.stop()
  }

  @Test("a message has its receiver in its payload, and no other handler sees it") func messages() throws {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("Messages")
    try supervisor.send(.start(StartMessage(grants: [])))
    let first = try supervisor.receiveTraffic()
    #expect(
      try first.request(RuntimeMethods.sendMessage)
        == MessageRequest(target: "com.example.other", type: "greeting", payload: ["text": "hello"]))
    // What is forwarded is the payload as it was sent.
    let forwarded = try ForwardedMessage(first.payload.span)
    #expect(try EventPayload.decode(first.payload.span.extracting(forwarded.payload)) == ["text": "hello"])
    try supervisor.send { try $0.appendReply(Nothing(), callID: first.callID) }
    let second = try supervisor.receiveTraffic()
    try supervisor.send {
      try $0.appendFailure(
        .serviceUnavailable(role: "com.example.gone", why: "not active"), callID: second.callID)
    }
    #expect(try supervisor.receive() == .started)
    try supervisor.send {
      try event("greeting", ["text": "event"], into: &$0)
      try event("greeting", ["text": "hi"], kind: .message, into: &$0)
    }
    #expect(try supervisor.receive() == .info("hi to com.example.probe"))
    try supervisor.send { try event("enough", [:], kind: .message, into: &$0) }
    try supervisor.send { try $0.appendCall(RuntimeMethods.health, Nothing(), callID: 1) }
    #expect(try supervisor.receiveTraffic().header.kind == .reply)
    try supervisor.send { try event("greeting", ["text": "late"], kind: .message, into: &$0) }
    #expect(try supervisor.stop() == [.info("stopped")])
  }

  @Test("events that a handler is too slow for are dropped, the oldest first, and counted") func slow() throws
  {
    let supervisor = try ScriptedSupervisor(host: probeHost)
    _ = try supervisor.bringUp("SlowHandler")
    try supervisor.send(.start(StartMessage(grants: [])))
    let subscribe = try supervisor.receiveTraffic()
    try supervisor.send { try $0.appendReply(1, callID: subscribe.callID) }
    #expect(try supervisor.receive() == .started)
    try supervisor.send { try event("t", ["n": "0"], into: &$0) }
    for number in 1...4100 { try supervisor.send { try event("t", ["n": "\(number)"], into: &$0) } }
    let texts = try supervisor.receive { $0 == .info("handled 4100") }.compactMap { message -> String? in
      guard case .log(let record) = message, record.level == .info else { return nil }
      return record.message
    }
    let dropped = texts.compactMap { $0.hasPrefix("dropped ") ? Int($0.dropFirst(8)) : nil }.reduce(0, +)
    let handled = texts.compactMap { $0.hasPrefix("handled ") ? Int($0.dropFirst(8)) : nil }
    #expect(dropped > 0)
    #expect(handled.count + dropped == 4101)
    #expect(handled == [0] + Array((1 + dropped)...4100))
  }
}
