import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

@ReactorActor @Suite("Calls to a provider module", .timeLimit(.minutes(1)))
struct BrokerProviderTests {
  private static let provider = manifest("com.example.api", capabilities: [.api], role: .api)

  private func world(clock: any RuntimeClock = ReactorClock.shared, openCalls: Int = 4096) -> BrokerWorld {
    let world = BrokerWorld(
      policy: Policy(roles: [.api: .module("com.example.api")]), clock: clock, openCalls: openCalls)
    world.discover([Self.provider])
    return world
  }

  private func request(_ path: String = "/v1/x") -> APIRequest {
    APIRequest(path: path, query: [HTTPField("q", "1")], headers: [], body: [1, 2, 3])
  }

  @Test("arrive with their source, their path in one form, and their payload as it was; so does the answer")
  func roundTrip() async throws {
    let world = world()
    let provider = try world.module("com.example.api")
    let caller = try world.module("com.example.caller")
    try caller.call(APIMethods.request, request("/v1/%7ex"), id: 17, timeout: 65_432)
    let call = await provider.frame(.call)
    #expect(call.timeout == 65_432)
    let head = try CallHead(call.head.span)
    #expect(head.source == "com.example.caller")
    #expect(head.route == CallRoute(verb: "GET", path: "/v1/~x"))
    let arrived = try APIMethods.request.request(head, call.payload.span)
    #expect(arrived == request("/v1/~x"))
    let response = APIResponse(status: 201, body: [9])
    try provider.send { try $0.appendReply(response, callID: call.callID) }
    #expect(try await caller.reply(to: APIMethods.request, 17) == response)
  }

  @Test("keep callers apart that use the same ids")
  func sameIDs() async throws {
    let world = world()
    let provider = try world.module("com.example.api")
    let callers = try (0..<3).map { try world.module("com.example.caller\($0)") }
    for caller in callers { try caller.call(APIMethods.request, request(), id: 1) }
    for number in 1...3 {
      let call = await provider.frame(.call, number)
      let head = try CallHead(call.head.span)
      let source = try #require(head.source)
      try provider.send {
        try $0.appendReply(APIResponse(status: 200, body: Array(source.utf8)), callID: call.callID)
      }
    }
    for caller in callers {
      let response = try await caller.reply(to: APIMethods.request, 1)
      #expect(response.body == Array(caller.session.moduleID.utf8))
    }
  }

  @Test("bring an error back as the same case")
  func error() async throws {
    let world = world()
    let provider = try world.module("com.example.api")
    let caller = try world.module("com.example.caller")
    try caller.call(APIMethods.request, request(), id: 1)
    let call = await provider.frame(.call)
    try provider.send { try $0.appendFailure(.notFound("x"), callID: call.callID) }
    #expect(try await caller.failure(1) == .notFound("x"))
  }

  @Test(
    "are refused with a path that could be read as another",
    arguments: ["/a/../b", "//a", "/a%2f..%2fb", "a", "/%2e%2e"])
  func path(path: String) async throws {
    let world = world()
    let provider = try world.module("com.example.api")
    let caller = try world.module("com.example.caller")
    try caller.call(APIMethods.request, request(path), id: 1)
    guard case .invalidArgument("path", _) = try await caller.failure(1) else {
      Issue.record("\(path) went through")
      return
    }
    #expect(provider.received.items.isEmpty)
  }

  @Test(
    "are limited by the policy to methods and paths",
    arguments: [
      ("GET", "/v1/devices", true), ("GET", "/v1/devices/3", true), ("GET", "/v1/devicesearch", false),
      ("POST", "/v1/devices", false), ("POST", "/v1/orders/", true), ("GET", "/", false),
      ("GET", "/v1/%64evices", true),
    ])
  func limited(verb: String, path: String, isAllowed: Bool) async throws {
    let rules = APIRules(allow: [
      APITarget(paths: ["/v1/devices"], methods: [.get]), APITarget(paths: ["/v1/orders"]),
    ])
    let world = BrokerWorld(
      policy: Policy(
        roles: [.api: .module("com.example.api")],
        rules: [PolicyRule(try ModulePattern("com.example.caller"), api: rules)]))
    world.discover([Self.provider])
    let provider = try world.module("com.example.api")
    let caller = try world.module("com.example.caller")
    try caller.call(APIMethods.request, APIRequest(method: verb, path: path), id: 1)
    if isAllowed {
      _ = await provider.frame(.call)
    } else {
      #expect(try await caller.failure(1) == .serviceDenied(.policy, detail: "api.request"))
    }
  }

  @Test("need an entry that covers the verb")
  func verb() async throws {
    let world = world()
    let provider = try world.module("com.example.api")
    let caller = try world.module("com.example.caller", io: [(.api, .read)])
    var post = request()
    post.method = "POST"
    try caller.call(APIMethods.request, post, id: 1)
    #expect(try await caller.failure(1) == .serviceDenied(.access, detail: "api.request"))
    try caller.call(APIMethods.request, request(), id: 2)
    _ = await provider.frame(.call)
  }

  @Test("all end at once when the provider crashes, and at its stop")
  func providerEnds() async throws {
    for (reason, isCrash) in [(ExitReason.crashed(signal: 11), true), (.stopped, false)] {
      let world = world()
      let provider = try world.module("com.example.api")
      let caller = try world.module("com.example.caller")
      for id in 1...5 { try caller.call(APIMethods.request, request(), id: UInt64(id)) }
      _ = await provider.frame(.call, 5)
      provider.end(reason)
      for id in 1...5 {
        switch try await caller.failure(UInt64(id)) {
        case .moduleCrashed("com.example.api"): #expect(isCrash)
        case .serviceUnavailable("com.example.api", _): #expect(!isCrash)
        case let other: Issue.record("\(String(describing: other))")
        }
      }
      #expect(caller.session.incoming.isEmpty)
    }
  }

  @Test("find nobody while the provider is not active, and its next process when there is one")
  func restart() async throws {
    let world = world()
    let caller = try world.module("com.example.caller")
    func expectUnavailable(_ id: UInt64) async throws {
      try caller.call(APIMethods.request, request(), id: id)
      guard case .serviceUnavailable("api", _) = try await caller.failure(id) else {
        Issue.record("somebody answered call \(id)")
        return
      }
    }
    try await expectUnavailable(1)
    let first = try world.module("com.example.api")
    try caller.call(APIMethods.request, request(), id: 2)
    _ = await first.frame(.call)
    first.end()
    try await expectUnavailable(3)
    let second = try world.module("com.example.api")
    try caller.call(APIMethods.request, request(), id: 4)
    let call = await second.frame(.call)
    try second.send { try $0.appendReply(APIResponse(status: 200), callID: call.callID) }
    _ = try await caller.reply(to: APIMethods.request, 4)
    second.session.willStop()
    try await expectUnavailable(5)
  }

  @Test("are taken back from the provider when the caller cancels, ends, or runs out of time")
  func takenBack() async throws {
    let clock = FakeClock()
    let world = world(clock: clock)
    let provider = try world.module("com.example.api")
    let (canceller, leaver, sleeper) = (
      try world.module("com.example.canceller"), try world.module("com.example.leaver"),
      try world.module("com.example.sleeper")
    )
    for (number, caller) in [canceller, leaver, sleeper].enumerated() {
      try caller.call(APIMethods.request, request(), id: 1, timeout: 500)
      _ = await provider.frame(.call, number + 1)
    }
    try canceller.send { try $0.appendCancel(callID: 1) }
    _ = await provider.frame(.cancel, 1)
    leaver.end()
    _ = await provider.frame(.cancel, 2)
    clock.advance(by: .milliseconds(501))
    #expect(try await sleeper.failure(1) == .deadlineExceeded)
    _ = await provider.frame(.cancel, 3)
    #expect(Set(provider.frames(.cancel).map(\.callID)) == Set(provider.frames(.call).map(\.callID)))
    // Late answers are dropped and counted; a second one to the same call is not late but wrong.
    for call in provider.frames(.call) {
      try provider.send { try $0.appendReply(APIResponse(status: 200), callID: call.callID) }
    }
    try await provider.settle()
    #expect(provider.session.lateAnswers == 3)
    #expect(canceller.received.items.isEmpty)
    #expect(provider.faults.items.isEmpty)
    let id = provider.frames(.call)[0].callID
    try provider.send { try $0.appendReply(APIResponse(status: 200), callID: id) }
    await provider.faults.wait(count: 1)
  }

  @Test("are bounded for each provider")
  func bounded() async throws {
    let world = world(openCalls: 3)
    let provider = try world.module("com.example.api")
    let callers = try (0..<2).map { try world.module("com.example.caller\($0)") }
    for id in 1...2 { try callers[0].call(APIMethods.request, request(), id: UInt64(id)) }
    _ = await provider.frame(.call, 2)
    for id in 1...2 { try callers[1].call(APIMethods.request, request(), id: UInt64(id)) }
    guard case .serviceUnavailable = try await callers[1].failure(2) else {
      Issue.record("a fourth call is open")
      return
    }
  }

  @Test("leave a provider's false answer with the provider, and tell the caller that it is gone")
  func falseAnswer() async throws {
    let world = world()
    let provider = try world.module("com.example.api")
    let caller = try world.module("com.example.caller")
    try caller.call(APIMethods.request, request(), id: 1)
    let call = await provider.frame(.call)
    try provider.send(.reply, callID: call.callID, payload: [0x18, 0x01])
    await provider.faults.wait(count: 1)
    provider.end(.protocolError("x"))
    #expect(try await caller.failure(1) == .moduleCrashed(moduleID: "com.example.api"))
    #expect(caller.faults.items.isEmpty)
  }

  @Test("may come from the provider itself")
  func ownRole() async throws {
    let world = world()
    let provider = try world.module("com.example.api")
    try provider.call(APIMethods.request, request(), id: 1)
    let call = await provider.frame(.call)
    try provider.send { try $0.appendReply(APIResponse(status: 204), callID: call.callID) }
    #expect(try await provider.reply(to: APIMethods.request, 1).status == 204)
  }

  @Test("wait nowhere but in diagnostics, whose emit is kept and handed over")
  func diagnostics() async throws {
    let world = BrokerWorld(policy: Policy(roles: [.diagnostics: .module("com.example.diag")]))
    world.discover([manifest("com.example.diag", capabilities: [.diagnostics], role: .diagnostics)])
    let caller = try world.module("com.example.caller")
    world.diagnostics.reportBootFailure("no disk")
    let report = DiagnosticReport(source: "forged", category: "c", severity: .info, message: "m", time: 5)
    try caller.call(DiagnosticsMethods.emit, report, id: 1)
    _ = try await caller.reply(to: DiagnosticsMethods.emit, 1)
    try caller.call(DiagnosticsMethods.events, DiagnosticFilter(), id: 2)
    guard case .serviceUnavailable("diagnostics", _) = try await caller.failure(2) else {
      Issue.record("events are there")
      return
    }
    let provider = try world.module("com.example.diag")
    for (number, source) in ["forsetti.runtime", "com.example.caller"].enumerated() {
      let call = await provider.frame(.call, number + 1)
      let head = try CallHead(call.head.span)
      #expect(head.source == source)
      let handed = try DiagnosticsMethods.emit.request(head, call.payload.span)
      #expect(handed.source == source)
      try provider.send { try $0.appendReply(Nothing(), callID: call.callID) }
    }
    try caller.call(DiagnosticsMethods.emit, report, id: 3)
    let direct = await provider.frame(.call, 3)
    provider.end()
    #expect(try await caller.failure(3) == .moduleCrashed(moduleID: "com.example.diag"))
    let head = try CallHead(direct.head.span)
    #expect(head.source == "com.example.caller")
    #expect(world.diagnostics.count == 0)
  }
}

@ReactorActor @Suite("The supervisor's own calls", .timeLimit(.minutes(1)))
struct BrokerHostCallTests {
  @Test("render a view")
  func render() async throws {
    let world = BrokerWorld()
    let module = try world.module("com.example.ui")
    async let node = world.broker.call(
      RuntimeMethods.render, RenderRequest(viewID: "v", parameters: ["a": "b"]), moduleID: "com.example.ui")
    let call = await module.frame(.call)
    let request = try RuntimeMethods.render.request(try CallHead(call.head.span), call.payload.span)
    #expect(request == RenderRequest(viewID: "v", parameters: ["a": "b"]))
    try module.send { try $0.appendReply(ViewNode.text("hello"), callID: call.callID) }
    #expect(try await node == .text("hello"))
  }

  @Test("end in deadline, crash, cancellation, or in nobody")
  func ends() async throws {
    let clock = FakeClock()
    let world = BrokerWorld(clock: clock)
    let module = try world.module("com.example.ui")
    func health(_ milliseconds: UInt32) -> Task<ServiceError?, Never> {
      Task { @ReactorActor in
        do throws(ServiceError) {
          _ = try await world.broker.call(
            RuntimeMethods.health, Nothing(), moduleID: "com.example.ui", timeoutMilliseconds: milliseconds)
          return nil
        } catch { return error }
      }
    }
    let timed = health(100)
    _ = await module.frame(.call, 1)
    clock.advance(by: .milliseconds(101))
    #expect(await timed.value == .deadlineExceeded)
    let cancelled = health(1000)
    _ = await module.frame(.call, 2)
    cancelled.cancel()
    #expect(await cancelled.value == .cancelled)
    _ = await module.frame(.cancel, 2)
    let crashed = health(1000)
    _ = await module.frame(.call, 3)
    module.end()
    #expect(await crashed.value == .moduleCrashed(moduleID: "com.example.ui"))
    guard case .serviceUnavailable = await health(1000).value else {
      Issue.record("somebody is there")
      return
    }
  }

  @Test("take a false answer for a fault of the module")
  func falseAnswer() async throws {
    let world = BrokerWorld()
    let module = try world.module("com.example.ui")
    let call = Task { @ReactorActor in
      try await world.broker.call(
        RuntimeMethods.render, RenderRequest(viewID: "v"), moduleID: "com.example.ui")
    }
    let id = await module.frame(.call).callID
    try module.send { try $0.appendReply("no node", callID: id) }
    await #expect(throws: ServiceError.self) { try await call.value }
    await module.faults.wait(count: 1)
  }
}
