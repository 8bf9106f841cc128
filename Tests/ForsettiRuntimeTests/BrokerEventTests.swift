import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

@ReactorActor @Suite("Events between modules", .timeLimit(.minutes(1)))
struct BrokerEventTests {
  /// Everybody may hear everybody.
  static func open() throws -> Policy {
    let heard = try [EventPattern("com.*"), EventPattern("forsetti.lifecycle.*")]
    return Policy(rules: [PolicyRule(try ModulePattern("com.*"), subscribe: heard)])
  }

  private func head(_ frame: PipedModule.Received) throws -> EventHead {
    try EventHead(frame.head.span, of: .deliver)
  }

  @Test("reach whoever subscribes, once, from the true sender, with the payload as it was")
  func deliver() async throws {
    let world = BrokerWorld(policy: try Self.open())
    let sender = try world.module("com.example.sender")
    let exact = try world.module("com.example.exact")
    let broad = try world.module("com.example.broad")
    let deaf = try world.module("com.example.deaf")
    try await exact.subscribe("com.example.sender.done")
    try await broad.subscribe("com.example.*", id: 1)
    try await broad.subscribe("com.example.sender.done", id: 2)
    try await deaf.subscribe("com.example.sender.other")
    try sender.publish("com.example.sender.done", ["a": "1", "bb": "2"])
    for module in [exact, broad] {
      let frame = await module.frame(.deliver)
      let head = try head(frame)
      #expect(head.type == "com.example.sender.done")
      #expect(
        head.delivery
          == EventHead.Delivery(source: "com.example.sender", time: 1_700_000_000_000, kind: .event))
      let payload = try EventPayload.decode(frame.payload.span)
      #expect(payload == ["a": "1", "bb": "2"])
    }
    #expect(exact.frames(.deliver) == broad.frames(.deliver))
    try await broad.settle()
    #expect(broad.frames(.deliver).count == 1)
    try await deaf.settle()
    #expect(deaf.frames(.deliver).isEmpty)
  }

  @Test("of one sender come in order")
  func order() async throws {
    let world = BrokerWorld(policy: try Self.open())
    let sender = try world.module("com.example.sender")
    let receiver = try world.module("com.example.receiver")
    try await receiver.subscribe("com.example.sender.*")
    for number in 0..<500 { try sender.publish("com.example.sender.n\(number % 7)", ["n": "\(number)"]) }
    _ = await receiver.frame(.deliver, 500)
    let numbers = try receiver.frames(.deliver).map { try EventPayload.decode($0.payload.span)["n"] }
    #expect(numbers == (0..<500).map { "\($0)" })
  }

  @Test("go on together, and nothing that follows one overtakes it")
  func together() async throws {
    let world = BrokerWorld(policy: try Self.open())
    let sender = try world.module("com.example.sender")
    let receiver = try world.module("com.example.receiver")
    try await receiver.subscribe("com.example.sender.*")
    // All of it comes in one read.
    try sender.send {
      for number in 1...200 {
        try $0.appendPublish(EventHead(type: "com.example.sender.a"), payload: ["n": "\(number)"])
      }
      try $0.appendPublish(EventHead(type: "com.example.sender.b"), payload: ["n": "201"])
      try $0.appendCall(
        RuntimeMethods.sendMessage,
        MessageRequest(target: "com.example.receiver", type: "com.example.sender.m", payload: ["n": "202"]),
        callID: 1)
      try $0.appendPublish(EventHead(type: "com.example.sender.a"), payload: ["n": "203"])
    }
    _ = await receiver.frame(.deliver, 203)
    let numbers = try receiver.frames(.deliver).map { try EventPayload.decode($0.payload.span)["n"] }
    #expect(numbers == (1...203).map { "\($0)" })
  }

  @Test("that a module published before it broke the protocol still arrive")
  func beforeFault() async throws {
    let world = BrokerWorld(policy: try Self.open())
    let sender = try world.module("com.example.sender")
    let receiver = try world.module("com.example.receiver")
    try await receiver.subscribe("com.example.sender.*")
    try sender.send {
      try $0.appendPublish(EventHead(type: "com.example.sender.a"), payload: ["n": "1"])
      try $0.appendEvent(.publish, EventHead(type: "com.example.sender.a"), payload: [0xf6].span)
    }
    _ = await receiver.frame(.deliver)
    await sender.faults.wait(count: 1)
    #expect(receiver.frames(.deliver).count == 1)
  }

  @Test("carry the sender's trace")
  func trace() async throws {
    let world = BrokerWorld(policy: try Self.open())
    let sender = try world.module("com.example.sender")
    try await sender.subscribe("com.example.sender.*")
    let trace = try #require(TraceContext(traceHigh: 1, traceLow: 2, spanID: 3))
    for trace in [trace, nil] {
      try sender.send {
        try $0.appendPublish(EventHead(type: "com.example.sender.x", trace: trace), payload: [:])
      }
    }
    let first = try head(await sender.frame(.deliver, 1))
    #expect(first.trace == trace)
    let second = try head(await sender.frame(.deliver, 2))
    #expect(second.trace == nil)
  }

  @Test(
    "are dropped where the sender may not publish the type, with one warning",
    arguments: [
      "com.example.other.x", "forsetti.x", "Forsetti.lifecycle.activated", "com.example.sender",
      "com.example.sender.*", "com.example.sender.\u{1B}[31m", "",
    ])
  func mayNotPublish(type: String) async throws {
    let world = BrokerWorld(policy: try Self.open())
    let sender = try world.module("com.example.sender")
    let receiver = try world.module("com.example.receiver")
    try await receiver.subscribe("com.*")
    for _ in 0..<3 { try sender.publish(type) }
    try sender.publish("com.example.sender.last")
    #expect(try head(await receiver.frame(.deliver)).type == "com.example.sender.last")
    #expect(world.logger.warnings(of: "com.example.sender").count == 1)
  }

  @Test("can't be subscribed to against the policy, nor by what is no pattern")
  func maySubscribe() async throws {
    let world = BrokerWorld()
    let module = try world.module("com.example.a")
    for (id, pattern) in ["com.example.b.x", "com.example.*", "*"].enumerated() {
      try module.call(RuntimeMethods.subscribe, pattern, id: UInt64(id + 1))
      #expect(try await module.failure(UInt64(id + 1)) == .serviceDenied(.policy, detail: pattern))
    }
    for (id, pattern) in ["", "a..b", "a*", "{moduleID}.*"].enumerated() {
      try module.call(RuntimeMethods.subscribe, pattern, id: UInt64(id + 10))
      guard case .invalidArgument = try await module.failure(UInt64(id + 10)) else {
        Issue.record("\(pattern) is a pattern")
        continue
      }
    }
    try await module.subscribe("com.example.a.*", id: 20)
    try await module.subscribe("forsetti.lifecycle.*", id: 21)
  }

  @Test("stop with the subscription, and with the module")
  func unsubscribe() async throws {
    let world = BrokerWorld(policy: try Self.open())
    let sender = try world.module("com.example.sender")
    let receiver = try world.module("com.example.receiver")
    try receiver.call(RuntimeMethods.subscribe, "com.example.sender.*", id: 1)
    let id = try await receiver.reply(to: RuntimeMethods.subscribe, 1)
    try sender.publish("com.example.sender.a")
    _ = await receiver.frame(.deliver)
    try receiver.call(RuntimeMethods.unsubscribe, id, id: 2)
    _ = try await receiver.reply(to: RuntimeMethods.unsubscribe, 2)
    try sender.publish("com.example.sender.b")
    try await sender.settle()
    try receiver.call(RuntimeMethods.unsubscribe, id, id: 3)
    #expect(try await receiver.failure(3) == .notFound("subscription \(id)"))
    #expect(receiver.frames(.deliver).count == 1)
    try await receiver.subscribe("com.*", id: 4)
    receiver.end()
    #expect(world.broker.events.index.subscribers(of: "com.example.sender.b").isEmpty)
    try sender.publish("com.example.sender.c")
    try await sender.settle(5)
  }

  @Test("are bounded in subscriptions")
  func tooManySubscriptions() async throws {
    let world = BrokerWorld(policy: try Self.open())
    let module = try world.module("com.example.a")
    for id in 1...1024 { try module.call(RuntimeMethods.subscribe, "com.x\(id).*", id: UInt64(id)) }
    _ = try await module.reply(to: RuntimeMethods.subscribe, 1024)
    try module.call(RuntimeMethods.subscribe, "com.y.*", id: 2000)
    guard case .quotaExceeded = try await module.failure(2000) else {
      Issue.record("one more is kept")
      return
    }
  }

  @Test("wait for a slow subscriber within bounds, the oldest give way, and it is told how many")
  func slow() async throws {
    let world = BrokerWorld(policy: try Self.open())
    let sender = try world.module("com.example.sender")
    let slow = try world.module("com.example.slow")
    let quick = try world.module("com.example.quick")
    for module in [slow, quick] { try await module.subscribe("com.example.sender.*") }
    slow.pause()
    let body = String(repeating: "x", count: 20_000)
    let total = 600
    for number in 0..<total {
      try sender.publish("com.example.sender.x", ["body": body, "n": "\(number)"])
      _ = await quick.frame(.deliver, number + 1)
    }
    try sender.publish("com.example.sender.last")
    _ = await quick.frame(.deliver, total + 1)
    slow.read()
    await slow.received.wait { $0.contains { $0.head.contains(Array("com.example.sender.last".utf8)) } }
    let dropped = slow.frames(.dropped)
    #expect(dropped.count == 1)
    let notice = try #require(dropped.first)
    let lost = try DroppedNotice.decode(notice.head.span)
    #expect(slow.frames(.deliver).count + lost == total + 1)
    #expect(lost > 0)
    // What is left is the newest, in order, behind what was on its way already.
    let numbers = try slow.frames(.deliver).compactMap {
      try EventPayload.decode($0.payload.span)["n"].flatMap { Int($0) }
    }
    #expect(numbers == numbers.sorted())
    #expect(numbers.last == total - 1)
    #expect(world.logger.warnings(of: "com.example.slow").isEmpty)
  }

  @Test("reach the host's own bus, and come from the runtime")
  func host() async throws {
    let world = BrokerWorld(policy: try Self.open())
    let heard = Log<ForsettiEvent>()
    _ = world.bus.subscribe(to: "*") { heard.add($0) }
    let module = try world.module("com.example.a")
    try await module.subscribe("forsetti.lifecycle.*")
    try module.publish("com.example.a.x", ["k": "v"])
    await heard.wait(count: 1)
    world.broker.publish("forsetti.lifecycle.activated", payload: ["moduleID": "com.example.b"])
    let frame = await module.frame(.deliver)
    let head = try head(frame)
    #expect(head.delivery?.source == nil)
    #expect(
      heard.items.map(\.type) == ["com.example.a.x", "forsetti.lifecycle.activated"])
    #expect(heard.items.map(\.sourceModuleID) == ["com.example.a", nil])
    #expect(heard.items[0].payload == ["k": "v"])
  }
}

@ReactorActor @Suite("Messages between modules", .timeLimit(.minutes(1)))
struct BrokerMessageTests {
  private func send(
    _ type: String, from module: PipedModule, to target: String, id: UInt64, payload: [String: String] = [:]
  ) throws {
    try module.call(
      RuntimeMethods.sendMessage, MessageRequest(target: target, type: type, payload: payload), id: id)
  }

  @Test("reach their target alone")
  func deliver() async throws {
    let world = BrokerWorld(policy: try BrokerEventTests.open())
    let sender = try world.module("com.example.sender")
    let target = try world.module("com.example.target")
    let curious = try world.module("com.example.curious")
    try await curious.subscribe("com.*")
    try send("com.example.sender.hello", from: sender, to: "Com.Example.Target", id: 1, payload: ["a": "b"])
    _ = try await sender.reply(to: RuntimeMethods.sendMessage, 1)
    let frame = await target.frame(.deliver)
    let head = try EventHead(frame.head.span, of: .deliver)
    #expect(head.delivery?.kind == .message)
    #expect(head.delivery?.source == "com.example.sender")
    let payload = try EventPayload.decode(frame.payload.span)
    #expect(payload == ["a": "b"])
    try await curious.settle()
    #expect(curious.frames(.deliver).isEmpty)
  }

  @Test(
    "are refused by the guard, logged once",
    arguments: [
      ("", "t.x", ModuleCommunicationGuard.Denial.blankTarget), (" com.example.SENDER ", "t.x", .selfRelay),
      ("com.example.target", " ", .blankType), ("com.example.target", "Forsetti.Internal.x", .reservedType),
    ])
  func guarded(target: String, type: String, denial: ModuleCommunicationGuard.Denial) async throws {
    let world = BrokerWorld()
    let sender = try world.module("com.example.sender")
    let receiver = try world.module("com.example.target")
    for id in 1...2 {
      try send(type, from: sender, to: target, id: UInt64(id))
      #expect(
        try await sender.failure(UInt64(id))
          == .moduleCommunicationDenied(reason: denial.rawValue))
    }
    #expect(world.logger.warnings(of: "com.example.sender").count == 1)
    #expect(receiver.received.items.isEmpty)
  }

  @Test("are refused by a pair rule, and without an active target")
  func pairRule() async throws {
    let from = try ModulePattern("com.example.sender")
    let to = try ModulePattern("com.example.target")
    let world = BrokerWorld(policy: Policy(messages: [MessageRule(from: from, to: to, allow: false)]))
    let sender = try world.module("com.example.sender")
    _ = try world.module("com.example.target")
    try send("t.x", from: sender, to: "com.example.target", id: 1)
    guard case .moduleCommunicationDenied = try await sender.failure(1) else {
      Issue.record("the pair rule does not hold")
      return
    }
    let waiting = try world.module("com.example.waiting", isActive: false)
    waiting.session.open()
    for (id, target) in ["com.example.nobody", "com.example.waiting"].enumerated() {
      try send("t.x", from: sender, to: target, id: UInt64(id + 2))
      #expect(try await sender.failure(UInt64(id + 2)) == .targetUnavailable(moduleID: target))
    }
  }

  @Test("with a key of the framework's own break the protocol")
  func reservedKey() async throws {
    let world = BrokerWorld()
    let sender = try world.module("com.example.sender")
    let key = Array("_forsetti.targetModuleID".utf8)
    try sender.send(
      .call, callID: 1, head: [0xa2, 0, 0, 1, 3],
      payload: [0x83, 0x63] + Array("a.b".utf8) + [0x61, 0x78, 0xa1, 0x78, UInt8(key.count)] + key + [0x60])
    await sender.faults.wait(count: 1)
  }

  @Test("are refused to the sender when the mailbox is full, and none that was taken is lost")
  func mailbox() async throws {
    let world = BrokerWorld()
    let sender = try world.module("com.example.sender")
    let target = try world.module("com.example.target")
    target.pause()
    let body = String(repeating: "x", count: 50_000)
    var taken = 0
    for id in 1...200 {
      try send("t.x", from: sender, to: "com.example.target", id: UInt64(id), payload: ["body": body])
      guard case .quotaExceeded? = try await sender.failure(UInt64(id)) else {
        taken += 1
        continue
      }
      break
    }
    #expect(taken > 50 && taken < 200)
    target.read()
    _ = await target.frame(.deliver, taken)
    try send("t.x", from: sender, to: "com.example.target", id: 500)
    _ = try await sender.reply(to: RuntimeMethods.sendMessage, 500)
    _ = await target.frame(.deliver, taken + 1)
    #expect(target.frames(.dropped).isEmpty)
  }
}

@ReactorActor @Suite("A module that does not read", .timeLimit(.minutes(1)))
struct BrokerBackpressureTests {
  @Test("is heard no more until it reads, and nobody else waits for it")
  func heldBack() async throws {
    var services = ForsettiServiceContainer()
    services.answer(StorageMethods.value) { (request, _) throws(ServiceError) in
      String(repeating: "x", count: 500_000)
    }
    let world = BrokerWorld(services: services)
    let rude = try world.module("com.example.rude")
    let polite = try world.module("com.example.polite")
    rude.pause()
    let count = 40
    try rude.send { queue in
      for id in 1...count {
        try queue.appendCall(StorageMethods.value, StoreKey(store: nil, key: "k"), callID: UInt64(id))
      }
    }
    try await polite.settle()
    #expect((rude.session.channel?.pendingBytes ?? 0) < 3 << 20)
    rude.read()
    _ = await rude.answer(UInt64(count))
    #expect(rude.frames(.reply).map(\.callID) == (1...count).map(UInt64.init))
    #expect(rude.faults.items.isEmpty)
  }
}
