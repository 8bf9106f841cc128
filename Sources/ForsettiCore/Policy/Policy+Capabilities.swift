extension Policy: CapabilityPolicy {
  /// The decision for a module of the host executable.
  public func decision(moduleID: String, capability: Capability) -> CapabilityDecision {
    decision(moduleID: moduleID, capability: capability, origin: .builtIn).forCompatibility(in: file)
  }

  /// The decision with its source. The strongest rule that says anything decides: an exact ID beats a pattern,
  /// a longer pattern a shorter one, and between equals a denial wins. Silence denies.
  public func decision(
    moduleID: String, capability: Capability, origin: ModuleOrigin
  ) -> PolicyDecision {
    Self.decision(capability, by: rules(for: moduleID, origin: origin), in: file)
  }

  /// The policy as seen by a module of one origin, for the compatibility check.
  public func seen(from origin: ModuleOrigin) -> any CapabilityPolicy {
    OriginPolicy(policy: self, origin: origin)
  }

  /// What the module gets of what its manifest asks.
  public func grants(for manifest: ModuleManifest, origin: ModuleOrigin = .builtIn) -> PolicyGrants {
    let rules = rules(for: manifest.moduleID, origin: origin)
    return PolicyGrants(
      decisions: manifest.capabilitiesRequested.map { Self.decision($0, by: rules, in: file) })
  }

  /// Whether any rule is for this module of this origin. A bundle of which none says anything is nobody's.
  public func names(_ moduleID: String, origin: ModuleOrigin) -> Bool {
    !rules(for: moduleID, origin: origin).isEmpty
  }

  /// The minisign public keys that rules trust, in file order, each once.
  public var signingKeys: [String] {
    var seen: Set<String> = []
    return rules.compactMap {
      if case .key(let key) = $0.origin, seen.insert(key).inserted { key } else { nil }
    }
  }

  /// The rules that a module falls under, strongest first.
  func rules(for moduleID: String, origin: ModuleOrigin) -> [PolicyRule] {
    let folded = ModulePattern.folded(moduleID)
    let exact = (exactRules[folded] ?? []).filter { $0.origin.admits(origin) }
    return exact + wideRules.filter { $0.origin.admits(origin) && $0.pattern.matches(folded: folded) }
  }

  private static func decision(
    _ capability: Capability, by rules: [PolicyRule], in file: String
  ) -> PolicyDecision {
    var granting: PolicyRule?
    for rule in rules {
      if let granting, granting.pattern.precedence != rule.pattern.precedence { break }
      if let place = rule.deny[capability] {
        return denial(of: capability, by: rule, at: place, among: rules, in: file)
      }
      if granting == nil, rule.grant[capability] != nil { granting = rule }
    }
    if let granting, let place = granting.grant[capability] {
      return PolicyDecision(
        capability: capability, verdict: .granted, source: granting.source(in: file, at: place),
        reason: granting.reason ?? "granted")
    }
    let isOptional = rules.contains { $0.optional.contains(capability) }
    return PolicyDecision(
      capability: capability, verdict: isOptional ? .leftOut : .denied,
      reason: "no rule of \(file) grants it")
  }

  private static func denial(
    of capability: Capability, by rule: PolicyRule, at place: PolicyPlace, among rules: [PolicyRule],
    in file: String
  ) -> PolicyDecision {
    let isOptional = rules.contains { $0.optional.contains(capability) }
    return PolicyDecision(
      capability: capability, verdict: isOptional ? .leftOut : .denied,
      source: rule.source(in: file, at: place), reason: rule.reason ?? "denied")
  }
}

extension PolicyRule {
  func source(in file: String, at place: PolicyPlace) -> PolicySource {
    PolicySource(file: file, line: place.line, column: place.column, pattern: pattern.text)
  }
}

extension PolicyDecision {
  /// The decision in the words of the compatibility check.
  func forCompatibility(in file: String) -> CapabilityDecision {
    let place = source?.text ?? file
    switch verdict {
    case .granted: return .granted(source: place)
    case .denied: return .denied(reason: reason, source: place)
    case .leftOut: return .optionalDenied(reason: reason, source: place)
    }
  }
}

/// A policy with the origin already chosen.
private struct OriginPolicy: CapabilityPolicy {
  let policy: Policy
  let origin: ModuleOrigin

  func decision(moduleID: String, capability: Capability) -> CapabilityDecision {
    policy.decision(moduleID: moduleID, capability: capability, origin: origin)
      .forCompatibility(in: policy.file)
  }
}
