import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

/// Modules in real, locked processes on the kit, with the broker between them.
@ReactorActor @Suite("Brokered module processes", .timeLimit(.minutes(2)))
struct BrokerProcessTests {
  /// A process of the tests' own module host.
  private func process(
    _ world: BrokerWorld, _ id: String, _ entryPoint: String, output: Log<ModuleOutput> = Log()
  ) async throws -> ModuleProcess {
    var registered = manifest(id, capabilities: Capability.allCases)
    registered.schemaVersion = "1.0"
    registered.manifestTemplateVersion = "1.0"
    let session = world.broker.makeSession(
      manifest: registered, origin: .builtIn, grants: Capability.allCases)
    let spec = try spec(host: try builtProgram("forsetti-kit-probe")) {
      $0.moduleID = id
      $0.entryPoint = entryPoint
    }
    let process = ModuleProcess(
      spec, handlers: ModuleProcess.Handlers(output: { output.add($0) }), session: session)
    _ = try await process.launch()
    try await process.start(grants: Capability.allCases)
    return process
  }

  private func echoWorld() -> BrokerWorld {
    let world = BrokerWorld(policy: Policy(roles: [.api: .module("com.example.echo")]))
    world.discover([manifest("com.example.echo", capabilities: [.api], role: .api)])
    return world
  }

  @Test("provide a role: the request, its source and the answer cross both pipes")
  func provider() async throws {
    let world = echoWorld()
    let echo = try await process(world, "com.example.echo", "Echo")
    let caller = try world.module("com.example.caller")
    try caller.call(
      APIMethods.request, APIRequest(method: "POST", path: "/echo", body: [1, 2, 3]), id: 1)
    let response = try await caller.reply(to: APIMethods.request, 1)
    #expect(response.body == [1, 2, 3])
    #expect(response.headers.contains(HTTPField("source", "com.example.caller")))
    #expect(response.headers.contains(HTTPField("verb", "POST")))
    try caller.call(APIMethods.request, APIRequest(path: "/refuse"), id: 2)
    #expect(try await caller.failure(2) == .rateLimited(retryAfterMilliseconds: 7))
    let exit = await echo.stop()
    #expect(exit.reason == .stopped)
  }

  @Test("that are killed take their open calls with them at once, and nobody else's")
  func killed() async throws {
    let world = echoWorld()
    let echo = try await process(world, "com.example.echo", "Echo")
    let caller = try world.module("com.example.caller")
    for id in 1...20 { try caller.call(APIMethods.request, APIRequest(path: "/wait"), id: UInt64(id)) }
    try caller.call(APIMethods.request, APIRequest(path: "/echo"), id: 21)
    _ = try await caller.reply(to: APIMethods.request, 21)
    echo.kill()
    for id in 1...20 {
      #expect(
        try await caller.failure(UInt64(id)) == .moduleCrashed(moduleID: "com.example.echo"))
    }
    try caller.call(SecurityMethods.grants, Nothing(), id: 22)
    _ = try await caller.reply(to: SecurityMethods.grants, 22)
    _ = await echo.exit()
  }

  @Test("that answer what nobody asked end by it, with the reason kept")
  func falseAnswer() async throws {
    let world = echoWorld()
    let child = try ScriptedChild(
      ScriptedChild.describing(description) + [
        .awaitFrame, .send(.started), .sendBytes(try answerToNothing()), .awaitEnd,
      ])
    let session = world.broker.makeSession(
      manifest: description.manifest, origin: .builtIn, grants: Capability.allCases)
    let process = ModuleProcess(try spec(host: child.path), session: session)
    _ = try await process.launch()
    try await process.start(grants: [])
    guard case .protocolError(let reason) = await process.exit().reason else {
      Issue.record("it may answer what nobody asked")
      return
    }
    #expect(reason.contains("is not open"))
  }

  private func answerToNothing() throws -> [UInt8] {
    var queue = OutboundQueue()
    try queue.appendReply(Nothing(), callID: 77)
    return queue.withPendingBytes { Array($0) }
  }

  @Test("cancel what the caller takes back")
  func cancelled() async throws {
    let world = echoWorld()
    let output = Log<ModuleOutput>()
    let echo = try await process(world, "com.example.echo", "Echo", output: output)
    let caller = try world.module("com.example.caller")
    try caller.call(APIMethods.request, APIRequest(path: "/wait"), id: 1)
    try caller.call(APIMethods.request, APIRequest(path: "/echo"), id: 2)
    _ = try await caller.reply(to: APIMethods.request, 2)
    try caller.send { try $0.appendCancel(callID: 1) }
    await output.wait {
      $0.contains { if case .record(let record) = $0 { record.message == "cancelled" } else { false } }
    }
    _ = await echo.stop()
  }

  @Test("draw views, and answer for their health")
  func render() async throws {
    let world = echoWorld()
    let echo = try await process(world, "com.example.echo", "Echo")
    let node = try await world.broker.call(
      RuntimeMethods.render, RenderRequest(viewID: "main", parameters: ["title": "<b>"]),
      moduleID: "com.example.echo")
    guard case .list(let nodes, _) = node else {
      Issue.record("no list")
      return
    }
    #expect(nodes.first == .text("<b>", style: .title))
    await #expect(throws: ServiceError.notFound("other")) {
      try await world.broker.call(
        RuntimeMethods.render, RenderRequest(viewID: "other"), moduleID: "com.example.echo")
    }
    _ = try await world.broker.call(RuntimeMethods.health, Nothing(), moduleID: "com.example.echo")
    _ = await echo.stop()
  }

  @Test("hear messages, call the host's services, and log what came of it")
  func consumer() async throws {
    var services = ForsettiServiceContainer()
    let values = Log<String>()
    services.answer(StorageMethods.set) { (request, _) throws(ServiceError) in
      values.add(request.value)
      return Nothing()
    }
    let world = BrokerWorld(services: services)
    let output = Log<ModuleOutput>()
    let consumer = try await process(world, "com.example.consumer", "Consumer", output: output)
    let driver = try world.module("com.example.driver")
    let payload = ["count": "1000", "lanes": "8", "value": "x"]
    try driver.call(
      RuntimeMethods.sendMessage,
      MessageRequest(target: "com.example.consumer", type: "ping", payload: payload), id: 1)
    _ = try await driver.reply(to: RuntimeMethods.sendMessage, 1)
    await values.wait(count: 1000)
    await output.wait {
      $0.contains { if case .record(let record) = $0 { Int(record.message) != nil } else { false } }
    }
    let exit = await consumer.stop()
    #expect(exit.reason == .stopped)
  }
}
