extension Policy {
  /// Limits, direct grants and missing layers of a module: the defaults, overridden by its rules from the weakest on.
  public func sandbox(for moduleID: String, origin: ModuleOrigin = .builtIn) -> SandboxPolicy {
    var sandbox = sandboxDefaults
    for rule in rules(for: moduleID, origin: origin).reversed() {
      for (name, value) in rule.limits { sandbox.limits[name] = value }
      sandbox.cgroup = sandbox.cgroup.changed(by: rule.cgroup)
      if let direct = rule.direct { sandbox.direct = direct }
      if let layers = rule.mayBeMissing { sandbox.mayBeMissing = layers }
    }
    return sandbox
  }

  /// Every sandbox that it gives: to a built-in and to a bundle that no rule names, and to the modules of each rule.
  public var sandboxes: [(isBundle: Bool, sandbox: SandboxPolicy)] {
    [(false, sandboxDefaults), (true, sandboxDefaults)]
      + rules.map { rule in
        // A pattern is asked by one ID that it matches.
        let id = rule.pattern.text.split(separator: "*", omittingEmptySubsequences: false).joined(
          separator: "x")
        let origin = rule.sampleOrigin
        return (!origin.isBuiltIn, sandbox(for: id, origin: origin))
      }
  }

  /// Deadlines of a module, milliseconds.
  public func deadlines(for moduleID: String, origin: ModuleOrigin = .builtIn) -> PhaseDeadlines {
    var deadlines = deadlineDefaults
    for rule in rules(for: moduleID, origin: origin).reversed() {
      for (name, value) in rule.deadlines { deadlines[named: name] = value }
    }
    return deadlines
  }

  /// Restart policy of a module.
  public func restart(for moduleID: String, origin: ModuleOrigin = .builtIn) -> RestartPolicy {
    var restart = restartDefaults
    for rule in rules(for: moduleID, origin: origin).reversed() {
      restart = restart.changed(by: rule.restart)
    }
    return restart
  }

  /// Who provides a role; silence means the host. `ui` is never named here: its provider is the UI module.
  public func provider(of role: DefaultModuleRole) -> RoleProvider {
    roles[role] ?? .host
  }

  /// What a module may publish and subscribe to. Resolve it once per activation and ask it for each event.
  public func eventRules(for moduleID: String, origin: ModuleOrigin = .builtIn) -> EventRules {
    let rules = rules(for: moduleID, origin: origin)
    return EventRules(
      moduleID: moduleID, publish: rules.lazy.compactMap(\.publish).first,
      subscribe: rules.lazy.compactMap(\.subscribe).first)
  }

  /// What a module may reach by the networking service: the strongest rule that says anything of it decides.
  public func networking(for moduleID: String, origin: ModuleOrigin = .builtIn) -> NetworkingRules {
    rules(for: moduleID, origin: origin).lazy.compactMap(\.networking).first ?? NetworkingRules()
  }

  /// Whether anything may leave the host: requests of modules, their telemetry, or spans of their calls.
  public var reachesNetwork: Bool {
    if traces != nil { return true }
    if case .collector = telemetry { return true }
    return rules.contains { $0.networking?.allow.isEmpty == false }
  }

  /// Whether a module may publish events of a type. For one question; `eventRules(for:)` is for many.
  public func mayPublish(
    moduleID: String, eventType: String, origin: ModuleOrigin = .builtIn
  ) -> Bool {
    eventRules(for: moduleID, origin: origin).mayPublish(eventType)
  }

  /// Whether a message between two modules passes the pair rules. Without one, built-ins may write to each other,
  /// and no message goes to or from a bundle.
  public func mayMessage(
    from sender: String, _ senderOrigin: ModuleOrigin = .builtIn, to receiver: String,
    _ receiverOrigin: ModuleOrigin = .builtIn
  ) -> Bool {
    let (from, to) = (ModulePattern.folded(sender), ModulePattern.folded(receiver))
    var deciding: MessageRule?
    for rule in messages
    where rule.fromOrigin.admits(senderOrigin) && rule.toOrigin.admits(receiverOrigin)
      && rule.from.matches(folded: from) && rule.to.matches(folded: to)
    {
      if let current = deciding, !rule.decides(over: current) { continue }
      deciding = rule
    }
    return deciding?.allow ?? (senderOrigin == .builtIn && receiverOrigin == .builtIn)
  }
}

extension MessageRule {
  fileprivate func decides(over other: MessageRule) -> Bool {
    if from.precedence != other.from.precedence { return from.precedence > other.from.precedence }
    if to.precedence != other.to.precedence { return to.precedence > other.to.precedence }
    return !allow && other.allow
  }
}
