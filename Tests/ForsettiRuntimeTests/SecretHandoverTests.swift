import ForsettiCore
import ForsettiIPC
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

/// A secret on its way from a person to its module.
@ReactorActor @Suite("Handing over a secret", .timeLimit(.minutes(1)))
struct SecretHandoverTests {
  private static let secret = SecretDeclaration(
    secretID: "account", moduleID: "com.example.mail", title: "Account",
    fields: [
      .init(fieldID: "user", label: "User", kind: .text),
      .init(fieldID: "password", label: "Password", kind: .secret),
    ])
  private static let values = ["user": "me", "password": "sesame"]

  private let audit = RecordingAudit()
  private let world = BrokerWorld()

  private func manager() -> ModuleManager {
    let scripted = ScriptedWorld()
    var environment = ModuleManager.Environment(
      policy: world.broker.rules.policy, store: scripted.store, entitlements: scripted.entitlements,
      launcher: scripted, surface: scripted.surface, broker: world.broker, logger: world.logger,
      clock: world.clock, wallClock: { 7 })
    environment.auditLog = audit
    return ModuleManager(
      catalog: ForsettiModuleCatalog([]), desired: ActivationState(), environment: environment)
  }

  private func handOver(answering error: ServiceError?) async throws -> ServiceError? {
    let module = try world.module(Self.secret.moduleID)
    let manager = manager()
    async let outcome = failure {
      try await manager.hand(Self.secret, Self.values, inTheNameOf: "operator:7")
    }
    let call = await module.frame(.call)
    let head = try CallHead(call.head.span)
    #expect(
      try RuntimeMethods.receiveSecret.request(head, call.payload.span)
        == SecretRequest(secretID: "account", values: Self.values))
    try module.send { (queue) throws(MessageEncodingError) in
      if let error { return try queue.appendFailure(error, callID: call.callID) }
      try queue.appendReply(Nothing(), callID: call.callID)
    }
    return await outcome
  }

  @Test("reaches the module, and the audit log says who gave what to whom, and nothing of what it is")
  func accepted() async throws {
    #expect(try await handOver(answering: nil) == nil)
    #expect(
      audit.events == [
        AuditEvent(
          .entrusted, moduleID: "com.example.mail", actor: "operator:7",
          details: ["secret": "account", "outcome": "accepted"])
      ])
  }

  @Test(
    "that is refused brings the module's reason, without what the module repeats of it",
    arguments: [
      (
        ServiceError.failed(code: "sesame", message: "me, sesame: no"),
        ServiceError.failed(code: "•••", message: "me, •••: no"), "me, •••: no"
      ),
      (
        .invalidArgument(name: "password", reason: "sesame is short"),
        .invalidArgument(name: "password", reason: "••• is short"), "password: ••• is short"
      ),
    ])
  func refused(said: ServiceError, shown: ServiceError, reason: String) async throws {
    #expect(try await handOver(answering: said) == shown)
    #expect(
      audit.events.map(\.details) == [["secret": "account", "outcome": "refused", "reason": reason]])
  }

  @Test("for a module that is not active is refused, and that is kept too")
  func inactive() async throws {
    let manager = manager()
    guard
      case .serviceUnavailable? = await failure({
        try await manager.hand(Self.secret, Self.values, inTheNameOf: "operator:7")
      })
    else {
      Issue.record("somebody took it")
      return
    }
    #expect(audit.events.map { $0.details["outcome"] } == ["refused"])
  }

  private func failure(_ body: () async throws -> Void) async -> ServiceError? {
    do {
      try await body()
      return nil
    } catch { return error as? ServiceError }
  }
}
