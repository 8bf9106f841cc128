/// A place in the policy's text.
public struct PolicyPlace: Sendable, Hashable {
  /// 1-based; 0 for a policy made in code.
  public var line: Int
  /// 1-based, in Unicode scalars; 0 for a policy made in code.
  public var column: Int

  /// Makes a place; the default is none.
  public init(line: Int = 0, column: Int = 0) {
    self.line = line
    self.column = column
  }
}

/// Whose code a rule is for. A rule that names no origin is for built-in modules only (SPEC §2).
public enum RuleOrigin: Sendable, Hashable {
  /// Modules of the host executable.
  case builtIn
  /// The bundle whose executable has this SHA-256, lower-case hex.
  case sha256(String)
  /// Every bundle signed with this minisign public key.
  case key(String)

  /// Whether code of this origin falls under the rule.
  public func admits(_ origin: ModuleOrigin) -> Bool {
    switch (self, origin) {
    case (.builtIn, .builtIn): true
    case (.sha256(let named), .bundle(let sha256, _)): named == sha256
    case (.key(let named), .bundle(_, let key)): named == key
    default: false
    }
  }
}

/// What a policy says of the modules that one pattern names. Everything not said falls to the next weaker rule
/// and at last to the policy's defaults.
public struct PolicyRule: Sendable, Hashable {
  /// The modules it is for.
  public var pattern: ModulePattern
  /// Whose code it is for.
  public var origin: RuleOrigin
  /// Capabilities it grants, each with the place of the word.
  public var grant: [Capability: PolicyPlace]
  /// Capabilities it denies, each with the place of the word.
  public var deny: [Capability: PolicyPlace]
  /// Capabilities without which its modules may run where they are denied.
  public var optional: Set<Capability>
  /// rlimits that differ.
  public var limits: [SandboxLimits.Name: UInt64]
  /// Limits of its modules' cgroups that differ.
  public var cgroup = CgroupLimits()
  /// Direct grants; `nil` is silence.
  public var direct: Set<DirectGrant>?
  /// Layers that may be missing; `nil` is silence.
  public var mayBeMissing: Set<SandboxLayer>?
  /// Deadlines that differ, milliseconds.
  public var deadlines: [PhaseDeadlines.Name: Int]
  /// What differs of restarts.
  public var restart: RestartSettings
  /// What differs of heartbeats.
  public var heartbeat = HeartbeatSettings()
  /// Rates that differ.
  public var rates: [ModuleRates.Name: Int]
  /// Event types its modules may publish; `nil` is silence.
  public var publish: [EventPattern]?
  /// Event types its modules may subscribe to; `nil` is silence.
  public var subscribe: [EventPattern]?
  /// What its modules may reach by the networking service; `nil` is silence.
  public var networking: NetworkingRules?
  /// What its modules may ask of the provider of `api`; `nil` is silence.
  public var api: APIRules?
  /// Whether its modules may be audited; `nil` is silence.
  public var audit: AuditPermission?
  /// What the rule is for, in words.
  public var reason: String?
  /// Where the file says what the rule says besides capabilities, by the way to it from the rule, such as
  /// `sandbox.limits.openFiles`; empty for a rule made in code.
  public internal(set) var places: [String: PolicyPlace] = [:]

  /// Makes a rule in code; the default says nothing.
  public init(
    _ pattern: ModulePattern, origin: RuleOrigin = .builtIn, grant: [Capability] = [],
    deny: [Capability] = [], optional: Set<Capability> = [], limits: [SandboxLimits.Name: UInt64] = [:],
    mayBeMissing: Set<SandboxLayer>? = nil, deadlines: [PhaseDeadlines.Name: Int] = [:],
    restart: RestartSettings = RestartSettings(),
    rates: [ModuleRates.Name: Int] = [:],
    publish: [EventPattern]? = nil, subscribe: [EventPattern]? = nil, networking: NetworkingRules? = nil,
    api: APIRules? = nil,
    reason: String? = nil
  ) {
    self.pattern = pattern
    self.origin = origin
    self.grant = Dictionary(grant.map { ($0, PolicyPlace()) }, uniquingKeysWith: { first, _ in first })
    self.deny = Dictionary(deny.map { ($0, PolicyPlace()) }, uniquingKeysWith: { first, _ in first })
    self.optional = optional
    self.limits = limits
    self.mayBeMissing = mayBeMissing
    self.deadlines = deadlines
    self.restart = restart
    self.rates = rates
    self.publish = publish
    self.subscribe = subscribe
    self.networking = networking
    self.api = api
    self.reason = reason
  }
}

/// Whether messages between two kinds of module pass (SPEC §5). The more exact sender decides, then the more
/// exact receiver; between equals a denial wins.
public struct MessageRule: Sendable, Hashable {
  /// The senders it is for.
  public var from: ModulePattern
  /// Whose code the sender is.
  public var fromOrigin: RuleOrigin
  /// The receivers it is for.
  public var to: ModulePattern
  /// Whose code the receiver is.
  public var toOrigin: RuleOrigin
  /// Whether the message passes.
  public var allow: Bool
  /// What the rule is for, in words.
  public var reason: String?

  /// Makes a rule.
  public init(
    from: ModulePattern, fromOrigin: RuleOrigin = .builtIn, to: ModulePattern,
    toOrigin: RuleOrigin = .builtIn, allow: Bool, reason: String? = nil
  ) {
    self.from = from
    self.fromOrigin = fromOrigin
    self.to = to
    self.toOrigin = toOrigin
    self.allow = allow
    self.reason = reason
  }
}
