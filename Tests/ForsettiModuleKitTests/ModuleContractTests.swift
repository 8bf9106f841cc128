import ForsettiCore
import ForsettiModuleKit
import Testing

/// Registry, context and base class, without a process.
@MainActor @Suite struct ModuleContractTests {
  @MainActor
  private final class Fussy: ForsettiLifecycleModule {
    var calls: [String] = []
    var fails = true

    init() {
      super.init(
        manifest: ModuleManifest(
          moduleID: "com.example.fussy", displayName: "Fussy",
          moduleVersion: SemVer(major: 1, minor: 0, patch: 0), moduleType: .service,
          supportedPlatforms: [.linux], minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0),
          capabilitiesRequested: [], entryPoint: "Fussy"))
    }

    override func activate(context: ForsettiContext) async throws {
      calls.append("activate")
      if fails { throw ModuleRegistryError.entryPointNotRegistered("x") }
    }

    override func deactivate(context: ForsettiContext) async { calls.append("deactivate") }
  }

  @Test("a second factory for an entry point is refused unless it says that it replaces")
  func duplicateEntryPoint() throws {
    let registry = ModuleRegistry()
    var made = ""
    try registry.register(entryPoint: "b") {
      made = "first"
      return Fussy()
    }
    #expect(throws: ModuleRegistryError.duplicateEntryPoint("b")) {
      try registry.register(entryPoint: "b") { Fussy() }
    }
    _ = try registry.makeModule(entryPoint: "b")
    #expect(made == "first")
    try registry.register(entryPoint: "b", replacingExisting: true) {
      made = "second"
      return Fussy()
    }
    _ = try registry.makeModule(entryPoint: "b")
    #expect(made == "second")
    try registry.register(entryPoint: "B") { Fussy() }
    #expect(registry.registeredEntryPoints == ["B", "b"])
  }

  @Test("an entry point without a factory is named") func unknownEntryPoint() {
    #expect(throws: ModuleRegistryError.entryPointNotRegistered("x")) {
      try ModuleRegistry().makeModule(entryPoint: "x")
    }
  }

  @Test("a start that fails undoes what it began, and can be tried again") func failedStart() async throws {
    let module = Fussy()
    let outlet = RecordingOutlet()
    let context = ForsettiContext(manifest: module.manifest, grants: [], outlet: outlet)
    await #expect(throws: ModuleRegistryError.self) { try await module.start(context: context) }
    #expect(module.calls == ["activate", "deactivate"])
    #expect(!module.isStarted)
    #expect(outlet.entries == [])
    await module.stop(context: context)
    #expect(module.calls.count == 2)
    module.fails = false
    try await module.start(context: context)
    #expect(module.isStarted)
  }

  @Test("starting twice starts once, and stopping without a start is nothing") func idempotence() async throws
  {
    let module = Fussy()
    module.fails = false
    let outlet = RecordingOutlet()
    let context = ForsettiContext(manifest: module.manifest, grants: [], outlet: outlet)
    await module.stop(context: context)
    #expect(module.calls == [])
    try await module.start(context: context)
    try await module.start(context: context)
    #expect(outlet.entries == ["event com.example.fussy.started", "info activated"])
    await module.stop(context: context)
    await module.stop(context: context)
    #expect(outlet.entries.dropFirst(2) == ["info stopped"])
    #expect(module.calls == ["activate", "deactivate"])
    try await module.start(context: context)
    #expect(outlet.entries.count == 5)
  }

  @Test("a revoked context publishes nothing, and fails a start") func revocation() async throws {
    let module = Fussy()
    module.fails = false
    let outlet = RecordingOutlet()
    let context = ForsettiContext(manifest: module.manifest, grants: [.storage], outlet: outlet)
    #expect(context.grantedCapabilities == [.storage])
    context.revoke()
    #expect(context.isRevoked)
    await #expect(throws: ForsettiContextError.contextRevoked(moduleID: "com.example.fussy")) {
      try await module.start(context: context)
    }
    #expect(module.calls == ["activate", "deactivate"])
    #expect(outlet.entries == [])
  }
}
