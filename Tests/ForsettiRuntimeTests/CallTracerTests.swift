import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Synchronization
import Testing

@testable import ForsettiRuntime

/// Keeps what it is handed.
final class KeptSpans: SpanSink {
  private let kept = Mutex<[CallSpan]>([])
  var spans: [CallSpan] { kept.withLock { $0 } }
  let dropped: UInt64 = 0

  func take(_ spans: [CallSpan]) async { kept.withLock { $0 += spans } }
}

/// Takes nothing until it is let.
private actor StuckSink: SpanSink {
  private var waiter: CheckedContinuation<Void, Never>?
  private var isOpen = false
  private(set) var taken = 0
  var dropped: UInt64 { 3 }

  func take(_ spans: [CallSpan]) async {
    // On the way into the closure it may be let.
    await withCheckedContinuation { if isOpen { $0.resume() } else { waiter = $0 } }
    taken += spans.count
  }

  func open() {
    isOpen = true
    waiter?.resume()
  }
}

@ReactorActor @Suite("Spans of calls", .timeLimit(.minutes(1)))
struct CallTracerTests {
  private static let request = APIRequest(path: "/v1/x")
  private static let wall: UInt64 = 1_700_000_000_000_000_000

  private let sink = KeptSpans()
  private let clock = FakeClock()

  private func world(rate: Double = 1) -> BrokerWorld {
    var services = ForsettiServiceContainer()
    services.spanSink = sink
    let world = BrokerWorld(
      policy: Policy(
        roles: [.api: .module("com.example.api")], traces: TracePolicy(url: "http://a.test", rate: rate)),
      services: services, clock: clock)
    world.discover([manifest("com.example.api", capabilities: [.api], role: .api)])
    return world
  }

  private func call(_ module: PipedModule, id: UInt64, in trace: TraceContext?) throws {
    try module.send {
      try $0.appendCall(APIMethods.request, Self.request, callID: id, trace: trace)
    }
  }

  private func spans(_ world: BrokerWorld) async -> [CallSpan] {
    await world.broker.tracer?.finish()
    return sink.spans
  }

  @Test(
    "a call to a provider is a child of the caller's span, and what the provider does for it a child of the call"
  )
  func parents() async throws {
    let world = world()
    let provider = try world.module("com.example.api")
    let caller = try world.module("com.example.caller")
    let trace = try #require(TraceContext(traceHigh: 1, traceLow: 2, spanID: 3))
    try call(caller, id: 17, in: trace)
    let forwarded = await provider.frame(.call)
    let head = try CallHead(forwarded.head.span)
    clock.advance(by: .milliseconds(5))
    // As the kit does: what came with the call goes with those that it makes.
    try provider.send {
      try $0.appendCall(
        SecurityMethods.grants, Nothing(), callID: 1, trace: try CallHead(forwarded.head.span).trace)
    }
    try provider.send { try $0.appendReply(APIResponse(status: 200), callID: forwarded.callID) }
    _ = await caller.answer(17)
    let span = try #require(await spans(world).first { $0.service == .api })
    #expect(span.context.traceID == trace.traceID && span.parent == 3 && span.context.spanID != 3)
    #expect(head.trace == span.context)
    #expect(span.moduleID == "com.example.caller" && span.provider == "com.example.api")
    #expect(span.method == "api.request" && span.outcome == CallSpan.ok)
    #expect(span.begin == Self.wall && span.end == Self.wall + 5_000_000)
    let own = try #require(sink.spans.first { $0.service == .security })
    #expect(own.parent == span.context.spanID && own.provider == "host")
    #expect(own.context.traceID == trace.traceID)
  }

  @Test(
    "a call outside of any trace begins one, which goes on to the provider, told of or not",
    arguments: [0, 1])
  func begun(rate: Double) async throws {
    let world = world(rate: rate)
    let provider = try world.module("com.example.api")
    let caller = try world.module("com.example.caller")
    try call(caller, id: 1, in: nil)
    let forwarded = await provider.frame(.call)
    let context = try #require(try CallHead(forwarded.head.span).trace)
    #expect(context.isSampled == (rate == 1))
    try provider.send {
      try $0.appendCall(SecurityMethods.grants, Nothing(), callID: 1, trace: context)
    }
    try provider.send { try $0.appendReply(APIResponse(status: 200), callID: forwarded.callID) }
    _ = await caller.answer(1)
    let spans = await spans(world)
    #expect(spans.count == (rate == 1 ? 2 : 0))
    #expect(spans.allSatisfy { $0.context.traceID == context.traceID })
    #expect(spans.first { $0.service == .api }?.parent == nil)
  }

  @Test(
    "a call in a trace that is not told of stays in it, has no span and begins no other trace",
    arguments: [(flags: 0, rate: 1), (flags: 1, rate: 0)] as [(flags: UInt8, rate: Double)])
  func untold(flags: UInt8, rate: Double) async throws {
    let world = world(rate: rate)
    let provider = try world.module("com.example.api")
    let caller = try world.module("com.example.caller")
    let trace = try #require(TraceContext(traceHigh: 1, traceLow: 2, spanID: 3, flags: flags))
    try call(caller, id: 1, in: trace)
    let forwarded = await provider.frame(.call)
    #expect(try CallHead(forwarded.head.span).trace == trace)
    try provider.send { try $0.appendReply(APIResponse(status: 200), callID: forwarded.callID) }
    _ = await caller.answer(1)
    #expect(await spans(world).isEmpty)
    #expect(await world.broker.tracer?.figures() == SpanCounts())
  }

  @Test("a call has one span, whichever way it ends")
  func outcomes() async throws {
    let world = world()
    let provider = try world.module("com.example.api")
    let caller = try world.module("com.example.caller", grants: [.api])
    try caller.call(StorageMethods.value, StoreKey(store: nil, key: "k"), id: 1)
    try call(caller, id: 2, in: nil)
    let failing = await provider.frame(.call)
    try provider.send { try $0.appendFailure(.notFound("x"), callID: failing.callID) }
    _ = await caller.answer(2)
    try call(caller, id: 3, in: nil)
    _ = await provider.frame(.call, 2)
    try caller.send(.cancel, callID: 3)
    try call(caller, id: 4, in: nil)
    _ = await provider.frame(.call, 3)
    provider.end()
    _ = await caller.answer(4)
    try call(caller, id: 5, in: nil)
    _ = await caller.answer(5)
    let outcomes = await spans(world).map { "\($0.method) \($0.outcome)" }
    #expect(
      outcomes == [
        "storage.value denied", "api.request failed", "api.request cancelled", "api.request crashed",
        "api.request unavailable",
      ])
    #expect(await world.broker.tracer?.figures().ended == 5)
  }

  @Test("calls of a module that ends are told as cancelled")
  func callerEnds() async throws {
    let world = world()
    let provider = try world.module("com.example.api")
    let caller = try world.module("com.example.caller")
    try call(caller, id: 1, in: nil)
    _ = await provider.frame(.call)
    caller.end()
    #expect(await spans(world).map(\.outcome) == ["cancelled"])
  }

  @Test("of all traces the policy's share is told, each whole; a context that says not sampled is not")
  func sampling() throws {
    let tracer = CallTracer(rate: 0.25, sink: sink, clock: clock) { 0 }
    let traces = try (1...10_000).map {
      try #require(TraceContext(traceHigh: $0, traceLow: 7, spanID: 1))
    }
    let told = traces.map { tracer.span(in: $0) != nil }
    // Ten standard deviations to either side.
    #expect((2_067...2_933).contains(told.count { $0 }))
    #expect(zip(traces, told).allSatisfy { (tracer.span(in: $0) != nil) == $1 })
    let all = CallTracer(rate: 1, sink: sink, clock: clock) { 0 }
    #expect(traces.allSatisfy { all.span(in: $0) != nil } && all.root()?.isSampled == true)
    let unsampled = try #require(TraceContext(traceHigh: 1, traceLow: 1, spanID: 1, flags: 0))
    #expect(all.span(in: unsampled) == nil)
    let none = CallTracer(rate: .nan, sink: sink, clock: clock) { 0 }
    #expect(traces.allSatisfy { none.span(in: $0) == nil } && none.root()?.isSampled == false)
    let roots = (1...10_000).count { _ in tracer.root()?.isSampled == true }
    #expect((2_067...2_933).contains(roots))
  }

  @Test("a collector that takes nothing holds up no call; what has no room is counted")
  func bounded() async throws {
    let stuck = StuckSink()
    let tracer = CallTracer(rate: 1, sink: stuck, clock: clock) { 0 }
    let span = CallSpan(
      context: try #require(tracer.root()), parent: nil, method: "m", service: .storage, moduleID: "a.b",
      provider: nil,
      outcome: CallSpan.ok, begin: 0, end: 0)
    for _ in 0..<5_000 { tracer.add(span) }
    #expect(await tracer.figures().ended == 5_000)
    // Before the reactor's turn ends nothing is handed over, so that one list of them is kept.
    #expect(await tracer.figures().dropped == 5_000 - 2_048 + 3)
    await stuck.open()
    await tracer.finish()
    #expect(await stuck.taken == 2_048)
  }

  @Test("spans follow a wall clock that is set, and are as long as the calls were")
  func wallClock() {
    let wall = Mutex<Int64>(1_000)
    let tracer = CallTracer(rate: 1, sink: sink, clock: clock) { wall.withLock { $0 } }
    #expect(tracer.wallTime(of: clock.now) == 1_000_000_000)
    clock.advance(by: .nanoseconds(700_000))
    #expect(tracer.wallTime(of: clock.now) == 1_000_700_000)
    wall.withLock { $0 = 60_000 }
    #expect(tracer.wallTime(of: clock.now) == 60_000_000_000)
  }

  @Test("without a collector nothing is made for it")
  func off() throws {
    let world = BrokerWorld()
    #expect(world.broker.tracer == nil)
    #expect(try world.module("com.example.caller").session.spans == nil)
  }
}
