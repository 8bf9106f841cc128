/// A module that a policy is linted for.
public struct LintedModule: Sendable {
  /// What it asks for.
  public var manifest: ModuleManifest
  /// Whose code it is.
  public var origin: ModuleOrigin

  /// Names a module.
  public init(_ manifest: ModuleManifest, origin: ModuleOrigin) {
    self.manifest = manifest
    self.origin = origin
  }
}

/// Looks for what is risky in a policy that is valid. It reads the text itself, as only there each line has its place and
/// its reason.
public struct PolicyLint {
  private let places: PolicyReader
  private let policy: Policy
  private let modules: [LintedModule]
  /// By ID in lower case: a policy may name thousands.
  private let modulesByID: [[UInt8]: [LintedModule]]
  private(set) var findings: [LintFinding] = []

  /// Lints a policy.
  /// - Parameters:
  ///   - policy: what the bytes were decoded to.
  ///   - modules: all that are there.
  /// - Returns: what was found, in the order of the text.
  public static func findings(
    in bytes: [UInt8], of policy: Policy, for modules: [LintedModule]
  ) -> [LintFinding] {
    // It was decoded already; without a tree there is nothing to say.
    guard let document = try? JSONParser.parse(bytes, limits: PolicyDecoder.limits) else { return [] }
    var lint = PolicyLint(
      places: PolicyReader(file: policy.file, bytes: bytes), policy: policy, modules: modules)
    lint.read(LintNode(root: document.root))
    return lint.findings.enumerated().sorted { left, right in
      (left.element.place.line, left.element.place.column, left.offset)
        < (right.element.place.line, right.element.place.column, right.offset)
    }.map(\.element)
  }

  private init(
    places: PolicyReader, policy: Policy, modules: [LintedModule]
  ) {
    self.places = places
    self.policy = policy
    self.modules = modules
    modulesByID = Dictionary(grouping: modules) { ModulePattern.folded($0.manifest.moduleID) }
  }

  private mutating func find(_ rule: LintRule, _ node: LintNode, _ message: String) {
    findings.append(
      LintFinding(
        rule: rule, place: places.place(of: node.node), pointer: node.node.pointer, message: message,
        reason: rule.level == .error ? node.reason : nil))
  }

  // MARK: The policy as a whole

  private mutating func read(_ root: LintNode) {
    if let node = root["onDrift"], policy.onDrift == .accept {
      find(.driftAccepted, node, "accepts a module that has changed; \"refuse\" has a person accept it")
    }
    if let node = root["entitlements"], policy.entitlements == .allowAll {
      find(.everythingUnlocked, node, "unlocks every product; a provider \"static\" or \"file\" lists them")
    }
    if let node = root["host"]?["standsInFor"], !policy.standsInFor.isEmpty {
      find(.standsIn, node, "runs modules for \(listed(node.texts)) on Linux")
    }
    if let node = root["audit"], policy.audit == .allowed {
      find(.auditAllowed, node, "lets any module be audited; say it in the rule of the module that needs it")
    }
    if let node = root["telemetry"], case .collector(let url) = policy.telemetry, isInClear(url) {
      find(.telemetryInClear, node["url"] ?? node, "sends events in clear text; use https")
    }
    if let node = root["traces"], let traces = policy.traces, isInClear(traces.url) {
      find(.telemetryInClear, node["url"] ?? node, "sends what modules call in clear text; use https")
    }
    for right in [ControlRight.change, .trust] {
      guard let node = root["control"]?[right.rawValue], !node.elements.isEmpty else { continue }
      find(.sharedControl, node, "\(counted(node.elements.count)) may \(right.rawValue) what runs")
    }
    if let node = root["defaults"] { settings(node, "every module") }
    for (index, node) in (root["rules"]?.elements ?? []).enumerated() where index < policy.rules.count {
      rule(node, policy.rules[index])
    }
    for node in root["messages"]?.elements ?? [] { message(node) }
  }

  private func counted(_ count: Int) -> String {
    count == 1 ? "one user or group" : "\(count) users or groups"
  }

  private func isInClear(_ url: String) -> Bool {
    guard url.lowercased().hasPrefix("http://") else { return false }
    let host = url.dropFirst("http://".utf8.count).prefix { $0 != "/" }
    return !["127.0.0.1", "[::1]", "localhost"].contains { host == $0 || host.hasPrefix("\($0):") }
  }

  private mutating func message(_ node: LintNode) {
    guard node.value["allow"]?.boolValue == true else { return }
    for end in ["from", "to"] {
      guard let pattern = node[end], pattern.value.stringValue?.contains("*") == true else { continue }
      find(.anyMessage, pattern, "lets messages \(end) every such module pass; name them one by one")
    }
  }

  // MARK: Rules

  private mutating func rule(_ node: LintNode, _ rule: PolicyRule) {
    let name = rule.pattern.text
    if !rule.grant.isEmpty, !rule.pattern.isExact, let grant = node["grant"] {
      find(.wideGrant, grant, "grants \(listed(grant.texts)) to \(name); name the modules one by one")
    }
    for grant in node["grant"]?.elements ?? [] {
      self.grant(grant, of: rule)
    }
    if rule.grant[.api] != nil, rule.api == nil, !isProviderOfAPI(rule), let grant = node["grant"] {
      find(.unlimitedAPI, grant, "\(name) may ask anything of the provider of api; list paths with \"api\"")
    }
    if case .key = rule.origin, policy.registration == .automatic, let origin = node["origin"] {
      find(
        .unreviewedBundles, origin,
        "whatever this key signed is registered by itself; \"registration\": \"reviewed\" has a person look first"
      )
    }
    settings(node, name)
    unlimitedProcessor(node, rule)
    networking(node["networking"], name)
    for key in ["publish", "subscribe"] {
      for pattern in node[key]?.elements ?? [] where pattern.value.stringValue == "*" {
        find(.anyEvent, pattern, "\(name) may \(key) events of every type; list those that it needs")
      }
    }
    matches(node, rule)
  }

  /// Whoever provides the role asks nobody.
  private func isProviderOfAPI(_ rule: PolicyRule) -> Bool {
    guard rule.pattern.isExact, case .module(let id)? = policy.roles[.api] else { return false }
    return rule.pattern.matches(id)
  }

  private mutating func grant(_ node: LintNode, of rule: PolicyRule) {
    guard let capability = node.value.stringValue.flatMap(Capability.init(rawValue:)) else { return }
    if capability == .networking || capability == .secureStorage {
      let what = capability == .networking ? "reach the network" : "keep secrets"
      find(.powerfulGrant, node, "\(rule.pattern.text) may \(what)")
    }
    guard rule.pattern.isExact else { return }
    let named = modules(of: rule)
    if !named.isEmpty, named.allSatisfy({ !$0.manifest.capabilitiesRequested.contains(capability) }) {
      find(.unaskedGrant, node, "\(rule.pattern.text) does not ask for \(capability.rawValue): take it out")
    }
  }

  private mutating func matches(_ node: LintNode, _ rule: PolicyRule) {
    if modules(of: rule).isEmpty, let pattern = node["modules"] {
      find(.ruleWithoutModule, pattern, "there is no module that this rule is for")
    }
  }

  /// The modules that a rule is for; of a pattern's the first is enough.
  private func modules(of rule: PolicyRule) -> [LintedModule] {
    guard rule.pattern.isExact else {
      return modules.first { rule.pattern.matches($0.manifest.moduleID) && rule.origin.admits($0.origin) }
        .map { [$0] } ?? []
    }
    return (modulesByID[rule.pattern.folded] ?? []).filter { rule.origin.admits($0.origin) }
  }

  private mutating func unlimitedProcessor(_ node: LintNode, _ rule: PolicyRule) {
    guard rule.origin != .builtIn, let origin = node["origin"] else { return }
    let seconds = rule.limits[.cpuSeconds] ?? policy.sandboxDefaults.limits.cpuSeconds
    let percent = rule.cgroup[.cpuPercent] ?? policy.sandboxDefaults.cgroup[.cpuPercent]
    if seconds == 0, percent == nil {
      find(
        .unlimitedProcessor, origin,
        "\(rule.pattern.text) has no \"cpuSeconds\" in \"limits\" and no \"cpuPercent\" in \"cgroup\"")
    }
  }

  /// What a rule and the defaults have in common.
  private mutating func settings(_ node: LintNode, _ name: String) {
    let sandbox = node["sandbox"]
    if let direct = sandbox?["direct"], !direct.elements.isEmpty {
      find(.directGrant, direct, "\(name) may use \(listed(direct.texts)) of the kernel itself")
    }
    if let missing = sandbox?["mayBeMissing"], !missing.elements.isEmpty {
      find(.missingLayer, missing, "\(name) may run without \(listed(missing.texts))")
    }
    if let enabled = node["heartbeat"]?["enabled"], enabled.value.boolValue == false {
      find(.noHeartbeat, enabled, "\(name) is never asked whether it still turns")
    }
    if let ends = node["restart"]?["quarantineEnds"], ends.value.stringValue == "supervisorStart" {
      find(.quarantineForgotten, ends, "\(name) runs again after a quarantine when the supervisor starts")
    }
    if let audit = node["audit"], audit.choice == AuditPermission.allowed.rawValue {
      find(.auditAllowed, audit, "\(name) may be audited; take it out when the audit is done")
    }
  }

  private mutating func networking(_ node: LintNode?, _ name: String) {
    for target in node?["allow"]?.elements ?? [] {
      for scheme in target["schemes"]?.elements ?? [] where scheme.value.stringValue == "http" {
        find(.plainHTTP, scheme, "\(name) may use http; leave https alone")
      }
      for host in target["hosts"]?.elements ?? [] where host.value.stringValue?.hasPrefix("*.") == true {
        find(.wideHost, host, "\(name) may reach every name below a domain; list the names")
      }
      if let addresses = target["addresses"], !addresses.elements.isEmpty {
        find(.privateAddresses, addresses, "\(name) may reach \(listed(addresses.texts))")
      }
      let writing = target["methods"]?.texts.filter { !["GET", "HEAD", "OPTIONS"].contains($0) } ?? []
      if let methods = target["methods"], !writing.isEmpty {
        find(.writingMethods, methods, "\(name) may send \(listed(writing))")
      }
    }
  }

  private func listed(_ texts: [String]) -> String { texts.joined(separator: ", ") }
}
