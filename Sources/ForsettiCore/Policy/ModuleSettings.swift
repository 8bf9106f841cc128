/// All that a policy comes to for one module, worked out: two policies that come to the same are the same to it, however
/// they are written.
public struct ModuleSettings: Sendable, Hashable {
  /// One part of it, by its name in the policy.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    case sandbox, direct, deadlineMilliseconds, restart, heartbeat, rates, events, networking, api, ui, audit

    /// Whether it says what the module may reach, so that a process that holds the earlier word must not linger.
    public var isRight: Bool {
      switch self {
      case .direct, .events, .networking, .api, .audit: true
      case .sandbox, .deadlineMilliseconds, .restart, .heartbeat, .rates, .ui: false
      }
    }

    /// Whether it holds for a process that runs already: it is asked when something happens, not at the start.
    public var isLive: Bool { self == .restart || self == .audit }
  }

  /// What the module runs with.
  public var grants: Set<Capability>
  /// But for its direct grants.
  private let sandbox: SandboxPolicy
  private let direct: Set<DirectGrant>
  private let deadlines: PhaseDeadlines
  private let restart: RestartPolicy
  private let heartbeat: HeartbeatPolicy
  private let rates: ModuleRates
  private let events: EventRules
  private let networking: NetworkingRules
  private let api: APIRules?
  /// Of UI and app modules alone.
  private let mayUseThemeMasks: Bool
  private let audit: AuditPermission

  /// Works it out.
  public init(of manifest: ModuleManifest, origin: ModuleOrigin, by policy: Policy) {
    let id = manifest.moduleID
    grants = Set(policy.grants(for: manifest, origin: origin).granted)
    var sandbox = policy.sandbox(for: id, origin: origin)
    direct = sandbox.direct
    sandbox.direct = []
    self.sandbox = sandbox
    deadlines = policy.deadlines(for: id, origin: origin)
    restart = policy.restart(for: id, origin: origin)
    heartbeat = policy.heartbeat(for: id, origin: origin)
    rates = policy.rates(for: id, origin: origin)
    events = policy.eventRules(for: id, origin: origin)
    networking = policy.networking(for: id, origin: origin)
    api = policy.apiRules(for: id, origin: origin)
    mayUseThemeMasks = manifest.moduleType != .service && policy.mayHostUseThemeMasks
    audit = policy.audit(for: id, origin: origin)
  }

  /// The parts that differ, in the order of `Part`.
  public func parts(differingFrom earlier: ModuleSettings) -> [Part] {
    Part.allCases.filter { part in
      switch part {
      case .sandbox: sandbox != earlier.sandbox
      case .direct: direct != earlier.direct
      case .deadlineMilliseconds: deadlines != earlier.deadlines
      case .restart: restart != earlier.restart
      case .heartbeat: heartbeat != earlier.heartbeat
      case .rates: rates != earlier.rates
      case .events: events != earlier.events
      case .networking: networking != earlier.networking
      case .api: api != earlier.api
      case .ui: mayUseThemeMasks != earlier.mayUseThemeMasks
      case .audit: audit != earlier.audit
      }
    }
  }
}
