import ForsettiCore
import Testing

@Suite("Order of activation")
struct PolicyActivationTests {
  static func manifest(
    _ moduleID: String, _ type: ModuleType = .service, capabilities: [Capability] = [],
    requires roles: [DefaultModuleRole] = [], uses: [ModuleIOKind] = [], optionally: [ModuleIOKind] = [],
    isolation: ModuleDataIsolationMode = .privateToModule
  ) -> ModuleManifest {
    ModuleManifest(
      moduleID: moduleID, displayName: moduleID, moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
      moduleType: type, supportedPlatforms: [.linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0), capabilitiesRequested: capabilities,
      entryPoint: "Entry",
      runtimeRequirements: RuntimeRequirements(
        io: uses.map { IORequirement($0.rawValue, $0, .read, required: true) }
          + optionally.map { IORequirement($0.rawValue, $0, .read, required: false) },
        dataIsolation: DataIsolation(mode: isolation, requiredDefaultRoles: roles)))
  }

  static func order(
    _ manifests: [ModuleManifest], named: [String] = [], roles: [DefaultModuleRole: RoleProvider] = [:]
  ) -> [String] {
    let byID = Dictionary(manifests.map { ($0.moduleID, $0) }, uniquingKeysWith: { first, _ in first })
    return Policy(activationOrder: named, roles: roles)
      .activationOrder(of: manifests.map(\.moduleID), manifests: byID)
  }

  @Test("named modules come exactly as written, absent ones are passed over, the rest follow by ID")
  func named() {
    let all = ["com.e", "com.a", "com.d", "com.c"].map { Self.manifest($0) }
    #expect(
      Self.order(all, named: ["com.D", "com.absent", "com.c"]) == ["com.d", "com.c", "com.a", "com.e"])
  }

  @Test("what is named keeps its place even before its provider")
  func namedBeforeProvider() {
    let all = [Self.manifest("com.a.user", requires: [.api]), Self.manifest("com.z.api")]
    #expect(
      Self.order(all, named: ["com.a.user"], roles: [.api: .module("com.z.api")])
        == ["com.a.user", "com.z.api"])
  }

  @Test("a provider precedes those that require its role, by role, by required use, by shared data")
  func providers() {
    let all = [
      Self.manifest("com.a", requires: [.api]), Self.manifest("com.b", uses: [.diagnostics]),
      Self.manifest("com.c", optionally: [.api]), Self.manifest("com.d", isolation: .frameworkMediatedShared),
      Self.manifest("com.x.api", requires: [.api]), Self.manifest("com.y.diagnostics"),
      Self.manifest("com.z.database"),
    ]
    let roles: [DefaultModuleRole: RoleProvider] = [
      .api: .module("com.X.api"), .diagnostics: .module("com.y.diagnostics"),
      .sharedDatabase: .module("com.z.database"), .security: .module("com.absent"),
    ]
    #expect(
      Self.order(all, roles: roles) == [
        "com.c", "com.x.api", "com.a", "com.y.diagnostics", "com.b", "com.z.database", "com.d",
      ])
  }

  @Test("services precede UI and app modules")
  func types() {
    let all = [Self.manifest("com.a", .ui), Self.manifest("com.b", .app), Self.manifest("com.c")]
    #expect(Self.order(all) == ["com.c", "com.a", "com.b"])
  }

  @Test("a circle is broken at its first module by ID, and what hangs on it still waits")
  func circle() {
    let all = [
      Self.manifest("com.a.waits", requires: [.diagnostics]),
      Self.manifest("com.b.api", requires: [.diagnostics]),
      Self.manifest("com.c.diagnostics", requires: [.api]),
    ]
    #expect(
      Self.order(
        all, roles: [.api: .module("com.b.api"), .diagnostics: .module("com.c.diagnostics")])
        == ["com.b.api", "com.c.diagnostics", "com.a.waits"])
  }

  @Test("an ID that occurs twice is kept once, whatever its case")
  func twice() {
    let order = Policy(activationOrder: ["com.b"])
      .activationOrder(of: ["com.a", "com.b", "COM.A", "com.b", "com.c"], manifests: [:])
    #expect(order == ["com.b", "com.a", "com.c"])
  }

  @Test("ten thousand modules that require one provider are ordered in one go")
  func many() {
    let users = (0..<10_000).map { Self.manifest("com.many.m\($0)", requires: [.api]) }
    let order = Self.order(users + [Self.manifest("com.z.api")], roles: [.api: .module("com.z.api")])
    #expect(order.count == 10_001)
    #expect(order.first == "com.z.api")
    #expect(Array(order.dropFirst()) == users.map(\.moduleID).sorted())
  }
}
