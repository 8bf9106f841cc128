/// The questions that an exposure is made of.
struct ExposureQuestions {
  private let id: String
  private let origin: ModuleOrigin
  private let policy: Policy
  private let grants: Set<Capability>
  private let sandbox: SandboxPolicy

  init(_ module: LintedModule, _ policy: Policy) {
    id = module.manifest.moduleID
    origin = module.origin
    self.policy = policy
    grants = Set(policy.grants(for: module.manifest, origin: module.origin).granted)
    sandbox = policy.sandbox(for: id, origin: origin)
  }

  /// All of them, in the order in which they are asked.
  var all: [ModuleExposure.Question] {
    [
      code, direct, layers, audit, network, secrets, api, data, surface, events, processor, memory, heartbeat,
      rates,
    ]
  }

  private func question(
    _ name: String, _ weight: Double, _ share: Double, _ answer: String
  ) -> ModuleExposure.Question {
    ModuleExposure.Question(name: name, weight: weight, share: share, answer: answer)
  }

  /// What some of these capabilities count, the more the more of them.
  private func granted(
    _ name: String, _ weight: Double, of capabilities: [Capability]
  ) -> ModuleExposure.Question {
    let held = capabilities.filter(grants.contains)
    return question(
      name, weight, Double(held.count) / Double(capabilities.count),
      held.isEmpty ? "none" : held.map(\.rawValue).joined(separator: ", "))
  }

  // MARK: The code and its lock

  private var code: ModuleExposure.Question {
    switch origin {
    case .builtIn: question("code", 10, 0, "built in")
    case .bundle(_, nil): question("code", 10, 0.5, "a third party's, pinned by its hash")
    case .bundle(_, .some): question("code", 10, 1, "whatever a third party signs")
    }
  }

  private var direct: ModuleExposure.Question {
    let names = sandbox.direct.map(\.rawValue).sorted().joined(separator: ", ")
    return question(
      "direct calls", 20, names.isEmpty ? 0 : 1, names.isEmpty ? "none" : names)
  }

  private var layers: ModuleExposure.Question {
    let names = sandbox.mayBeMissing.map(\.rawValue).sorted().joined(separator: ", ")
    return question(
      "layers", 15, names.isEmpty ? 0 : 1, names.isEmpty ? "all are required" : "\(names) may be missing")
  }

  private var audit: ModuleExposure.Question {
    let isAllowed = policy.audit(for: id, origin: origin) == .allowed
    return question("audit", 15, isAllowed ? 1 : 0, isAllowed ? "allowed" : "refused")
  }

  // MARK: What it reaches

  private var network: ModuleExposure.Question {
    guard grants.contains(.networking) else { return question("network", 20, 0, "not granted") }
    let targets = policy.networking(for: id, origin: origin).allow
    guard let worst = targets.map(Self.reach).max(by: { $0.share < $1.share }) else {
      return question("network", 20, 0.1, "granted, and nothing may be reached")
    }
    return question("network", 20, worst.share, worst.answer)
  }

  private static func reach(_ target: NetworkTarget) -> (share: Double, answer: String) {
    let isWide = target.hosts.contains { if case .below = $0 { true } else { false } }
    if !target.addresses.isEmpty { return (1, "inner addresses may be reached") }
    if target.schemes.contains(.http) { return (0.9, "http is allowed") }
    if isWide { return (0.8, "every name below a domain may be reached") }
    let isReading = target.methods.allSatisfy { [.get, .head, .options].contains($0) }
    return isReading ? (0.4, "named hosts may be read") : (0.6, "named hosts may be changed")
  }

  private var secrets: ModuleExposure.Question {
    granted("secrets", 10, of: [.secureStorage, .authentication, .security, .cryptoUtilities])
  }

  private var api: ModuleExposure.Question {
    guard grants.contains(.api) else { return question("api", 10, 0, "not granted") }
    if policy.roles[.api] == .module(id) { return question("api", 10, 0, "it provides it") }
    guard let rules = policy.apiRules(for: id, origin: origin) else {
      return question("api", 10, 1, "anything may be asked")
    }
    if rules.allow.isEmpty { return question("api", 10, 0, "nothing may be asked") }
    let isReading = rules.allow.allSatisfy { target in
      target.methods?.allSatisfy { [.get, .head, .options].contains($0) } == true
    }
    return question(
      "api", 10, isReading ? 0.3 : 0.6, isReading ? "some paths may be read" : "some paths may be changed")
  }

  private var data: ModuleExposure.Question {
    granted("data", 8, of: [.storage, .sharedDatabase, .fileExport, .diagnostics, .telemetry])
  }

  private var surface: ModuleExposure.Question {
    granted("surface", 4, of: [.viewInjection, .toolbarItems, .routingOverlay, .uiThemeMask])
  }

  private var events: ModuleExposure.Question {
    let rules = policy.eventRules(for: id, origin: origin)
    // No policy names this type, so whoever may use it may use any.
    let any = "any.type.of.any.module"
    let held = [rules.mayPublish(any) ? "publish" : nil, rules.maySubscribe(any) ? "hear" : nil].compactMap(
      \.self)
    return question(
      "events", 5, Double(held.count) / 2,
      held.isEmpty ? "named types alone" : "may \(held.joined(separator: " and ")) any")
  }

  // MARK: How much it may use

  private var processor: ModuleExposure.Question {
    let isLimited = sandbox.limits.cpuSeconds > 0 || sandbox.cgroup[.cpuPercent] != nil
    return question("processor", 4, isLimited ? 0 : 1, isLimited ? "limited" : "no limit")
  }

  private var memory: ModuleExposure.Question {
    let gibibytes = Double(sandbox.limits.addressSpaceBytes) / Double(1 << 30)
    return question(
      "memory", 4, min(1, gibibytes / 4), "\(sandbox.limits.addressSpaceBytes >> 20) MiB of address space")
  }

  private var heartbeat: ModuleExposure.Question {
    let isAsked = policy.heartbeat(for: id, origin: origin).isEnabled
    return question("heartbeat", 3, isAsked ? 0 : 1, isAsked ? "asked" : "never asked")
  }

  private var rates: ModuleExposure.Question {
    let rates = policy.rates(for: id, origin: origin)
    let names: [ModuleRates.Name] = [.callsPerSecond, .eventsPerSecond, .bytesPerSecond]
    let missing = names.filter { rates[$0] == nil }
    return question(
      "rates", 3, Double(missing.count) / Double(names.count),
      missing.isEmpty ? "limited" : "no limit of \(missing.map(\.rawValue).joined(separator: ", "))")
  }
}
