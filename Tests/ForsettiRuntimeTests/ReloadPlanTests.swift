import ForsettiCore
import Testing

@testable import ForsettiRuntime

/// From two deployments to a plan: pure, so told by tables.
@Suite("A reload's plan") struct ReloadPlanTests {
  private static let id = "com.example.a"

  private static func deployment(
    _ rules: [PolicyRule] = [], _ modules: [LoadedManifest], refusals: [BundleRefusal] = []
  ) -> Deployment {
    Deployment(policy: Policy(rules: rules), catalog: ForsettiModuleCatalog(modules, refusals: refusals))
  }

  private static func module(
    _ id: String = id, capabilities: [Capability] = [], hash: String = "00", origin: ModuleOrigin = .builtIn
  ) -> LoadedManifest {
    LoadedManifest(
      manifest: manifest(id, capabilities: capabilities), path: "/m.json", sha256: hash, origin: origin)
  }

  private static func rule(
    grant: [Capability] = [], optional: Set<Capability> = [], restarts: Int? = nil,
    publish: [EventPattern]? = nil, rates: [ModuleRates.Name: Int] = [:]
  ) throws -> PolicyRule {
    var restart = RestartSettings()
    if let restarts { restart.numbers[.restarts] = restarts }
    return PolicyRule(
      try ModulePattern(id), grant: grant, optional: optional, restart: restart, rates: rates,
      publish: publish)
  }

  private static func bundle(_ hash: String, key: String? = nil) -> ModuleOrigin {
    .bundle(sha256: hash, key: key)
  }

  /// What differs, and what follows for a module that is active, that failed, and that nobody wants.
  private static func cases() throws -> [Case] {
    let plain = deployment([], [module()])
    let asking = module(capabilities: [.storage])
    let granted = deployment([try rule(grant: [.storage])], [asking])
    let leftOut = deployment([try rule(optional: [.storage])], [asking])
    let publishing = [try rule(publish: [try EventPattern("com.example.x")])]
    return [
      Case("nothing", plain, plain, [], .none, .start),
      Case("a manifest", plain, deployment([], [module(hash: "01")]), [.manifest], .replace, .start),
      Case("a module gone", plain, deployment([], []), [.removed], .stop, .none),
      Case("a right more", leftOut, granted, [.granted([.storage])], .replace, .start),
      Case("a right less", granted, leftOut, [.withdrawn([.storage])], .replaceAtOnce, .start),
      Case("events", plain, deployment(publishing, [module()]), [.setting(.events)], .replaceAtOnce, .start),
      Case(
        "a rate", plain, deployment([try rule(rates: [.callsPerSecond: 5])], [module()]), [.setting(.rates)],
        .replace, .start),
      Case(
        "restarts", plain, deployment([try rule(restarts: 3)], [module()]), [.setting(.restart)], .none,
        .start),
      Case(
        "a bundle's executable of one key", deployment([], [module(origin: bundle("1", key: "k"))]),
        deployment([], [module(origin: bundle("2", key: "k"))]), [.executable], .replace, .start),
      Case(
        "a bundle from elsewhere", deployment([], [module(origin: bundle("1", key: "k"))]),
        deployment([], [module(origin: bundle("1", key: "j"))]), [.origin(from: "key:k", to: "key:j")],
        .replaceAtOnce, .start),
    ]
  }

  private struct Case {
    let name: String
    let old: Deployment
    let new: Deployment
    let changes: [ReloadPlan.Change]
    let ofActive: ReloadPlan.Step
    let ofFailed: ReloadPlan.Step

    init(
      _ name: String, _ old: Deployment, _ new: Deployment, _ changes: [ReloadPlan.Change],
      _ ofActive: ReloadPlan.Step, _ ofFailed: ReloadPlan.Step
    ) {
      (self.name, self.old, self.new) = (name, old, new)
      (self.changes, self.ofActive, self.ofFailed) = (changes, ofActive, ofFailed)
    }
  }

  @Test("says for each difference what follows, by where the module stands")
  func table() throws {
    for test in try Self.cases() {
      let steps: [(ModuleStatus.State?, ReloadPlan.Step)] = [
        (.active, test.ofActive), (.failed, test.ofFailed), (.restarting, .none), (.quarantined, .none),
        (.discovered, .none), (nil, .none),
      ]
      for (state, step) in steps {
        let plan = ReloadPlan(from: test.old, to: test.new, states: state.map { [Self.id: $0] } ?? [:])
        let found = plan.modules.first
        #expect(found?.step ?? .none == step, "\(test.name), \(state?.rawValue ?? "-")")
        #expect(found?.changes ?? [] == test.changes, "\(test.name), \(state?.rawValue ?? "-")")
      }
    }
  }

  @Test("a module that can't run any more stops and says why; one that could not before is no news")
  func incompatible() throws {
    let asking = Self.module(capabilities: [.storage])
    let granted = Self.deployment([try Self.rule(grant: [.storage])], [asking])
    let denied = Self.deployment([], [asking])
    let plan = ReloadPlan(from: granted, to: denied, states: [Self.id: .active])
    #expect(plan.modules.map(\.step) == [.stop])
    guard case .incompatible? = plan.modules.first?.changes.last else {
      Issue.record("it does not say why: \(plan)")
      return
    }
    #expect(ReloadPlan(from: denied, to: denied, states: [Self.id: .failed]).isEmpty)
    #expect(
      ReloadPlan(from: denied, to: granted, states: [Self.id: .failed]).modules.map(\.step) == [.start])
  }

  @Test("a new module is told of and left to people, a bundle that is refused now is told of with its reason")
  func added() {
    let (one, two) = (Self.module(), Self.module("com.example.b"))
    let more = ReloadPlan(from: Self.deployment([], [one]), to: Self.deployment([], [one, two]), states: [:])
    #expect(
      more.modules == [ReloadPlan.Module(moduleID: "com.example.b", step: .none, changes: [.added])])
    let refusal = BundleRefusal(name: Self.id, path: "/b", fault: .unknownKey)
    let less = ReloadPlan(
      from: Self.deployment([], [one]), to: Self.deployment([], [], refusals: [refusal]),
      states: [Self.id: .active])
    #expect(less.modules.map(\.changes) == [[.refused(reason: refusal.reason)]])
  }

  @Test(
    "of a bundle that was never let in, news is a refusal, another reason, and its end; not the same once more"
  )
  func neverLetIn() {
    let refusals = [BundleRefusal.Fault.unknownKey, .unnamed(key: "k")].map {
      BundleRefusal(name: Self.id, path: "/b", fault: $0)
    }
    let stages = [[], [refusals[0]], [refusals[0]], [refusals[1]], []].map {
      Self.deployment([], [], refusals: $0)
    }
    let told = zip(stages, stages.dropFirst()).map { old, new in
      ReloadPlan(from: old, to: new, states: [:]).modules
    }
    let news = refusals.map { [ReloadPlan.Change.refused(reason: $0.reason)] }
    #expect(told.map { $0.map(\.changes) } == [[news[0]], [], [news[1]], [[.removed]]])
    #expect(told.joined().allSatisfy { $0.moduleID == Self.id && $0.step == .none })
  }

  @Test(
    "keys for the next start are told of and change nothing now, not even what follows from them for modules")
  func keys() throws {
    let module = Self.module()
    let new = Deployment(
      policy: Policy(roles: [.api: .module("com.example.b")], spin: .off),
      catalog: ForsettiModuleCatalog([module]))
    let plan = ReloadPlan(from: Self.deployment([], [module]), to: new, states: [Self.id: .active])
    #expect(plan.modules.isEmpty)
    #expect(plan.keys == [.roles])
    #expect(plan.keysForRestart == [.spin])
  }
}
