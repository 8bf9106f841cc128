import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

/// Calls that a person makes to the modules that provide roles.
@ReactorActor @Suite("Calls of an operator", .timeLimit(.minutes(1)))
struct OperatorCallTests {
  private static let id = "com.example.api"

  private func manager(_ world: BrokerWorld) -> ModuleManager {
    let scripted = ScriptedWorld()
    let manager = ModuleManager(
      catalog: ForsettiModuleCatalog(
        [manifest(Self.id, capabilities: [.api], role: .api)].map {
          LoadedManifest(manifest: $0, path: "/m.json", sha256: "00")
        }), desired: ActivationState(),
      environment: ModuleManager.Environment(
        policy: world.broker.rules.policy, store: scripted.store, entitlements: scripted.entitlements,
        launcher: scripted, surface: scripted.surface, broker: world.broker, logger: world.logger,
        clock: world.clock, wallClock: { 7 }))
    return manager
  }

  private static func policy(traces: TracePolicy? = nil) throws -> Policy {
    Policy(
      roles: [.api: .module(id)], rules: [PolicyRule(try ModulePattern(id), grant: [.api])], traces: traces)
  }

  @Test("reach the module that provides the role, in the operator's name, and bring its answer")
  func reached() async throws {
    let world = BrokerWorld(policy: try Self.policy())
    let manager = manager(world)
    let provider = try world.module(Self.id)
    async let answer = manager.call(
      APIMethods.request, APIRequest(path: "/v1/x"), inTheNameOf: "operator:7")
    let call = await provider.frame(.call)
    let head = try CallHead(call.head.span)
    #expect(head.source == "operator:7" && head.route == CallRoute(verb: "GET", path: "/v1/x"))
    try provider.send { try $0.appendReply(APIResponse(status: 204, body: []), callID: call.callID) }
    #expect(try await answer.status == 204)
  }

  @Test(
    "are told of to a collector of traces, in the person's name; what the provider does for them are children"
  )
  func traced() async throws {
    let sink = KeptSpans()
    var services = ForsettiServiceContainer()
    services.spanSink = sink
    let world = BrokerWorld(
      policy: try Self.policy(traces: TracePolicy(url: "http://a.test", rate: 1)), services: services)
    let manager = manager(world)
    let provider = try world.module(Self.id)
    async let answer = manager.call(
      APIMethods.request, APIRequest(path: "/v1/x"), inTheNameOf: "operator:7")
    let call = await provider.frame(.call)
    let trace = try CallHead(call.head.span).trace
    try provider.send { try $0.appendFailure(.notFound("x"), callID: call.callID) }
    _ = try? await answer
    await world.broker.tracer?.finish()
    let span = try #require(sink.spans.first)
    #expect(span.moduleID == "operator:7" && span.provider == Self.id && span.service == .api)
    #expect(span.method == "api.request" && span.outcome == "failed" && span.parent == nil)
    #expect(span.context == trace)
  }

  @Test(
    "reach nothing that the host provides, no provider that is not active, and no service that is no role")
  func refused() async throws {
    let world = BrokerWorld(policy: try Self.policy())
    let manager = manager(world)
    for (why, error) in [
      (
        "inactive",
        await failure { try await manager.call(APIMethods.request, APIRequest(path: "/"), inTheNameOf: "o") }
      ),
      (
        "the host's",
        await failure {
          try await manager.call(AuthenticationMethods.identity, Nothing(), inTheNameOf: "o")
        }
      ),
      (
        "a module's own",
        await failure {
          try await manager.call(StorageMethods.value, StoreKey(store: nil, key: "k"), inTheNameOf: "o")
        }
      ),
    ] {
      guard case .serviceUnavailable? = error else {
        Issue.record("\(why): \(error.map { "\($0)" } ?? "it was answered")")
        continue
      }
    }
  }

  private func failure<Answer>(_ body: () async throws -> Answer) async -> ServiceError? {
    do {
      _ = try await body()
      return nil
    } catch { return error as? ServiceError }
  }
}
