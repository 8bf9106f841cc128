/// The keys of a policy that are not of single modules: what a change of each means for a supervisor that runs.
public enum PolicyKey: String, Sendable, Hashable, CaseIterable {
  case host, registration, onDrift, entitlements, activation, roles, userIDs, ui, spin, telemetry, traces,
    bundles
  case control, console, messages, audit, views, secrets

  /// Whether a change waits for the next start: what it says is built into what was opened then.
  public var needsRestart: Bool {
    switch self {
    case .entitlements, .userIDs, .spin, .telemetry, .traces, .control, .console: true
    case .host, .registration, .onDrift, .activation, .roles, .ui, .bundles, .messages, .audit, .views,
      .secrets:
      false
    }
  }
}

extension Policy {
  /// The keys whose meaning differs from that in an earlier policy.
  public func keys(differingFrom earlier: Policy) -> [PolicyKey] {
    PolicyKey.allCases.filter { key in
      switch key {
      case .host: standsInFor != earlier.standsInFor
      case .registration: registration != earlier.registration
      case .onDrift: onDrift != earlier.onDrift
      case .entitlements: entitlements != earlier.entitlements
      case .activation:
        activationOrder != earlier.activationOrder || selectedUIModuleID != earlier.selectedUIModuleID
      case .roles: roles != earlier.roles
      case .userIDs: userIDs != earlier.userIDs
      case .ui: mayHostUseThemeMasks != earlier.mayHostUseThemeMasks
      case .spin: spin != earlier.spin
      case .telemetry: telemetry != earlier.telemetry
      case .traces: traces != earlier.traces
      case .bundles: bundles != earlier.bundles
      case .control: control != earlier.control
      case .console: console != earlier.console
      case .messages: messages != earlier.messages
      case .audit: audit != earlier.audit
      case .views: views != earlier.views
      case .secrets: secrets != earlier.secrets
      }
    }
  }
}
