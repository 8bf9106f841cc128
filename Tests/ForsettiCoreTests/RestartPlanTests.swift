import ForsettiCore
import Testing

/// A plan and how it came about. The modules: `db` provides the shared database, which `api` requires; `api` provides the
/// API, which `a` and `b` require; `lone` requires nothing.
struct RestartPlanCase: Sendable, CustomTestStringConvertible {
  var name: String
  var ended: String
  var strategy: RestartPolicy.Strategy
  var active = ["db", "api", "lone", "a", "b"]
  var order = ["db", "api", "lone", "a", "b"]
  var stops: [String]
  var before: [String] = []
  var after: [String] = []
  var testDescription: String { name }

  static let all: [RestartPlanCase] = [
    .init(name: "one takes nobody along", ended: "db", strategy: .one, stops: []),
    .init(
      name: "dependents of a provider are stopped backwards and started after it", ended: "api",
      strategy: .dependents, stops: ["b", "a"], after: ["a", "b"]),
    .init(
      name: "dependents of dependents too", ended: "db", strategy: .dependents, stops: ["b", "a", "api"],
      after: ["api", "a", "b"]),
    .init(name: "a module that nobody requires has none", ended: "a", strategy: .dependents, stops: []),
    .init(
      name: "dependents start after it even where the order has them before", ended: "api",
      strategy: .dependents, active: ["a", "api", "b"], order: ["a", "api", "b"], stops: ["b", "a"],
      after: ["a", "b"]),
    .init(
      name: "all: everyone is stopped backwards and started in order, the module at its place", ended: "lone",
      strategy: .all, stops: ["b", "a", "api", "db"], before: ["db", "api"], after: ["a", "b"]),
    .init(
      name: "stopping goes by the order of becoming active, starting by the policy's", ended: "api",
      strategy: .all, active: ["b", "lone", "a", "db"], order: ["db", "api", "lone", "a", "b"],
      stops: ["db", "a", "lone", "b"], before: ["db"], after: ["lone", "a", "b"]),
    .init(
      name: "whoever is down already stays out of it", ended: "api", strategy: .dependents,
      active: ["db", "b"], stops: ["b"], after: ["b"]),
    .init(name: "alone", ended: "a", strategy: .all, active: [], order: ["a"], stops: []),
  ]
}

@Suite("What a restart takes along")
struct RestartPlanTests {
  private static let consumers: [String: Set<String>] = ["db": ["api"], "api": ["a", "b"]]

  @Test("the strategies are Erlang's", arguments: RestartPlanCase.all)
  func strategies(example: RestartPlanCase) {
    let plan = RestartPlan(
      of: example.ended, strategy: example.strategy, active: example.active, order: example.order
    ) { Self.consumers[$0] ?? [] }
    #expect(plan.stops == example.stops)
    #expect(plan.before == example.before)
    #expect(plan.after == example.after)
  }

  @Test("modules that require each other in a circle end the search")
  func circle() {
    let circle: [String: Set<String>] = ["a": ["b"], "b": ["a"]]
    let plan = RestartPlan(of: "a", strategy: .dependents, active: ["b"], order: ["a", "b"]) {
      circle[$0] ?? []
    }
    #expect(plan.stops == ["b"])
    #expect(plan.after == ["b"])
  }

  @Test(
    "who requires a role counts by name, by a required entry and by the shared database; who may do without doesn't"
  )
  func consumers() {
    func module(_ id: String, _ requirements: RuntimeRequirements) -> ModuleManifest {
      ModuleManifest(
        moduleID: id, displayName: id, moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
        moduleType: .service,
        supportedPlatforms: [.linux], minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0),
        capabilitiesRequested: [.api, .sharedDatabase], entryPoint: "E", runtimeRequirements: requirements)
    }
    var provider = module("com.P.x", RuntimeRequirements())
    provider.defaultModuleRole = .sharedDatabase
    let manifests = [
      provider,
      module(
        "com.a.named",
        RuntimeRequirements(dataIsolation: DataIsolation(requiredDefaultRoles: [.sharedDatabase]))),
      module(
        "com.a.entry", RuntimeRequirements(io: [IORequirement("x", .sharedDatabase, .read, required: true)])),
      module("com.a.mode", RuntimeRequirements(dataIsolation: DataIsolation(mode: .frameworkMediatedShared))),
      module(
        "com.a.may", RuntimeRequirements(io: [IORequirement("x", .sharedDatabase, .read, required: false)])),
      module("com.a.other", RuntimeRequirements(io: [IORequirement("x", .api, .read, required: true)])),
    ]
    let directory = ProviderDirectory(
      roles: [.sharedDatabase: .module("com.p.X"), .api: .host], manifests: manifests
    ) { _ in true }
    #expect(directory.roles(of: "com.P.x") == [.sharedDatabase])
    #expect(
      directory.consumers(of: "com.P.x", among: manifests) == ["com.a.named", "com.a.entry", "com.a.mode"])
    #expect(directory.consumers(of: "com.a.named", among: manifests).isEmpty)
  }
}
