import ForsettiCore
import Testing

@Suite("Runtime requirements and identity")
struct RequirementsTests {
  static func module(
    _ id: String = "com.example.a", type: ModuleType = .service, role: DefaultModuleRole? = nil,
    capabilities: [Capability] = [], io: [IORequirement] = [], isolation: DataIsolation = DataIsolation()
  ) -> ModuleManifest {
    ModuleManifest(
      moduleID: id, displayName: "A", moduleVersion: SemVer(major: 1, minor: 0, patch: 0), moduleType: type,
      supportedPlatforms: [.linux], minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0),
      capabilitiesRequested: capabilities, entryPoint: "A", defaultModuleRole: role,
      runtimeRequirements: RuntimeRequirements(
        io: io, ui: type == .service ? nil : UIRequirements(), dataIsolation: isolation))
  }

  static func providers(
    _ roles: [DefaultModuleRole: RoleProvider] = [:], _ manifests: [ModuleManifest] = [],
    hostKinds: Set<ModuleIOKind> = ProviderDirectory.everyHostKind, incompatible: Set<String> = []
  ) -> ProviderDirectory {
    ProviderDirectory(roles: roles, manifests: manifests, hostKinds: hostKinds) {
      !incompatible.contains($0.moduleID)
    }
  }

  /// The reason for which the requirements are unsatisfied; `nil` if they are.
  static func reason(
    _ manifest: ModuleManifest, grants: [Capability]? = nil, _ providers: ProviderDirectory = providers()
  ) throws -> String? {
    do throws(ModuleManagerError) {
      try RuntimeRequirementsCheck.check(
        manifest, grants: grants ?? manifest.capabilitiesRequested, providers: providers)
      return nil
    } catch {
      guard case .unsatisfiedRuntimeRequirement("com.example.a", let reason) = error else { throw error }
      return reason
    }
  }

  @Test("a role that doesn't fit the type, or lacks its capability, is refused without a file too")
  func ownRole() throws {
    #expect(try Self.reason(Self.module(type: .ui, role: .api))?.contains("defaultModuleRole") == true)
    #expect(try Self.reason(Self.module(role: .api))?.contains("\"api\" in capabilitiesRequested") == true)
    #expect(try Self.reason(Self.module(role: .api, capabilities: [.api])) == nil)
  }

  @Test("an I/O entry needs its capability requested always, granted and provided only if required")
  func io() throws {
    func module(required: Bool, _ capabilities: [Capability] = [.storage]) -> ModuleManifest {
      Self.module(capabilities: capabilities, io: [IORequirement("s", .storage, .read, required: required)])
    }
    #expect(try Self.reason(module(required: false, []))?.contains("capabilitiesRequested") == true)
    #expect(try Self.reason(module(required: false), grants: []) == nil)
    #expect(try Self.reason(module(required: true), grants: [])?.contains("does not grant") == true)
    #expect(try Self.reason(module(required: true)) == nil)
    let bare = Self.providers(hostKinds: [])
    #expect(try Self.reason(module(required: true), bare)?.contains("no adapter for storage") == true)
    #expect(try Self.reason(module(required: false), bare) == nil)
  }

  @Test("the provider of a role is the module the policy names, discovered, compatible and of that role")
  func namedProvider() throws {
    let consumer = Self.module(
      capabilities: [.diagnostics], io: [IORequirement("d", .diagnostics, .emit, required: true)])
    let provider = Self.module("com.example.P", role: .diagnostics, capabilities: [.diagnostics])
    let roles: [DefaultModuleRole: RoleProvider] = [.diagnostics: .module("com.example.p")]
    #expect(try Self.reason(consumer, Self.providers(roles, [provider])) == nil)
    #expect(try Self.reason(consumer, Self.providers(roles))?.contains("not discovered") == true)
    #expect(
      try Self.reason(consumer, Self.providers(roles, [provider], incompatible: ["com.example.P"]))?
        .contains("incompatible") == true)
    #expect(
      try Self.reason(consumer, Self.providers(roles, [Self.module("com.example.p")]))?
        .contains("doesn't declare") == true)
    #expect(try Self.reason(consumer, Self.providers([.diagnostics: .host])) == nil)
  }

  @Test("the host has no api adapter: without a module in roles nothing provides it")
  func api() throws {
    let consumer = Self.module(capabilities: [.api], io: [IORequirement("a", .api, .consume, required: true)])
    #expect(try Self.reason(consumer)?.contains("the host has none") == true)
    let own = Self.module(role: .api, capabilities: [.api], io: consumer.runtimeRequirements.io)
    #expect(try Self.reason(own, Self.providers([.api: .module("com.example.a")], [own])) == nil)
  }

  @Test("required roles and shared isolation need a provider, the ui role a discovered manifest")
  func isolation() throws {
    let needsUI = Self.module(isolation: DataIsolation(requiredDefaultRoles: [.ui]))
    #expect(try Self.reason(needsUI)?.contains("role ui") == true)
    #expect(
      try Self.reason(needsUI, Self.providers([:], [Self.module("com.example.u", type: .ui, role: .ui)]))
        == nil)
    let needsAPI = Self.module(isolation: DataIsolation(requiredDefaultRoles: [.security, .api]))
    #expect(try Self.reason(needsAPI)?.contains("required role api") == true)
    let shared = Self.module(isolation: DataIsolation(mode: .frameworkMediatedShared))
    #expect(try Self.reason(shared) == nil)
    #expect(
      try Self.reason(shared, Self.providers(hostKinds: []))?.contains("framework_mediated_shared") == true)
  }

  @Test("a module whose role the policy gives to another is warned of")
  func unusedRole() {
    let module = Self.module(role: .api, capabilities: [.api])
    #expect(Self.providers().unusedRoleWarning(for: module)?.contains("provides nothing") == true)
    #expect(Self.providers([.api: .module("com.Example.A")], [module]).unusedRoleWarning(for: module) == nil)
    #expect(
      Self.providers([.api: .module("x.y")], [module]).unusedRoleWarning(for: module)?.contains("x.y") == true
    )
  }

  static let changes: [(field: String, change: @Sendable (inout ModuleManifest) -> Void)] = [
    ("schemaVersion", { $0.schemaVersion = "1.0" }),
    ("manifestTemplateVersion", { $0.manifestTemplateVersion = "1.0" }),
    ("moduleID", { $0.moduleID = "com.example.A" }), ("displayName", { $0.displayName = "e\u{301}" }),
    ("moduleVersion", { $0.moduleVersion.prerelease = "a" }), ("moduleType", { $0.moduleType = .app }),
    ("supportedPlatforms", { $0.supportedPlatforms = [.iOS, .linux] }),
    ("minForsettiVersion", { $0.minForsettiVersion.patch = 1 }),
    ("maxForsettiVersion", { $0.maxForsettiVersion = nil }),
    ("capabilitiesRequested", { $0.capabilitiesRequested.reverse() }),
    ("iapProductID", { $0.iapProductID = nil }),
    ("entryPoint", { $0.entryPoint = "B" }), ("defaultModuleRole", { $0.defaultModuleRole = nil }),
    ("runtimeRequirements.io", { $0.runtimeRequirements.io[0].description = "x" }),
    ("runtimeRequirements.ui", { $0.runtimeRequirements.ui = UIRequirements() }),
    ("runtimeRequirements.dataIsolation", { $0.runtimeRequirements.dataIsolation.ownedStoreIDs = [] }),
  ]

  static var identity: ModuleManifest {
    var manifest = module(
      role: .api, capabilities: [.api, .storage], io: [IORequirement("s", .storage, .read, required: true)],
      isolation: DataIsolation(ownedStoreIDs: ["s"]))
    manifest.displayName = "\u{E9}"
    manifest.iapProductID = "absent"
    manifest.maxForsettiVersion = SemVer(major: 1, minor: 0, patch: 0)
    return manifest
  }

  @Test("identity compares every field of the manifest", arguments: changes.indices)
  func manifestIdentity(index: Int) {
    var own = Self.identity
    Self.changes[index].change(&own)
    let error = #expect(throws: ModuleManagerError.self) {
      try ModuleIdentity.check(discovered: Self.identity, descriptor: Self.identity.descriptor, manifest: own)
    }
    guard case .moduleIdentityMismatch("com.example.a", let field, let expected, let actual) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(field == "manifest." + Self.changes[index].field)
    #expect(!expected.hasSameScalars(as: actual) || field == "manifest.iapProductID")
  }

  @Test("identity compares the descriptor first: ID, type, version, name; equal ones pass")
  func descriptorIdentity() throws {
    let manifest = Self.identity
    try ModuleIdentity.check(discovered: manifest, descriptor: manifest.descriptor, manifest: manifest)
    var descriptor = manifest.descriptor
    descriptor.displayName = "other"
    var fields: [String] = []
    let steps: [(inout ModuleDescriptor) -> Void] = [
      { _ in }, { $0.moduleVersion.major = 7 }, { $0.moduleType = .ui }, { $0.moduleID = "x.y" },
    ]
    for step in steps {
      step(&descriptor)
      let error = #expect(throws: ModuleManagerError.self) {
        try ModuleIdentity.check(discovered: manifest, descriptor: descriptor, manifest: Self.module("z.z"))
      }
      if case .moduleIdentityMismatch(_, let field, _, _) = error { fields.append(field) }
    }
    #expect(
      fields == [
        "descriptor.displayName", "descriptor.moduleVersion", "descriptor.moduleType", "descriptor.moduleID",
      ])
  }
}
