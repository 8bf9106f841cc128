/// What a deployment allows: one value, read from one file, asked by every other part. It has no effects of its
/// own and gives the same answer to the same question. A policy of which nothing is said denies everything.
public struct Policy: Sendable, Hashable {
  /// Last component of the path it was read from, for messages.
  public let file: String
  /// Platforms this host stands in for, besides its own (SPEC §2).
  public let standsInFor: [Platform]
  /// Whether a first activation needs a person's word.
  public private(set) var registration: Registration
  /// What happens when a module differs from its registration record.
  public let onDrift: DriftAction
  /// Who says which modules are unlocked.
  public private(set) var entitlements: EntitlementSource
  /// Module IDs in the order in which they are activated, exactly as written.
  public let activationOrder: [String]
  /// The UI module that the first boot selects.
  public let selectedUIModuleID: String?
  /// Providers by role; a role without an entry is the host's.
  public let roles: [DefaultModuleRole: RoleProvider]
  /// The sandbox of a module of which no rule says otherwise.
  public let sandboxDefaults: SandboxPolicy
  /// The deadlines of a module of which no rule says otherwise.
  public let deadlineDefaults: PhaseDeadlines
  /// The restart policy of a module of which no rule says otherwise.
  public let restartDefaults: RestartPolicy
  /// Heartbeats of modules without a word of their own.
  public let heartbeatDefaults: HeartbeatPolicy
  /// The rates of a module of which no rule says otherwise.
  public let rateDefaults: ModuleRates
  /// Whether calls and events are waited for a few microseconds before anybody sleeps.
  public private(set) var spin: Spin
  /// User IDs for modules when the supervisor is root.
  public private(set) var userIDs: UserIDRange
  /// Rules in file order.
  public private(set) var rules: [PolicyRule]
  /// Message rules in file order.
  public private(set) var messages: [MessageRule]
  /// Where the events of modules go.
  public private(set) var telemetry: TelemetryPolicy
  /// Where spans of calls go; `nil` is nowhere.
  public private(set) var traces: TracePolicy?
  /// Where modules of third parties are.
  public private(set) var bundles: BundleSettings
  /// Who may do what over the control socket.
  public private(set) var control: ControlPolicy
  /// Where the web console listens; there is none unless the policy says so.
  public private(set) var console: ListenAddress?
  /// Whether a module of which no rule says otherwise may be audited.
  public let audit: AuditPermission
  /// What persons are asked for, in file order, and which module is told.
  public let secrets: [SecretDeclaration]
  /// Whether the host may show theme masks; otherwise they are validated and stripped (SPEC §6).
  public let mayHostUseThemeMasks: Bool
  /// Modules that draw views of others, by view ID; a view without an entry is drawn by whoever contributed it.
  public let views: [ScalarText: String]
  /// Where the file says what it says of all modules, by the way to it, such as `defaults.rates.callsPerSecond`; empty for a
  /// policy made in code.
  public internal(set) var places: [String: PolicyPlace] = [:]

  /// Rules that name one ID, by that ID in lower case and in file order: a policy may name thousands.
  private(set) var exactRules: [[UInt8]: [PolicyRule]]
  /// All other rules, strongest first, and in file order between equals.
  private(set) var wideRules: [PolicyRule]

  /// How a module comes to be registered.
  public enum Registration: String, Sendable, Hashable, CaseIterable {
    /// At its first activation.
    case automatic
    /// By a person, who accepts its hash.
    case reviewed
  }

  /// What follows from a difference to the registration record.
  public enum DriftAction: String, Sendable, Hashable, CaseIterable {
    /// The activation fails until a person accepts it.
    case refuse
    /// The record is brought up to date; a lower bundle version is refused still.
    case accept
  }

  /// Whether supervisor and modules look for input a little longer before they sleep.
  public enum Spin: String, Sendable, Hashable, CaseIterable {
    /// Where it paid off lately and a processor is free.
    case adaptive
    /// Never.
    case off
  }

  /// Makes a policy in code; the defaults are the strict ones.
  public init(
    file: String = "policy", standsInFor: [Platform] = [], registration: Registration = .automatic,
    onDrift: DriftAction = .refuse, entitlements: EntitlementSource = .nothing,
    activationOrder: [String] = [], selectedUIModuleID: String? = nil,
    roles: [DefaultModuleRole: RoleProvider] = [:], sandboxDefaults: SandboxPolicy = SandboxPolicy(),
    deadlineDefaults: PhaseDeadlines = PhaseDeadlines(), restartDefaults: RestartPolicy = RestartPolicy(),
    heartbeatDefaults: HeartbeatPolicy = HeartbeatPolicy(), rateDefaults: ModuleRates = ModuleRates(),
    spin: Spin = .adaptive,
    userIDs: UserIDRange = UserIDRange(), rules: [PolicyRule] = [], messages: [MessageRule] = [],
    mayHostUseThemeMasks: Bool = false, telemetry: TelemetryPolicy = .off, traces: TracePolicy? = nil,
    bundles: BundleSettings = BundleSettings(), control: ControlPolicy = ControlPolicy(),
    console: ListenAddress? = nil, audit: AuditPermission = .refused, views: [ScalarText: String] = [:],
    secrets: [SecretDeclaration] = []
  ) {
    self.file = file
    self.standsInFor = standsInFor
    self.registration = registration
    self.onDrift = onDrift
    self.entitlements = entitlements
    self.activationOrder = activationOrder
    self.selectedUIModuleID = selectedUIModuleID
    self.roles = roles
    self.sandboxDefaults = sandboxDefaults
    self.deadlineDefaults = deadlineDefaults
    self.restartDefaults = restartDefaults
    self.heartbeatDefaults = heartbeatDefaults
    self.rateDefaults = rateDefaults
    self.spin = spin
    self.userIDs = userIDs
    self.rules = rules
    self.messages = messages
    self.mayHostUseThemeMasks = mayHostUseThemeMasks
    self.telemetry = telemetry
    self.traces = traces
    self.bundles = bundles
    self.control = control
    self.console = console
    self.audit = audit
    self.views = views
    self.secrets = secrets
    exactRules = Self.exact(rules)
    wideRules = Self.wide(rules)
  }

  private static func exact(_ rules: [PolicyRule]) -> [[UInt8]: [PolicyRule]] {
    Dictionary(grouping: rules.filter(\.pattern.isExact), by: \.pattern.folded)
  }

  private static func wide(_ rules: [PolicyRule]) -> [PolicyRule] {
    rules.filter { !$0.pattern.isExact }.enumerated().sorted { left, right in
      let (leftRank, rightRank) = (left.element.pattern.precedence, right.element.pattern.precedence)
      return leftRank == rightRank ? left.offset < right.offset : leftRank > rightRank
    }.map(\.element)
  }

  /// The same policy with what only a start takes in as an earlier one has it.
  public func keepingStartSettings(of earlier: Policy) -> Policy {
    var policy = self
    policy.entitlements = earlier.entitlements
    policy.spin = earlier.spin
    policy.userIDs = earlier.userIDs
    policy.telemetry = earlier.telemetry
    policy.traces = earlier.traces
    policy.control = earlier.control
    policy.console = earlier.console
    policy.places["entitlements"] = earlier.places["entitlements"]
    return policy
  }

  /// The same policy with more rules, for a trial beside the modules it is for, of which no collector is told. All else that
  /// it says stays, but for what is given here.
  public func adding(
    rules more: [PolicyRule], messages moreMessages: [MessageRule], registration: Registration,
    telemetry: TelemetryPolicy, userIDs: UserIDRange, bundleFolder: String?
  ) -> Policy {
    var policy = self
    policy.rules += more
    policy.exactRules = Self.exact(policy.rules)
    policy.wideRules = Self.wide(policy.rules)
    policy.messages += moreMessages
    policy.registration = registration
    policy.telemetry = telemetry
    policy.traces = nil
    policy.userIDs = userIDs
    policy.bundles.folder = bundleFolder ?? bundles.folder
    return policy
  }
}

/// Who provides a role.
public enum RoleProvider: Sendable, Hashable {
  /// The adapter in the supervisor; for `api` there is none.
  case host
  /// The module with this ID.
  case module(String)
}

/// Who says which modules are unlocked (SPEC §3, "Entitlements").
public enum EntitlementSource: Sendable, Hashable {
  /// Everything is.
  case allowAll
  /// These modules and products, and whatever has no product.
  case fixed(moduleIDs: [String], productIDs: [String])
  /// What this file says, read again whenever it changes; a relative path starts at the policy's folder.
  case file(path: String)

  /// Only what has no product is unlocked: what a policy that is silent of entitlements means.
  public static let nothing = EntitlementSource.fixed(moduleIDs: [], productIDs: [])
}
