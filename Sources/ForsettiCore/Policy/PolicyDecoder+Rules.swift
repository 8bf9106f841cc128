/// What holds for a module of which no rule says otherwise.
struct PolicyDefaults {
  var sandbox = SandboxPolicy()
  var deadlines = PhaseDeadlines()
  var restart = RestartPolicy()
  var heartbeat = HeartbeatPolicy()
  var rates = ModuleRates()
}

extension PolicyReader {
  /// The defaults: the build's own, where the file is silent.
  mutating func defaults(_ node: PolicyNode) -> PolicyDefaults {
    var defaults = PolicyDefaults()
    guard let object = object(node, .defaults) else { return defaults }
    let settings = settings(of: object, over: defaults)
    for (name, value) in settings.limits { defaults.sandbox.limits[name] = value }
    defaults.sandbox.cgroup = settings.cgroup
    defaults.sandbox.direct = settings.direct ?? []
    defaults.sandbox.mayBeMissing = settings.mayBeMissing ?? []
    for (name, value) in settings.deadlines { defaults.deadlines[named: name] = value }
    defaults.restart = defaults.restart.changed(by: settings.restart)
    defaults.heartbeat = defaults.heartbeat.changed(by: settings.heartbeat)
    for (name, value) in settings.rates { defaults.rates[name] = value }
    return defaults
  }

  /// The rules, held against each other: one pattern and origin has one rule.
  mutating func rules(_ node: PolicyNode, defaults: PolicyDefaults) -> [PolicyRule] {
    var first: [RuleKey: (rule: PolicyRule, place: PolicyPlace)] = [:]
    var rules: [PolicyRule] = []
    for node in array(node) {
      guard let object = object(node, .rule), let rule = rule(object, defaults: defaults) else { continue }
      rules.append(rule)
      checkContradictions(object["deny"], opposite: rule.grant, "grants")
      let key = RuleKey(pattern: rule.pattern, origin: rule.origin)
      guard let earlier = first[key] else {
        first[key] = (rule, place(of: node))
        continue
      }
      fault(
        object["modules"] ?? node,
        "\(rule.pattern.text.quoted()) has a rule already at line \(earlier.place.line); put both into one")
      checkContradictions(object["deny"], opposite: earlier.rule.grant, "grants")
      checkContradictions(object["grant"], opposite: earlier.rule.deny, "denies")
    }
    return rules
  }

  /// Pair rules, each pair once.
  mutating func messages(_ node: PolicyNode) -> [MessageRule] {
    var first: [MessageKey: PolicyPlace] = [:]
    var rules: [MessageRule] = []
    for node in array(node) {
      guard let object = object(node, .message) else { continue }
      let from = object["from"].flatMap { pattern($0) }
      let to = object["to"].flatMap { pattern($0) }
      let allow = object["allow"].flatMap { boolean($0) }
      let fromOrigin = origin(object["fromOrigin"], for: from)
      let toOrigin = origin(object["toOrigin"], for: to)
      guard let from, let to, let allow, let fromOrigin, let toOrigin else { continue }
      let key = MessageKey(
        from: RuleKey(pattern: from, origin: fromOrigin), to: RuleKey(pattern: to, origin: toOrigin))
      if let place = first[key] {
        fault(node, "this pair has a rule already at line \(place.line)")
      } else {
        first[key] = place(of: node)
      }
      rules.append(
        MessageRule(
          from: from, fromOrigin: fromOrigin, to: to, toOrigin: toOrigin, allow: allow,
          reason: object["reason"]?.value.stringValue))
    }
    return rules
  }

  /// An array of exact module IDs, each once whatever its case.
  mutating func moduleIDs(_ node: PolicyNode) -> [String] {
    list(node, key: ModulePattern.folded) { $0.moduleID($1) }.map(\.element)
  }

  /// An exact module ID.
  mutating func moduleID(_ node: PolicyNode) -> String? {
    guard let pattern = pattern(node) else { return nil }
    if !pattern.isExact {
      fault(node, "one module's ID is meant, not a pattern")
      return nil
    }
    return pattern.text
  }

  private mutating func rule(_ object: PolicyObjectNode, defaults: PolicyDefaults) -> PolicyRule? {
    let pattern = object["modules"].flatMap { self.pattern($0) }
    let origin = origin(object["origin"], for: pattern)
    let grant = object["grant"].map { capabilities($0) } ?? [:]
    let deny = object["deny"].map { capabilities($0) } ?? [:]
    let optional = object["optional"].map { capabilities($0) } ?? [:]
    let settings = settings(of: object, over: defaults)
    let publish = object["publish"].map { eventPatterns($0, areForPublishing: true) }
    let subscribe = object["subscribe"].map { eventPatterns($0, areForPublishing: false) }
    let networking = object["networking"].flatMap { self.networking($0) }
    let api = object["api"].map { apiRules($0) }
    guard let pattern, let origin else { return nil }
    var rule = PolicyRule(
      pattern, origin: origin, optional: Set(optional.keys), limits: settings.limits,
      mayBeMissing: settings.mayBeMissing, deadlines: settings.deadlines, restart: settings.restart,
      rates: settings.rates, publish: publish, subscribe: subscribe,
      networking: networking, api: api,
      reason: object["reason"]?.value.stringValue)
    rule.heartbeat = settings.heartbeat
    rule.cgroup = settings.cgroup
    rule.direct = settings.direct
    rule.audit = object["audit"].flatMap { choice($0, "audit permission", of: AuditPermission.self) }
    rule.grant = grant
    rule.deny = deny
    rule.places = places(of: object, PolicySetting.ruleKeys)
    return rule
  }

  /// Notes every capability of a list that the same pattern says the opposite of elsewhere.
  private mutating func checkContradictions(
    _ list: PolicyNode?, opposite: [Capability: PolicyPlace], _ verb: String
  ) {
    guard let list, let elements = list.value.elements, !opposite.isEmpty else { return }
    for (index, element) in elements.enumerated() {
      guard let capability = element.stringValue.flatMap(Capability.init(rawValue:)),
        let place = opposite[capability]
      else { continue }
      fault(
        list.element(index, element),
        "contradicts line \(place.line), column \(place.column), where the same pattern \(verb) "
          + capability.rawValue.quoted())
    }
  }

  private mutating func pattern(_ node: PolicyNode) -> ModulePattern? {
    guard let text = string(node) else { return nil }
    do {
      return try ModulePattern(text)
    } catch {
      fault(node, "no module ID pattern: \(error.reason)")
      return nil
    }
  }

  private mutating func capabilities(_ node: PolicyNode) -> [Capability: PolicyPlace] {
    var found: [Capability: PolicyPlace] = [:]
    for (capability, node) in list(
      node, key: { $0 }, read: { $0.choice($1, "capability", of: Capability.self) })
    {
      found[capability] = place(of: node)
    }
    return found
  }

  private mutating func eventPatterns(_ node: PolicyNode, areForPublishing: Bool) -> [EventPattern] {
    list(node, key: { ModulePattern.folded($0.text) }) { (reader, node) -> EventPattern? in
      guard let text = reader.string(node) else { return nil }
      if areForPublishing, EventPattern.isReserved(text) {
        reader.fault(node, "no module publishes in \"forsetti.\"")
        return nil
      }
      do throws(EventPatternFault) {
        return try EventPattern(text)
      } catch {
        reader.fault(node, "no event pattern: \(error.reason)")
        return nil
      }
    }.map(\.element)
  }

  /// Whose code a rule is for; `nil` where what it says is no origin.
  private mutating func origin(_ node: PolicyNode?, for pattern: ModulePattern?) -> RuleOrigin? {
    guard let node else { return .builtIn }
    guard let object = object(node, .origin) else { return nil }
    switch (object["sha256"], object["key"]) {
    case (.some, .some):
      fault(node, "\"sha256\" or \"key\" is meant, not both")
      return nil
    case (nil, nil):
      fault(node, "\"sha256\" or \"key\" is missing; without an origin a rule is for built-in modules")
      return nil
    case (let hash?, nil): return hashOrigin(hash, for: pattern)
    case (nil, let key?): return keyOrigin(key)
    }
  }

  private mutating func hashOrigin(_ node: PolicyNode, for pattern: ModulePattern?) -> RuleOrigin? {
    guard let text = string(node) else { return nil }
    guard text.utf8.count == 64, text.utf8.allSatisfy(Self.isLowerHex) else {
      fault(node, "a SHA-256 is meant: 64 digits of lower-case hex")
      return nil
    }
    if let pattern, !pattern.isExact {
      fault(node, "a pattern matches a bundle by its key alone; name the module, or use \"key\"")
      return nil
    }
    return .sha256(text)
  }

  private mutating func keyOrigin(_ node: PolicyNode) -> RuleOrigin? {
    guard let text = string(node) else { return nil }
    guard text.utf8.count == 56, text.hasPrefix("RW"), text.utf8.allSatisfy(Self.isBase64) else {
      fault(node, "a minisign public key is meant: 56 characters of base64 that begin with RW")
      return nil
    }
    return .key(text)
  }

  private static func isLowerHex(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
    default: false
    }
  }
}

/// What makes two rules the same.
private struct RuleKey: Hashable {
  let pattern: ModulePattern
  let origin: RuleOrigin
}

private struct MessageKey: Hashable {
  let from: RuleKey
  let to: RuleKey
}
