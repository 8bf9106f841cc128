import ForsettiCore
import ForsettiRuntime
import Testing

/// Modules that call services wrongly, or end while they call, beside one that does it right.
@ReactorActor @Suite(.timeLimit(.minutes(2))) struct CallingModulesTests {
  private func manifest(_ program: String, _ access: ModuleIOAccess?) -> ModuleManifest {
    callingProgram(program, access)
  }

  private func boot(_ programs: [(String, ModuleIOAccess?)]) async throws -> LiveRuntime {
    let scratch = try Scratch()
    for (program, access) in programs {
      try scratch.write("m/\(program).json", JSONWriter.text(manifest(program, access).jsonValue))
    }
    let ids = programs.map { "\"\(manifest($0.0, nil).moduleID)\"" }.joined(separator: ",")
    let policy = """
      {"policyVersion": 1, "activation": {"order": [\(ids)]},
       "defaults": {"restart": {"kind": "temporary"}},
       "rules": [{"modules": "test.program.*", "grant": ["storage"]}]}
      """
    return try await LiveRuntime(
      policy: PolicyDecoder.decode(bytes: Array(policy.utf8), file: "p.json"), manifests: scratch("m"),
      host: Product.hostileHost, scratch: scratch)
  }

  @Test(
    "what the manifest doesn't cover is a typed denial to the module",
    arguments: [
      ("calls_beyond_access", ModuleIOAccess.read, ".access"),
      ("calls_foreign_store", .readWrite, ".undeclared"),
    ])
  func denied(program: String, access: ModuleIOAccess, denial: String) async throws {
    let live = try await boot([(program, access)])
    let result = await live.event(manifest(program, nil).moduleID + ".result")
    let text = try #require(result?.payload["text"])
    #expect(text.hasPrefix("serviceDenied(") && text.contains(denial), "\(text)")
    await live.shutDown()
  }

  @Test("a call past the kit, without the grant, is answered with a denial and warned of") func pastTheKit()
    async throws
  {
    let live = try await boot([("calls_without_grant", nil)])
    let id = "test.program.calls-without-grant"
    #expect(await live.event(id + ".result")?.payload["text"] == "answered: 1")
    await live.heard(id, "storage")
    #expect(live.process(id) != nil, "it asked, was refused, and lives")
    await live.shutDown()
  }

  @Test("a module that crashes with calls open takes none of its neighbour's along") func crash() async throws
  {
    let live = try await boot([("calls_steadily", .readWrite), ("calls_then_crashes", .readWrite)])
    let (steady, crashing) = ("test.program.calls-steadily", "test.program.calls-then-crashes")
    let before = live.process(steady)
    try live.manager.publish(steady + ".go", payload: [:], inTheNameOf: steady)
    try live.manager.publish(crashing + ".go", payload: [:], inTheNameOf: crashing)
    let ended = await live.event("forsetti.lifecycle.ended")
    #expect(ended?.payload["moduleID"] == crashing)
    #expect(await live.event(steady + ".done")?.payload["text"] == "none")
    #expect(live.process(steady) == before)
    #expect(live.process(crashing) == nil)
    try await live.manager.health(moduleID: steady)
    await live.shutDown()
  }
}

/// The manifest of a program of the hostile host that calls storage.
func callingProgram(_ program: String, _ access: ModuleIOAccess? = .readWrite) -> ModuleManifest {
  let io = access.map { [IORequirement("calls", .storage, $0, required: true)] } ?? []
  return ModuleManifest(
    moduleID: "test.program." + program.replacing("_", with: "-"), displayName: program,
    moduleVersion: SemVer(major: 1, minor: 0, patch: 0), moduleType: .service, supportedPlatforms: [.linux],
    minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0),
    capabilitiesRequested: io.map(\.kind.capability), entryPoint: program,
    runtimeRequirements: RuntimeRequirements(io: io))
}
