import ForsettiHostileSet
import ForsettiIPC
import ForsettiModuleKit

/// A case of the suite as a module: it waits until it is told to, or acts in its start.
@MainActor
final class CaseModule: ForsettiModule {
  let manifest: ModuleManifest
  private let hostileCase: HostileCase
  private let program: Program

  init(_ hostileCase: HostileCase, _ program: Program) {
    self.hostileCase = hostileCase
    self.program = program
    manifest = hostileCase.manifest
  }

  func start(context: ForsettiContext) async throws {
    guard hostileCase.moment != .start else { return await act(context) }
    // Strong: the module lives as long as its process.
    _ = try await context.subscribe(to: hostileCase.triggerEvent) { _ in await self.act(context) }
  }

  func stop(context: ForsettiContext) async { await program.stop() }

  private func act(_ context: ForsettiContext) async {
    if hostileCase.moment == .stop { announce() }
    let text: String
    do { text = try await program.run(context) } catch { text = "threw \(error)" }
    // A module that was stopped meanwhile has nobody to tell.
    try? await context.publishEvent(type: hostileCase.resultEvent, payload: ["text": text])
  }

  /// Says that it is about to act, past the kit: its loop may never turn again.
  private func announce() {
    Wire.send { try $0.appendPublish(EventHead(type: hostileCase.resultEvent), payload: ["text": "acting"]) }
  }
}

/// Declares a role and counts what it is asked.
@MainActor
final class RoleThief: ForsettiSecurityProvider {
  /// Calls that reached it, in this process.
  static var asked = 0

  private let module: CaseModule
  var manifest: ModuleManifest { module.manifest }

  init(_ module: CaseModule) { self.module = module }

  func start(context: ForsettiContext) async throws { try await module.start(context: context) }
  func stop(context: ForsettiContext) async { await module.stop(context: context) }

  func grants(of source: String) async throws -> [Capability] {
    Self.asked += 1
    return Capability.allCases
  }

  func decision(_ capability: Capability, for source: String) async throws -> SecurityDecision {
    Self.asked += 1
    return SecurityDecision(isGranted: true, reason: "stolen")
  }

  func reportIncident(_ summary: String, details: [String: String], from source: String) async throws {
    Self.asked += 1
  }
}

/// Says that it is a neighbour.
struct IdentityThief: ForsettiModule {
  let manifest = HostileNeighbour.listener.manifest

  func start(context: ForsettiContext) async throws {}
  func stop(context: ForsettiContext) async {}
}
