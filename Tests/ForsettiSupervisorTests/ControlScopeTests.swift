import ForsettiCore
import ForsettiIPC
import ForsettiRuntime
import Glibc
import Testing

@testable import ForsettiSupervisor

/// Connections that may do less than their user may: the web console's.
@Suite("Scopes of the control socket", .timeLimit(.minutes(1)))
struct ControlScopeTests {
  /// What a client of the scope is told when it asks for something.
  private static func answer(_ client: RawClient, _ operation: String) throws -> ControlFailure.Code? {
    try client.call(operation, .map([]), id: 7)
    switch try client.next()?.message {
    case .failure(let failure): return failure.code
    default: return nil
    }
  }

  private static func check(_ client: RawClient) throws {
    for operation in ["accept", "reload", "shutdown", "call", "console"] {
      #expect(try answer(client, operation) == .denied, "\(operation)")
    }
    // A second hello makes it no wider.
    #expect(try answer(client, ControlHello.operation) == .unknownOperation)
    #expect(try answer(client, "health") == nil)
    // These come as far as to a boot that has not been.
    for operation in ["restart", "setSecret", "secrets"] {
      #expect(try answer(client, operation) == .failed, "\(operation)")
    }
    #expect(try answer(client, "accept") == .denied)
  }

  @Test("a client that says in its hello that it is a console may do what a console does, and no more")
  func said() async throws {
    let harness = try await ControlHarness()
    let client = try RawClient(harness.folder)
    try client.greet(.console)
    try Self.check(client)
    await harness.close()
  }

  @Test("a connection that is made for the console needs no hello, and has no more rights")
  func made() async throws {
    let harness = try await ControlHarness()
    let client = try await Self.connection(of: harness)
    try Self.check(client)
    #expect(await harness.server.count == 1)
    await harness.close()
  }

  @ReactorActor private static func connection(of harness: ControlHarness) throws
    -> sending RawClient
  {
    RawClient(try harness.server.connection(.console, for: getpid()))
  }

  @Test("connections of the console are counted apart: neither they nor its user's keep the other out")
  func bounded() async throws {
    var limits = ControlServer.Limits()
    limits.connectionsPerUser = 2
    let harness = try await ControlHarness(limits)
    let kept = try [await Self.connection(of: harness), await Self.connection(of: harness)]
    await #expect(throws: SystemError("connect", EAGAIN)) {
      _ = try await Self.connection(of: harness)
    }
    let own = [try RawClient(harness.folder), try RawClient(harness.folder)]
    for client in own { try client.greet() }
    let further = try RawClient(harness.folder)
    #expect(try further.failure()?.code == .busy)
    kept[0].close()
    while await harness.server.count > 3, !Task.isCancelled { await Task.yield() }
    let next = try await Self.connection(of: harness)
    for client in kept + own + [further, next] { client.close() }
    await harness.close()
  }

  @Test("a scope that the supervisor does not know is refused, and not taken for none")
  func unknown() async throws {
    let harness = try await ControlHarness()
    let client = try RawClient(harness.folder)
    var hello = ControlHello.Request(ControlLimits.versions)
    hello.scope = "everything"
    try client.call(ControlHello.operation, hello.control)
    #expect(try client.failure()?.code == .invalidRequest)
    await harness.close()
  }

  @Test("a scope names operations that there are, and of those that take trust the one for secrets")
  func operations() {
    for scope in ControlScope.allCases {
      #expect(scope.operations.isSubset(of: ControlOperations.byName.keys))
      let trusted = scope.operations.filter { ControlOperations.byName[$0]?.right == .trust }
      #expect(trusted == ["setSecret"])
    }
  }
}
