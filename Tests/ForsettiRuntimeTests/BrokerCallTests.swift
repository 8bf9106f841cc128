import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

@ReactorActor @Suite("Calls of a module to the host", .timeLimit(.minutes(1)))
struct BrokerCallTests {
  @Test("are answered at once where the adapter can")
  func immediate() async throws {
    let world = BrokerWorld()
    let module = try world.module("com.example.a", grants: [.security, .storage])
    try module.call(SecurityMethods.grants, Nothing(), id: 7)
    #expect(try await module.reply(to: SecurityMethods.grants, 7) == [.security, .storage])
    try module.call(SecurityMethods.decision, .networking, id: 8)
    #expect(try await !module.reply(to: SecurityMethods.decision, 8).isGranted)
  }

  @Test("are all answered, in order, when many come in one read")
  func batch() async throws {
    let world = BrokerWorld()
    let module = try world.module("com.example.a")
    try module.send { queue in
      for id in 1...200 { try queue.appendCall(SecurityMethods.grants, Nothing(), callID: UInt64(id)) }
    }
    await module.received.wait(count: 200)
    #expect(module.received.items.map(\.callID) == (1...200).map(UInt64.init))
  }

  @Test("go to an adapter of the module's own off the reactor")
  func detached() async throws {
    var services = ForsettiServiceContainer()
    services.register((any StorageService).self) { EchoStorage(owner: $0.moduleID) }
    let world = BrokerWorld(services: services)
    let module = try world.module("com.example.a")
    try module.call(StorageMethods.value, StoreKey(store: nil, key: "k"), id: 1)
    #expect(try await module.reply(to: StorageMethods.value, 1) == "com.example.a/k")
    try module.call(StorageMethods.value, StoreKey(store: nil, key: "missing"), id: 1)
    await module.received.wait(count: 2)
    let second = module.received.items[1]
    let error = try ServiceError.decode(second.head.span)
    #expect(error == .notFound("missing"))
  }

  @Test("fail when their deadline passes, and a late answer is counted")
  func deadline() async throws {
    let clock = FakeClock()
    let gate = Gate()
    var services = ForsettiServiceContainer()
    services.register((any StorageService).self) { _ in GatedStorage(gate: gate) }
    let world = BrokerWorld(services: services, clock: clock)
    let module = try world.module("com.example.a")
    try module.call(StorageMethods.value, StoreKey(store: nil, key: "k"), id: 1, timeout: 50)
    await gate.someoneWaits()
    clock.advance(by: .milliseconds(49))
    #expect(module.received.items.isEmpty)
    clock.advance(by: .milliseconds(2))
    #expect(try await module.failure(1) == .deadlineExceeded)
    gate.open()
    while module.session.lateAnswers == 0 { await Task.yield() }
    #expect(module.received.items.count == 1)
    #expect(clock.pending == 0)
  }

  @Test("are dropped when the module takes them back, and the id is free again")
  func cancel() async throws {
    let gate = Gate()
    var services = ForsettiServiceContainer()
    services.register((any StorageService).self) { _ in GatedStorage(gate: gate) }
    let world = BrokerWorld(services: services)
    let module = try world.module("com.example.a")
    try module.call(StorageMethods.value, StoreKey(store: nil, key: "k"), id: 1)
    try module.send { try $0.appendCancel(callID: 1) }
    try module.call(SecurityMethods.grants, Nothing(), id: 1)
    _ = try await module.reply(to: SecurityMethods.grants, 1)
    gate.open()
    while module.session.lateAnswers == 0 { await Task.yield() }
    #expect(module.received.items.count == 1)
  }

  @Test("are bounded in number")
  func tooMany() async throws {
    let gate = Gate()
    var services = ForsettiServiceContainer()
    services.register((any StorageService).self) { _ in GatedStorage(gate: gate) }
    let world = BrokerWorld(services: services, openCalls: 2)
    let module = try world.module("com.example.a")
    for id in 1...3 { try module.call(StorageMethods.value, StoreKey(store: nil, key: "k"), id: UInt64(id)) }
    guard case .quotaExceeded = try await module.failure(3) else {
      Issue.record("a third call is open")
      return
    }
    gate.open()
    _ = await module.answer(1)
    try module.call(SecurityMethods.grants, Nothing(), id: 4)
    _ = try await module.reply(to: SecurityMethods.grants, 4)
  }

  @Test("count until their work has ended, also when nobody waits for them any more")
  func leftBehind() async throws {
    let gate = Gate()
    var services = ForsettiServiceContainer()
    services.register((any StorageService).self) { _ in GatedStorage(gate: gate) }
    let world = BrokerWorld(services: services, openCalls: 2)
    let module = try world.module("com.example.a")
    for id in 1...2 as ClosedRange<UInt64> {
      try module.call(StorageMethods.value, StoreKey(store: nil, key: "k"), id: id)
      try module.send { try $0.appendCancel(callID: id) }
    }
    try module.call(StorageMethods.value, StoreKey(store: nil, key: "k"), id: 3)
    guard case .quotaExceeded = try await module.failure(3) else {
      Issue.record("a third request is worked on")
      return
    }
    gate.open()
    while module.session.lateAnswers < 2 { await Task.yield() }
    try module.call(StorageMethods.value, StoreKey(store: nil, key: "k"), id: 4)
    _ = try await module.reply(to: StorageMethods.value, 4)
  }

  @Test(
    "are bounded in bytes, but for one alone",
    arguments: [
      ([HostWorkload.byteLimit * 2], 1), ([HostWorkload.byteLimit * 2, 0], 1),
      ([HostWorkload.byteLimit / 2, HostWorkload.byteLimit / 2, 1], 2), ([0, 0, 0, 0], 3),
    ])
  func bytes(sizes: [Int], taken: Int) {
    var workload = HostWorkload(limit: 3)
    func begin(_ size: Int) -> Bool { workload.begin(size) }
    let begun = sizes.filter(begin)
    #expect(begun.count == taken)
    for size in begun { workload.end(size) }
    #expect(begin(HostWorkload.byteLimit * 2))
  }

  @Test("are denied with one warning, then counted")
  func denied() async throws {
    let world = BrokerWorld()
    let module = try world.module(
      "com.example.a", grants: [.security], io: [(.security, .read), (.storage, .read)])
    for id in 1...3 {
      try module.call(StorageMethods.value, StoreKey(store: nil, key: "k"), id: UInt64(id))
      #expect(
        try await module.failure(UInt64(id)) == .serviceDenied(.notGranted, detail: "storage.value"))
    }
    try module.call(SecurityMethods.reportIncident, NamedTexts("x", [:]), id: 4)
    #expect(try await module.failure(4) == .serviceDenied(.access, detail: "security.reportIncident"))
    #expect(world.logger.warnings(of: "com.example.a").count == 2)
  }

  @Test("are denied where there is no such service or method")
  func unknown() async throws {
    let world = BrokerWorld()
    let module = try world.module("com.example.a")
    for (id, numbers) in [(UInt8(12), UInt8(1)), (2, 99), (0, 31), (255, 255)].enumerated() {
      try module.send(
        .call, callID: UInt64(id + 1),
        head: [0xa2, 0x00] + cbor(numbers.0) + [0x01] + cbor(numbers.1), payload: [0xf6])
      guard case .serviceDenied(.unknown, _) = try await module.failure(UInt64(id + 1)) else {
        Issue.record("\(numbers) is known")
        continue
      }
    }
    #expect(module.faults.items.isEmpty)
  }

  @Test("say who is missing where no adapter is registered")
  func unavailable() async throws {
    let world = BrokerWorld()
    let module = try world.module("com.example.a")
    try module.call(StorageMethods.value, StoreKey(store: nil, key: "k"), id: 1)
    guard case .serviceUnavailable("storage", _) = try await module.failure(1) else {
      Issue.record("somebody answers")
      return
    }
  }

  @Test("get a typed answer for an argument beyond its limits")
  func argument() async throws {
    let world = BrokerWorld()
    let module = try world.module("com.example.a")
    try module.send(.call, callID: 1, head: [0xa2, 0, 11, 1, 2], payload: [0x63] + Array("fly".utf8))
    guard case .invalidArgument = try await module.failure(1) else {
      Issue.record("fly is a capability")
      return
    }
  }

  @Test("are answered by rateLimited above the rate that the policy sets, and events are dropped")
  func rates() async throws {
    let clock = FakeClock()
    let limits = [ModuleRates.Name.callsPerSecond: 5, .eventsPerSecond: 2]
    let world = BrokerWorld(
      policy: Policy(rules: [PolicyRule(try ModulePattern("com.example.a"), rates: limits)]), clock: clock)
    let module = try world.module("com.example.a")
    let free = try world.module("com.example.b")
    try await module.subscribe("com.example.a.*")
    for id in 1...6 { try module.call(SecurityMethods.grants, Nothing(), id: UInt64(id)) }
    _ = try await module.reply(to: SecurityMethods.grants, 4)
    for id in 5...6 {
      #expect(try await module.failure(UInt64(id)) == .rateLimited(retryAfterMilliseconds: 200))
    }
    clock.advance(by: .milliseconds(200))
    try module.call(SecurityMethods.grants, Nothing(), id: 7)
    _ = try await module.reply(to: SecurityMethods.grants, 7)
    for _ in 0..<5 { try module.publish("com.example.a.x") }
    clock.advance(by: .seconds(1))
    try await module.settle()
    #expect(module.frames(.deliver).count == 2)
    #expect(world.logger.warnings(of: "com.example.a").count == 2)
    for id in 1...20 { try free.call(SecurityMethods.grants, Nothing(), id: UInt64(id)) }
    _ = try await free.reply(to: SecurityMethods.grants, 20)
  }

  @Test("of any size pass a byte rate that has had its rest")
  func byteRate() async throws {
    var rates = ModuleRates()
    rates[.bytesPerSecond] = 1024
    var session = SessionRates(rates)
    let second: UInt64 = 1_000_000_000
    let largest = FrameHeader.size + FrameHeader.maximumBody
    #expect(session.refuse(.call, bytes: largest, now: 10 * second) == nil)
    #expect(session.refuse(.event, bytes: 3000, now: 10 * second) == 3000)
    #expect(session.refuse(.event, bytes: 3000, now: 13 * second) == nil)
  }

  @Test("keep an incident, attributed and logged")
  func incident() async throws {
    let world = BrokerWorld()
    let module = try world.module("com.example.a")
    try module.call(
      SecurityMethods.reportIncident, NamedTexts("door open", ["door": "3"]), id: 1)
    _ = try await module.reply(to: SecurityMethods.reportIncident, 1)
    let kept = try #require(world.diagnostics.latest(1).first)
    #expect(kept.source == "com.example.a")
    #expect(kept.category == OwnServices.incident)
    #expect(world.logger.warnings(of: "com.example.a").count == 1)
  }
}

@ReactorActor @Suite("What breaks the protocol of calls", .timeLimit(.minutes(1)))
struct BrokerFaultTests {
  enum Case: String, CaseIterable {
    case noID, idInUse, sourceInHead, headUnordered, headTrailing, badPayload, trailingPayload, replyUnknown
    case replyTwice, replyWithHead, cancelWithBody, failureBadHead, pathWithoutVerb, verbMissing
    case deliver, dropped, publishReserved, publishNotMap, publishSource, notDeterministic
  }

  @Test("ends that module alone", arguments: Case.allCases)
  func fault(_ fault: Case) async throws {
    let gate = Gate()
    var services = ForsettiServiceContainer()
    services.register((any StorageService).self) { _ in GatedStorage(gate: gate) }
    let world = BrokerWorld(services: services)
    let module = try world.module("com.example.bad")
    let neighbour = try world.module("com.example.good")
    try neighbour.call(StorageMethods.value, StoreKey(store: nil, key: "k"), id: 5)
    try await send(fault, module, world)
    await module.faults.wait(count: 1)
    // Nothing of it is heard any more.
    try module.call(SecurityMethods.grants, Nothing(), id: 77)
    try neighbour.call(SecurityMethods.grants, Nothing(), id: 6)
    _ = try await neighbour.reply(to: SecurityMethods.grants, 6)
    #expect(!module.received.items.contains { $0.callID == 77 })
    gate.open()
    _ = try await neighbour.reply(to: StorageMethods.value, 5)
    #expect(neighbour.faults.items.isEmpty)
  }

  private func send(_ fault: Case, _ module: PipedModule, _ world: BrokerWorld) async throws {
    let grants: [UInt8] = [0xa2, 0, 11, 1, 1]
    switch fault {
    case .noID: try module.send(.call, callID: 0, head: grants, payload: [0xf6])
    case .idInUse:
      for _ in 0..<2 { try module.call(StorageMethods.value, StoreKey(store: nil, key: "k"), id: 3) }
    case .sourceInHead:
      try module.send(.call, callID: 1, head: [0xa3, 0, 11, 1, 1, 5, 0x61, 0x78], payload: [0xf6])
    case .headUnordered: try module.send(.call, callID: 1, head: [0xa2, 1, 1, 0, 11], payload: [0xf6])
    case .headTrailing: try module.send(.call, callID: 1, head: grants + [0], payload: [0xf6])
    case .badPayload: try module.send(.call, callID: 1, head: grants, payload: [0x01])
    case .trailingPayload: try module.send(.call, callID: 1, head: grants, payload: [0xf6, 0xf6])
    case .notDeterministic:
      try module.send(.call, callID: 1, head: [0xa2, 0, 0x18, 11, 1, 1], payload: [0xf6])
    case .replyUnknown: try module.send { try $0.appendReply(Nothing(), callID: 1) }
    case .replyTwice:
      let waiting = Task { @ReactorActor in
        _ = try await module.session.call(RuntimeMethods.health, Nothing())
      }
      let id = await module.frame(.call).callID
      try module.send {
        try $0.appendReply(Nothing(), callID: id)
        try $0.appendReply(Nothing(), callID: id)
      }
      try await waiting.value
    case .replyWithHead: try module.send(.reply, callID: 1, head: [0xa0], payload: [0xf6])
    case .cancelWithBody: try module.send(.cancel, callID: 1, payload: [0xf6])
    case .failureBadHead: try module.send(.failure, callID: 1, head: [0x81, 0x18, 99])
    case .pathWithoutVerb:
      try module.send(
        .call, callID: 1, head: [0xa3, 0, 10, 1, 1, 4, 0x61, 0x2f], payload: [0x83, 0x80, 0x80, 0x40])
    case .verbMissing:
      try module.send(.call, callID: 1, head: [0xa2, 0, 10, 1, 1], payload: [0x83, 0x80, 0x80, 0x40])
    case .deliver: try module.send(.deliver, head: [0xa1, 0, 0x61, 0x78], payload: [0xa0])
    case .dropped: try module.send(.dropped, head: [0xa1, 0, 1])
    case .publishReserved:
      try module.send(
        .publish, head: [0xa1, 0, 0x61, 0x78], payload: [0xa1, 0x6a] + Array("_forsetti.".utf8) + [0x60])
    case .publishNotMap: try module.send(.publish, head: [0xa1, 0, 0x61, 0x78], payload: [0x80])
    case .publishSource:
      try module.send(.publish, head: [0xa2, 0, 0x61, 0x78, 1, 0x61, 0x79], payload: [0xa0])
    }
  }

  @Test("is any call before the module is started")
  func tooEarly() async throws {
    let world = BrokerWorld()
    let module = try world.module("com.example.a", isActive: false)
    try module.call(SecurityMethods.grants, Nothing(), id: 1)
    await module.faults.wait(count: 1)
  }
}

/// The shortest encoding of a small number.
func cbor(_ number: UInt8) -> [UInt8] { number < 24 ? [number] : [0x18, number] }

/// Storage that answers with what it was asked.
private struct EchoStorage: StorageService {
  let owner: String

  func set(_ value: String, forKey key: String, in store: String?) async throws(ServiceError) {}
  func value(forKey key: String, in store: String?) async throws(ServiceError) -> String? {
    if key == "missing" { throw .notFound(key) }
    return owner + "/" + key
  }
  func removeValue(forKey key: String, in store: String?) async throws(ServiceError) {}
  func keys(
    prefix: String, after cursor: String?, in store: String?
  ) async throws(ServiceError) -> [String] { [] }
}

/// Storage that answers when the test lets it.
struct GatedStorage: StorageService {
  let gate: Gate

  func set(_ value: String, forKey key: String, in store: String?) async throws(ServiceError) {}
  func value(forKey key: String, in store: String?) async throws(ServiceError) -> String? {
    await gate.wait()
    return key
  }
  func removeValue(forKey key: String, in store: String?) async throws(ServiceError) {}
  func keys(
    prefix: String, after cursor: String?, in store: String?
  ) async throws(ServiceError) -> [String] { [] }
}
