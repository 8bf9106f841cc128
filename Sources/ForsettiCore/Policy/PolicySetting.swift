/// One thing besides capabilities that holds for a module, as people read it: its value, and the place that says so.
public struct PolicySetting: Sendable, Hashable {
  /// The way to it in a rule or in the defaults: `sandbox.limits.openFiles`.
  public var key: String
  /// What holds, in the units that the key names.
  public var value: String
  /// The deciding word; `nil` where the policy is silent and this build's own default holds.
  public var source: PolicySource?
  /// The reason of the deciding rule, where it gives one.
  public var reason: String?

  /// Makes a setting.
  public init(key: String, value: String, source: PolicySource? = nil, reason: String? = nil) {
    self.key = key
    self.value = value
    self.source = source
    self.reason = reason
  }

  /// The keys of a rule whose places are kept; those of capabilities are kept with the capabilities.
  static let ruleKeys = [
    "sandbox", "deadlineMilliseconds", "restart", "heartbeat", "rates", "publish", "subscribe", "networking",
    "api", "audit",
  ]
  /// The keys of the file whose places are kept.
  static let rootKeys = ["registration", "onDrift", "entitlements", "audit", "defaults"]
}

extension Policy {
  /// The place of a key that is of all modules; `nil` where the file is silent.
  public func source(of key: PolicyKey) -> PolicySource? { source(of: key.rawValue) }

  /// What holds for a module besides its capabilities, in the order of docs/policy.md. Event types, hosts and paths that no
  /// rule speaks of are left out but for what silence allows.
  public func settings(for moduleID: String, origin: ModuleOrigin = .builtIn) -> [PolicySetting] {
    let rules = rules(for: moduleID, origin: origin)
    let values =
      sandboxValues(moduleID, origin) + lifeValues(moduleID, origin) + trafficValues(moduleID, origin, rules)
    return values.map { key, value in
      let rule = rules.first { $0.places[key] != nil }
      let place = rule?.places[key]
      return PolicySetting(
        key: key, value: value,
        source: rule.flatMap { rule in place.map { rule.source(in: file, at: $0) } }
          ?? source(of: key == "audit" ? key : "defaults.\(key)"),
        reason: rule?.reason)
    }
  }

  private typealias Value = (key: String, value: String)

  private func source(of key: String) -> PolicySource? {
    places[key].map {
      let name = key.prefix { $0 != "." }
      return PolicySource(file: file, line: $0.line, column: $0.column, pattern: String(name))
    }
  }

  private func sandboxValues(_ moduleID: String, _ origin: ModuleOrigin) -> [Value] {
    let sandbox = sandbox(for: moduleID, origin: origin)
    let limits = SandboxLimits.Name.allCases.map { name -> Value in
      let value = sandbox.limits[name]
      let isNone = value == 0 && (name == .cpuSeconds || name == .threads)
      return ("sandbox.limits.\(name.rawValue)", isNone ? "no limit" : "\(value)")
    }
    let cgroup = CgroupLimits.Name.allCases.compactMap { name in
      sandbox.cgroup[name].map { value -> Value in ("sandbox.cgroup.\(name.rawValue)", "\(value)") }
    }
    return limits + cgroup + [
      ("sandbox.direct", Self.list(sandbox.direct.map(\.rawValue).sorted())),
      ("sandbox.mayBeMissing", Self.list(sandbox.mayBeMissing.map(\.rawValue).sorted())),
    ]
  }

  private func lifeValues(_ moduleID: String, _ origin: ModuleOrigin) -> [Value] {
    let deadlines = deadlines(for: moduleID, origin: origin)
    let restart = restart(for: moduleID, origin: origin)
    let heartbeat = heartbeat(for: moduleID, origin: origin)
    var values: [Value] = PhaseDeadlines.Name.allCases.map {
      ("deadlineMilliseconds.\($0.rawValue)", "\(deadlines[named: $0])")
    }
    values += [
      ("restart.kind", restart.kind.rawValue), ("restart.strategy", restart.strategy.rawValue),
      ("restart.quarantineEnds", restart.quarantineEnds.rawValue),
    ]
    values += RestartPolicy.Number.allCases.map { ("restart.\($0.rawValue)", "\(restart[$0])") }
    values.append(("heartbeat.enabled", heartbeat.isEnabled ? "yes" : "no"))
    guard heartbeat.isEnabled else { return values }
    return values + [
      ("heartbeat.intervalMilliseconds", "\(heartbeat.intervalMilliseconds)"),
      ("heartbeat.timeoutMilliseconds", "\(heartbeat.timeoutMilliseconds)"),
    ]
  }

  private func trafficValues(
    _ moduleID: String, _ origin: ModuleOrigin, _ rules: [PolicyRule]
  ) -> [Value] {
    let rates = rates(for: moduleID, origin: origin)
    let own = EventPattern.ownID + ".*"
    var values: [Value] = ModuleRates.Name.allCases.map {
      ("rates.\($0.rawValue)", rates[$0].map { "\($0)" } ?? "no limit")
    }
    values += [
      ("publish", Self.list(rules.lazy.compactMap(\.publish).first?.map(\.text) ?? [own])),
      (
        "subscribe",
        Self.list(rules.lazy.compactMap(\.subscribe).first?.map(\.text) ?? [own, EventRules.publicLifecycle])
      ),
    ]
    if let networking = rules.lazy.compactMap(\.networking).first {
      values.append(("networking", Self.list(networking.allow.map(\.text))))
    }
    if let api = rules.lazy.compactMap(\.api).first {
      values.append(("api", Self.list(api.allow.map(\.text))))
    }
    values.append(("audit", audit(for: moduleID, origin: origin).rawValue))
    return values
  }

  private static func list(_ words: [String]) -> String {
    words.isEmpty ? "none" : words.joined(separator: ", ")
  }
}

extension NetworkTarget {
  /// One line: `GET HEAD https://example.com:8443`, the hosts of an entry one after the other.
  fileprivate var text: String {
    let verbs = methods.map(\.rawValue).joined(separator: " ")
    let port = ports.isEmpty ? "" : ":" + ports.map { "\($0)" }.joined(separator: "|")
    let urls = hosts.map { schemes.map(\.rawValue).joined(separator: "|") + "://" + $0.text + port }
    return verbs + " " + urls.joined(separator: " ")
  }
}

extension APITarget {
  /// One line: `GET /v1 /v2`.
  fileprivate var text: String {
    let verbs = methods.map { $0.map(\.rawValue).joined(separator: " ") } ?? "any method"
    return verbs + " " + paths.joined(separator: " ")
  }
}

extension NetworkHost {
  /// As the policy writes it.
  fileprivate var text: String {
    switch self {
    case .name(let name): name
    case .below(let name): "*.\(name)"
    case .address(let address): "\(address)"
    }
  }
}
