import ForsettiCore
import ForsettiSandbox
import ForsettiTestKit
import Testing

@testable import ForsettiRuntime

/// When an audit begins, whom it covers, and what a reload makes of it.
@ReactorActor @Suite("Audit of one module") struct ModuleAuditTests {
  private static let id = "com.example.audited"
  private let catalog: ForsettiModuleCatalog

  init() {
    catalog = ForsettiModuleCatalog([Self.manifest(Self.id), Self.manifest("com.example.other")])
  }

  private nonisolated static func manifest(_ id: String) -> LoadedManifest {
    LoadedManifest(
      manifest: ModuleManifest(
        moduleID: id, displayName: "M", moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
        moduleType: .service, supportedPlatforms: [.linux],
        minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0), capabilitiesRequested: [], entryPoint: id),
      path: "/\(id).json", sha256: "")
  }

  private func policy(_ rule: String) throws -> Policy {
    try PolicyDecoder.decode(
      bytes: Array(#"{"policyVersion": 1, "rules": [{"modules": "\#(Self.id)"\#(rule)}]}"#.utf8), file: "p")
  }

  private func audit(_ id: String = id) -> ModuleAudit { ModuleAudit(moduleID: id, landlockABI: 7) }

  @Test("it begins where the policy says so, whatever the case of the ID, and covers nothing before")
  func begins() throws {
    let (audit, allowed) = (self.audit(Self.id.uppercased()), try policy(#", "audit": "allowed""#))
    let module = try #require(catalog[Self.id])
    let other = try #require(catalog["com.example.other"])
    #expect(!audit.isOpen && !audit.covers(module, by: allowed))
    try audit.begin(catalog, allowed)
    #expect(audit.isOpen && audit.covers(module, by: allowed))
    #expect(audit.subject?.moduleID == Self.id)
    #expect(!audit.covers(other, by: allowed))
    #expect(throws: BootFailure.audit(moduleID: Self.id, .notAllowed)) {
      try self.audit().begin(catalog, try policy(""))
    }
    #expect(throws: BootFailure.module(.moduleNotDiscovered(moduleID: "com.nobody"))) {
      try self.audit("com.nobody").begin(catalog, allowed)
    }
  }

  @Test("a reload that takes the word away, or grants threads, closes it; one that gives it back opens it")
  func reload() throws {
    let (audit, allowed) = (self.audit(), try policy(#", "audit": "allowed""#))
    let module = try #require(catalog[Self.id])
    let threads = try policy(#", "audit": "allowed", "sandbox": {"direct": ["threads"]}"#)
    let silent = try policy("")
    #expect(audit.review(catalog, silent) == nil, "it never began")
    try audit.begin(catalog, allowed)
    #expect(audit.review(catalog, silent) == .notAllowed)
    #expect(!audit.isOpen)
    #expect(audit.review(catalog, threads) == .threads)
    #expect(!audit.isOpen && !audit.covers(module, by: threads))
    #expect(audit.review(ForsettiModuleCatalog([]), allowed) == .notAllowed)
    #expect(audit.review(catalog, allowed) == nil)
    #expect(audit.isOpen)
  }

  @Test(
    "a call that waits for its turn when the audit is closed is a violation then", .timeLimit(.minutes(1)))
  func closedMeanwhile() async throws {
    let (audit, clock) = (self.audit(), FakeClock())
    try audit.begin(catalog, try policy(#", "audit": "allowed""#))
    // More of them than the budget answers at once, and no time passes.
    let program = try CompiledProgram(
      main: "for (int i = 0; i < 100; i++) syscall(SYS_madvise, 0, 0, 4); return 3;")
    let plan = audit.lifting(SandboxPlan.derive(grants: [], policy: SandboxPolicy(), executes: true))
    var spec = LaunchSpec(
      moduleID: Self.id, entryPoint: "main", hostPath: try builtProgram("forsetti-module-host"), plan: plan,
      filter: try FilterCompiler.compile(plan), userID: moduleUser, executable: try program.sealed())
    spec.audit = audit
    let process = ModuleProcess(spec, clock: clock)
    let launched = Reactor.task { try? await process.launch() }
    // The deadline of the phase, and the answer that waits.
    await clock.waitForPending(2)
    #expect(audit.review(catalog, try policy("")) == .notAllowed)
    clock.advance(by: .milliseconds(2))
    guard case .violation(let violation) = await process.exit().reason else {
      Issue.record("\(await process.exit())")
      return
    }
    #expect(violation.syscall == "madvise")
    _ = await launched.value
  }
}
