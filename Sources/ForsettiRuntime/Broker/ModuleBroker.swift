public import ForsettiCore
public import ForsettiIPC

/// Routes calls between modules and to the host's services, carries events and messages, and makes the host's own
/// calls. It sees heads only: payloads are checked once and forwarded as they are.
@ReactorActor public final class ModuleBroker {
  /// Bounds on what one module may have under way.
  public struct Limits: Sendable, Hashable {
    /// Calls open at once, in each direction.
    public var openCalls: Int

    /// Makes limits; the default is 4,096 open calls.
    public init(openCalls: Int = 4096) { self.openCalls = openCalls }
  }

  /// What calls and messages are judged by.
  var rules: BrokerRules
  /// Other rules that are being made ready, and the sessions that were started under them.
  var transition: Transition?
  let services: ForsettiServiceContainer
  private let hostMethods: [HostMethod?]
  let logger: any ForsettiLogger
  let diagnostics: DiagnosticsCenter
  let clock: any RuntimeClock
  let limits: Limits
  let events: EventRouter
  /// What is counted of each module.
  let meters = ModuleMeters()
  /// Makes spans of calls; `nil` where nobody takes them.
  let tracer: CallTracer?
  /// Of calls to modules whose callers place them in no trace.
  var traceIDs = TraceIDs()
  /// Keeps what modules are refused.
  var auditLog: any AuditRecorder = NoAudit()
  let wallClock: @Sendable () -> Int64
  /// Modules that are active, by their IDs in lower case.
  var sessions: [String: ModuleSession] = [:]
  /// Hands reports over to whoever takes them; `nil` while nobody does, or none waits.
  var handover: Task<Void, Never>?

  /// Makes a broker.
  /// - Parameters:
  ///   - services: the host's adapters; those that the broker has itself are added where they are missing.
  ///   - bus: where the host itself hears events.
  ///   - diagnostics: keeps what is emitted while the provider of diagnostics is not active.
  public init(
    policy: Policy, services: ForsettiServiceContainer = ForsettiServiceContainer(),
    logger: any ForsettiLogger, bus: InMemoryEventBus, diagnostics: DiagnosticsCenter,
    clock: any RuntimeClock, wallClock: @escaping @Sendable () -> Int64, limits: Limits = Limits()
  ) {
    let own = OwnServices(logger: logger, diagnostics: diagnostics, wallClock: wallClock)
    self.services = own.added(to: services)
    hostMethods = self.services.table
    self.logger = logger
    self.diagnostics = diagnostics
    self.clock = clock
    self.wallClock = wallClock
    self.limits = limits
    tracer = Self.tracer(policy, services.spanSink, clock, wallClock)
    events = EventRouter(bus: bus, wallClock: wallClock)
    rules = BrokerRules(
      policy: policy, providers: ProviderDirectory(roles: policy.roles, manifests: []) { _ in true },
      hostServices: self.services.services)
    diagnostics.onReport = { [weak self] in self?.handOverReports() }
  }

  private static func tracer(
    _ policy: Policy, _ sink: (any SpanSink)?, _ clock: any RuntimeClock,
    _ wallClock: @escaping @Sendable () -> Int64
  ) -> CallTracer? {
    guard let traces = policy.traces, let sink else { return nil }
    return CallTracer(rate: traces.rate, sink: sink, clock: clock, wallClock: wallClock)
  }

  /// Ends what the services have under way, once no module is left that could ask for more.
  func finish() async {
    await tracer?.finish()
    await services.finish()
  }

  /// Says who provides the roles, as of the last discovery.
  public func use(_ providers: ProviderDirectory) {
    adopt(BrokerRules(policy: rules.policy, providers: providers, hostServices: services.services))
  }

  /// How the host answers a method, if it does.
  func hostMethod(_ method: MethodInfo) -> HostMethod? {
    let index = ForsettiServiceContainer.index(of: method)
    return index < hostMethods.count ? hostMethods[index] : nil
  }

  // MARK: Sessions

  /// A session for a process that is to be made; during a transition it is one of the new rules.
  func makeSession(
    manifest: ModuleManifest, origin: ModuleOrigin, grants: some Sequence<Capability>,
    dataOrigin: String? = nil
  ) -> ModuleSession {
    let rules = transition?.rules ?? rules
    var caller = ServiceCaller(
      manifest: manifest, origin: origin, grants: Set(grants), dataOrigin: dataOrigin)
    caller.decisions = rules.policy.grants(for: manifest, origin: origin).decisions
    caller.networking = rules.policy.networking(for: manifest.moduleID, origin: origin)
    return ModuleSession(caller: caller, rules: rules, isStandby: transition != nil, broker: self)
  }

  /// The session of an active module.
  func session(of moduleID: String) -> ModuleSession? {
    // IDs are nearly always written as they are registered.
    sessions[moduleID] ?? sessions[moduleID.lowercased()]
  }

  func didActivate(_ session: ModuleSession) {
    let key = session.moduleID.lowercased()
    guard !session.isStandby else {
      transition?.sessions[key] = session
      return
    }
    sessions[key] = session
    handOverReports()
  }

  func didLeave(_ session: ModuleSession) {
    let key = session.moduleID.lowercased()
    if sessions[key] === session { sessions[key] = nil }
    if transition?.sessions[key] === session { transition?.sessions[key] = nil }
  }

  // MARK: The host's own calls

  /// Calls a method of an active module.
  /// - Throws: `serviceUnavailable` when it is not active, `deadlineExceeded`, `moduleCrashed`, `cancelled`, or what the
  ///   module itself answers.
  public func call<Request, Response>(
    _ method: ServiceMethod<Request, Response>, _ request: Request, moduleID: String,
    timeoutMilliseconds: UInt32 = 30_000, trace: TraceContext? = nil
  ) async throws(ServiceError) -> Response {
    guard let session = session(of: moduleID) else {
      throw .serviceUnavailable(role: moduleID, why: "\(moduleID) is not active")
    }
    return try await session.call(method, request, timeoutMilliseconds: timeoutMilliseconds, trace: trace)
  }

  /// Tells modules and host of something; the source is the runtime itself, or the module that the host speaks for.
  public func publish(_ type: String, payload: [String: String], source: String? = nil) {
    events.publish(type, payload: payload, source: source)
  }
}
