import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

/// What modules notice when a new process takes the place of another.
@ReactorActor @Suite("A change of the rules with modules running", .timeLimit(.minutes(1)))
struct BrokerTransitionTests {
  private static let id = "com.example.api"
  private static let policy = Policy(roles: [.api: .module(id)])

  private func world(clock: any RuntimeClock = ReactorClock.shared) -> BrokerWorld {
    let world = BrokerWorld(policy: Self.policy, clock: clock)
    world.discover([Self.provider])
    return world
  }

  private static let provider = manifest(id, capabilities: [.api], role: .api)

  private func prepare(_ world: BrokerWorld, _ policy: Policy = policy) {
    world.broker.prepare(
      policy: policy,
      providers: ProviderDirectory(roles: policy.roles, manifests: [Self.provider]) { _ in true })
  }

  private func answer(_ module: PipedModule, _ call: PipedModule.Received, _ status: Int) throws {
    try module.send { try $0.appendReply(APIResponse(status: status, body: []), callID: call.callID) }
  }

  @Test("a call under way is answered by the old process, a later one by the new one; none is lost")
  func calls() async throws {
    let world = world()
    let old = try world.module(Self.id)
    let caller = try world.module("com.example.caller")
    try caller.call(APIMethods.request, APIRequest(path: "/a"), id: 1)
    let first = await old.frame(.call)
    prepare(world)
    let new = try world.module(Self.id)
    // Not in its place yet.
    try caller.call(APIMethods.request, APIRequest(path: "/b"), id: 2)
    let second = await old.frame(.call, 2)
    let session = try #require(world.broker.carryOut()[Self.id])
    try caller.call(APIMethods.request, APIRequest(path: "/c"), id: 3)
    let third = await new.frame(.call)
    async let drained: Void = session.drained(within: .seconds(30))
    try answer(old, second, 202)
    try answer(old, first, 201)
    try answer(new, third, 203)
    for (id, status) in [(1, 201), (2, 202), (3, 203)] as [(UInt64, Int)] {
      #expect(try await caller.reply(to: APIMethods.request, id).status == status)
    }
    await drained
  }

  @Test("a process that answers nothing is waited for as long as the patience is, and no longer")
  func patience() async throws {
    let clock = FakeClock()
    let world = world(clock: clock)
    let old = try world.module(Self.id)
    let caller = try world.module("com.example.caller")
    try caller.call(APIMethods.request, APIRequest(path: "/a"), id: 1, timeout: 60_000)
    _ = await old.frame(.call)
    prepare(world)
    _ = try world.module(Self.id)
    let session = try #require(world.broker.carryOut()[Self.id])
    let pending = clock.pending
    async let drained: Void = session.drained(within: .seconds(5))
    await clock.waitForPending(pending + 1)
    clock.advance(by: .seconds(5))
    await drained
    #expect(session.outgoing.count == 1)
  }

  @Test("each event reaches one of the two: the old one before the change, the new one after it")
  func events() async throws {
    let world = world()
    let old = try world.module(Self.id)
    let publisher = try world.module("com.example.api.publisher")
    try await old.subscribe("com.example.api.*")
    prepare(world)
    let new = try world.module(Self.id)
    try await new.subscribe("com.example.api.*")
    try publisher.publish("com.example.api.publisher.one")
    try await publisher.settle(1)
    _ = world.broker.carryOut()
    try publisher.publish("com.example.api.publisher.two")
    try await publisher.settle(2)
    let types = [await old.frame(.deliver), await new.frame(.deliver)].map {
      (try? EventHead($0.head.span, of: .deliver))?.type
    }
    #expect(types == ["com.example.api.publisher.one", "com.example.api.publisher.two"])
    #expect(old.frames(.deliver).count == 1 && new.frames(.deliver).count == 1)
  }

  @Test("a diagnostic report that the old process does not take is handed to the new one")
  func reports() async throws {
    let id = "com.example.diag"
    let policy = Policy(roles: [.diagnostics: .module(id)])
    let manifests = [manifest(id, capabilities: [.diagnostics], role: .diagnostics)]
    let world = BrokerWorld(policy: policy)
    world.discover(manifests)
    let old = try world.module(id)
    world.diagnostics.reportBootFailure("no disk")
    _ = await old.frame(.call)
    world.broker.prepare(
      policy: policy, providers: ProviderDirectory(roles: policy.roles, manifests: manifests) { _ in true })
    let new = try world.module(id)
    _ = world.broker.carryOut()
    old.end(.stopped)
    let call = await new.frame(.call)
    let report = try DiagnosticsMethods.emit.request(try CallHead(call.head.span), call.payload.span)
    #expect(report.message == "no disk")
    try new.send { try $0.appendReply(Nothing(), callID: call.callID) }
    while world.broker.handover != nil { await Task.yield() }
    #expect(world.diagnostics.count == 0)
  }

  @Test("rules of the old policy hold until the change, those of the new one after it, for everybody")
  func rules() async throws {
    let world = world()
    let (sender, receiver) = (try world.module("com.example.a"), try world.module("com.example.b"))
    let denying = Policy(messages: [
      MessageRule(from: try ModulePattern("*"), to: try ModulePattern("*"), allow: false)
    ])
    prepare(world, denying)
    let message = MessageRequest(target: "com.example.b", type: "com.example.a.x", payload: [:])
    try sender.call(RuntimeMethods.sendMessage, message, id: 1)
    _ = try await sender.reply(to: RuntimeMethods.sendMessage, 1)
    _ = world.broker.carryOut()
    try sender.call(RuntimeMethods.sendMessage, message, id: 2)
    guard case .moduleCommunicationDenied? = try await sender.failure(2) else {
      Issue.record("the old rules hold still")
      return
    }
    #expect(receiver.frames(.deliver).count == 1)
  }

  @Test("a transition that is called off leaves calls and events where they were")
  func calledOff() async throws {
    let world = world()
    let old = try world.module(Self.id)
    prepare(world)
    let new = try world.module(Self.id)
    world.broker.callOff()
    new.end(.stopped)
    let caller = try world.module("com.example.caller")
    try caller.call(APIMethods.request, APIRequest(path: "/a"), id: 1)
    try answer(old, await old.frame(.call), 200)
    #expect(try await caller.reply(to: APIMethods.request, 1).status == 200)
    #expect(world.broker.carryOut().isEmpty)
  }
}
