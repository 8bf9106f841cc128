import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

@ReactorActor @Suite("What is counted of a module", .timeLimit(.minutes(1)))
struct MeterTests {
  private static let request = APIRequest(path: "/v1/x")

  private func world(clock: any RuntimeClock = ReactorClock.shared) -> BrokerWorld {
    let world = BrokerWorld(
      policy: Policy(roles: [.api: .module("com.example.api")]), clock: clock)
    world.discover([manifest("com.example.api", capabilities: [.api], role: .api)])
    return world
  }

  private func counts(_ module: PipedModule) -> ModuleCounts { module.session.meter.counts }

  @Test("are the calls of both sides, by service and by what became of them")
  func calls() async throws {
    let world = world()
    let provider = try world.module("com.example.api")
    let caller = try world.module("com.example.caller", grants: [.api, .security])
    try caller.call(SecurityMethods.grants, Nothing(), id: 1)
    _ = await caller.answer(1)
    try caller.call(StorageMethods.value, StoreKey(store: nil, key: "k"), id: 2)
    #expect(try await caller.failure(2) == .serviceDenied(.notGranted, detail: "storage.value"))
    for id in 3...4 { try caller.call(APIMethods.request, Self.request, id: UInt64(id)) }
    let (good, bad) = (await provider.frame(.call, 1), await provider.frame(.call, 2))
    try provider.send {
      try $0.appendReply(APIResponse(status: 200), callID: good.callID)
      try $0.appendFailure(.notFound("x"), callID: bad.callID)
    }
    _ = await caller.answer(4)
    try caller.call(APIMethods.request, Self.request, id: 5)
    _ = await provider.frame(.call, 3)
    try caller.send(.cancel, callID: 5)
    try await caller.settle()
    try caller.call(APIMethods.request, Self.request, id: 6)
    _ = await provider.frame(.call, 4)
    provider.end()
    _ = await caller.answer(6)

    let made = counts(caller).made
    #expect(made[.security, .ok] == 1 && made[.storage, .denied] == 1)
    #expect(made[.api, .ok] == 1 && made[.api, .failed] == 1)
    #expect(made[.api, .cancelled] == 1 && made[.api, .crashed] == 1)
    // What `settle` asks for does not exist.
    #expect(made[nil, .failed] == 1)
    #expect(made.total == 7 && made.failures == 5)
    let rows = counts(provider).provided.rows
    #expect(Set(rows.map(\.result)) == [.ok, .failed, .cancelled, .crashed])
    #expect(rows.allSatisfy { $0.service == .api && $0.count == 1 })
    #expect(counts(provider).made.total == 0 && counts(caller).provided.total == 0)
  }

  @Test(
    "is how long a call took from turn to turn, whichever way it ended, and nothing of those done in one turn"
  )
  func latency() async throws {
    let clock = FakeClock()
    let world = world(clock: clock)
    let provider = try world.module("com.example.api")
    let caller = try world.module("com.example.caller")
    try caller.call(SecurityMethods.grants, Nothing(), id: 1)
    _ = await caller.answer(1)
    #expect(counts(caller).latency.count == 0)
    try caller.call(APIMethods.request, Self.request, id: 2)
    let call = await provider.frame(.call)
    clock.advance(by: .microseconds(900))
    try provider.send { try $0.appendReply(APIResponse(status: 200), callID: call.callID) }
    _ = await caller.answer(2)
    try caller.call(APIMethods.request, Self.request, id: 3, timeout: 50)
    _ = await provider.frame(.call, 2)
    clock.advance(by: .milliseconds(51))
    #expect(try await caller.failure(3) == .deadlineExceeded)

    let latency = counts(caller).latency
    #expect(latency[10] == 1, "512 to 1,024 µs")
    #expect(latency[16] == 1, "32.8 to 65.5 ms")
    #expect(latency.count == 2 && latency.sumNanoseconds == 50_900_000)
    #expect(counts(caller).made[.api, .deadline] == 1)
  }

  @Test("goes on with the module's next process")
  func nextProcess() async throws {
    let world = world()
    for count in 1...2 {
      let module = try world.module("com.example.caller")
      try module.call(SecurityMethods.grants, Nothing(), id: 1)
      _ = await module.answer(1)
      module.end()
      #expect(counts(module).made[.security, .ok] == UInt64(count))
    }
  }

  @Test("are events published, those that went to a pipe, and those that gave way, each once")
  func events() async throws {
    let world = BrokerWorld(policy: try BrokerEventTests.open())
    let sender = try world.module("com.example.sender")
    let slow = try world.module("com.example.slow")
    try await slow.subscribe("com.example.sender.*")
    slow.pause()
    let total = 3_000
    let text = String(repeating: "x", count: 4_000)
    for round in 0..<(total / 10) {
      for _ in 0..<10 { try sender.publish("com.example.sender.full", ["text": text]) }
      try await sender.settle(UInt64(1_000 + round))
    }
    let dropped = Int(counts(slow).eventsDropped)
    #expect(dropped > 0)
    slow.read()
    await slow.received.wait { $0.count { $0.kind == .deliver } == total - dropped }
    #expect(Int(counts(slow).eventsDelivered) == total - dropped)
    #expect(Int(counts(slow).eventsDropped) == dropped)
    #expect(Int(counts(sender).eventsPublished) == total)
  }

  @Test("are the bytes of its pipes")
  func bytes() async throws {
    let world = world()
    let module = try world.module("com.example.caller")
    try module.call(SecurityMethods.grants, Nothing(), id: 1)
    let answer = await module.answer(1)
    let size = UInt64(FrameHeader.size + answer.head.count + answer.payload.count)
    // The count follows the write, in the same turn.
    try await module.settle()
    #expect(counts(module).bytesTo > size)
    #expect(counts(module).bytesFrom > 2 * UInt64(FrameHeader.size))
  }

  @Test("are log lines within the rate, and those above it")
  func logLines() throws {
    let meter = ModuleMeter()
    let gate = OutputGate(limit: TokenBucket(perSecond: 2, burst: 3), clock: FakeClock(), meter: meter) { _ in
    }
    for _ in 0..<5 { gate.pass(LogMessage(level: .info, message: "x")) }
    #expect(meter.counts.logLines == 3 && meter.counts.logLinesDropped == 2)
  }
}

@Suite("Tables of counts") struct CountTableTests {
  @Test("every service and result has a place of its own")
  func places() {
    var counts = CallCounts()
    var expected: [CallCounts.Row] = []
    for (index, service) in ([nil] + ServiceName.allCases).enumerated() {
      for result in CallResult.allCases {
        let count = UInt64(index * 8 + result.index + 1)
        for _ in 0..<count { counts.add(service?.number ?? 0, result) }
        expected.append(CallCounts.Row(service: service, result: result, count: count))
      }
    }
    #expect(counts.rows == expected)
    #expect(counts.total == expected.reduce(0) { $0 + $1.count })
    #expect(counts.failures == expected.filter { $0.result != .ok }.reduce(0) { $0 + $1.count })
  }

  @Test("a number that is no service's counts as the runtime's own")
  func unknownService() {
    var counts = CallCounts()
    counts.add(200, .denied)
    #expect(counts[nil, .denied] == 1)
  }

  @Test(
    "a time lies in the first bucket whose bound it does not exceed",
    arguments: [
      (0, 0), (1_000, 0), (1_001, 1), (2_000, 1), (2_001, 2), (4_000, 2), (1_024_000, 10), (1_024_001, 11),
      (33_554_432_000, 25), (33_554_432_001, 26), (UInt64.max, 26),
    ] as [(UInt64, Int)])
  func bucket(nanoseconds: UInt64, bucket: Int) {
    #expect(LatencyBuckets.bucket(of: nanoseconds) == bucket)
    if bucket < LatencyBuckets.bounded {
      #expect(nanoseconds <= LatencyBuckets.bound(of: bucket) * 1000)
    }
  }
}
