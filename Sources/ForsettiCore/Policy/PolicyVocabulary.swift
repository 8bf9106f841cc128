/// The objects of a policy file and their keys; raw values are the names of their definitions in
/// `Resources/Schemas/policy.schema.json`. A test holds both to each other.
enum PolicyObject: String, CaseIterable {
  case policy, host, choice, entitlements, activation, roles, userIDs, ui, defaults, sandbox, limits, cgroup
  case deadlineMilliseconds, restart, heartbeat, rates, rule, origin, message, networking, networkTarget
  case apiTarget, telemetry, traces, bundles, control, controlHolder, console, secret, secretField

  /// Every key the decoder knows, in the order of the documentation.
  var keys: [String] {
    switch self {
    case .policy:
      [
        "$schema", "policyVersion", "reason", "host", "registration", "onDrift", "entitlements", "activation",
        "roles", "userIDs", "ui", "views", "spin", "telemetry", "traces", "bundles", "control", "console",
        "audit",
        "defaults", "rules", "messages", "secrets",
      ]
    case .host: ["standsInFor", "reason"]
    case .choice: ["value", "reason"]
    case .entitlements: ["provider", "moduleIDs", "productIDs", "path", "reason"]
    case .activation: ["order", "selectedUIModuleID", "reason"]
    case .roles: DefaultModuleRole.providedRoles.map(\.rawValue) + ["reason"]
    case .userIDs: ["first", "count", "reason"]
    case .ui: ["hostUsesThemeMasks", "reason"]
    case .defaults: ["sandbox", "deadlineMilliseconds", "restart", "heartbeat", "rates", "reason"]
    case .sandbox: ["limits", "cgroup", "direct", "mayBeMissing", "reason"]
    case .limits: SandboxLimits.Name.allCases.map(\.rawValue) + ["reason"]
    case .cgroup: CgroupLimits.Name.allCases.map(\.rawValue) + ["reason"]
    case .deadlineMilliseconds: PhaseDeadlines.Name.allCases.map(\.rawValue) + ["reason"]
    case .restart:
      ["kind", "strategy", "quarantineEnds"] + RestartPolicy.Number.allCases.map(\.rawValue) + ["reason"]
    case .heartbeat: ["enabled"] + HeartbeatPolicy.Number.allCases.map(\.rawValue) + ["reason"]
    case .rates: ModuleRates.Name.allCases.map(\.rawValue) + ["reason"]
    case .rule:
      [
        "modules", "origin", "reason", "grant", "deny", "optional", "sandbox", "deadlineMilliseconds",
        "restart", "heartbeat", "rates", "publish", "subscribe", "networking", "api", "audit",
      ]
    case .origin: ["sha256", "key", "reason"]
    case .message: ["from", "fromOrigin", "to", "toOrigin", "allow", "reason"]
    case .apiTarget: ["paths", "methods", "reason"]
    case .telemetry: ["destination", "bytes", "files", "url", "reason"]
    case .traces: ["url", "rate", "reason"]
    case .bundles: ["folder", "executableBytes", "reason"]
    case .control: ControlRight.allCases.map(\.rawValue) + ["reason"]
    case .controlHolder: ["uid", "gid", "reason"]
    case .console: ["listen", "reason"]
    case .secret: ["secretID", "module", "title", "fields", "reason"]
    case .secretField: ["fieldID", "label", "kind", "choices", "required", "reason"]
    case .networking: ["allow"] + NetworkingRules.Number.allCases.map(\.rawValue) + ["reason"]
    case .networkTarget: ["hosts", "schemes", "ports", "methods", "addresses", "reason"]
    }
  }

  /// Keys without which the object makes no sense.
  var requiredKeys: [String] {
    switch self {
    case .policy: ["policyVersion"]
    case .choice: ["value"]
    case .entitlements: ["provider"]
    case .userIDs: ["first", "count"]
    case .rule: ["modules"]
    case .message: ["from", "to", "allow"]
    case .networkTarget: ["hosts"]
    case .apiTarget: ["paths"]
    case .telemetry: ["destination"]
    case .traces: ["url", "rate"]
    case .console: ["listen"]
    case .secret: ["secretID", "module", "title", "fields"]
    case .secretField: ["fieldID", "label", "kind"]
    default: []
    }
  }
}

/// The entitlement providers by their names in the file.
enum EntitlementProviderName: String, CaseIterable {
  case allowAll
  case fixed = "static"
  case file

  /// The keys that belong to this provider.
  var keys: Set<String> {
    switch self {
    case .allowAll: []
    case .fixed: ["moduleIDs", "productIDs"]
    case .file: ["path"]
    }
  }
}

extension DefaultModuleRole {
  /// The roles that a policy names a provider for: all but `ui`, whose provider is the UI module itself.
  static let providedRoles = allCases.filter { $0 != .ui }
}

extension SandboxLayer {
  /// The layers that a policy may let a module run without: those that a supported kernel can lack. The rest is
  /// what holds a module at all.
  static let dispensable: [SandboxLayer] = [.landlock]
}
