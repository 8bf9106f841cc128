public import ForsettiCore
import ForsettiIPC

/// One module process as the broker sees it: its open calls in both directions, its subscriptions, and what it may do.
/// Made anew for each process; nothing of it outlives the process.
@ReactorActor public final class ModuleSession {
  /// How far the conversation is.
  enum Phase {
    /// Its code has no context yet.
    case closed
    /// `start` was sent: it may call and publish.
    case open
    /// It has started: it may be called, written to, and told of events.
    case active
    /// `stop` was sent: it may end what it has begun.
    case stopping
    case ended
  }

  /// Whoever waits for a call to this module.
  enum Origin {
    /// A call of another module, by that module's id of it.
    case module(ModuleSession, UInt64)
    /// The supervisor itself, and the number of the service that it called.
    case host(CheckedContinuation<Result<[UInt8], ServiceError>, Never>, service: UInt8)
  }

  /// A call of this module that is not answered yet.
  struct Incoming {
    enum Callee {
      case host(Task<Void, Never>)
      /// The provider, by our id of the call there.
      case module(ModuleSession, UInt64)
    }

    let callee: Callee
    /// The number of the service that was called.
    let service: UInt8
    /// When it was taken up.
    let begin: UInt64
    /// Tells it from an earlier call of the same id.
    let serial: UInt64
    /// When a host's service must have answered; a provider's deadline is kept with its own call.
    let deadline: UInt64
  }

  /// Whom the services work for.
  public let caller: ServiceCaller
  /// The module's ID.
  public var moduleID: String { caller.moduleID }

  let broker: ModuleBroker
  let meter: ModuleMeter
  /// Its calls that a collector is told of; `nil` where there is no collector.
  let spans: SessionSpans?
  /// When its frames were last taken up.
  private(set) var turnBegan: UInt64 = 0
  /// What its calls and messages are judged by; those of all sessions change at once.
  var rules: BrokerRules
  /// Whether it waits to take the place of an earlier process of its module, which serves still.
  private(set) var isStandby: Bool
  let access: ServiceAccess
  let eventRules: EventRules
  /// What it may ask of the provider of `api`; `nil` is everything.
  let apiRules: APIRules?
  var refusals: RefusalLog
  private(set) var phase = Phase.closed
  /// Nobody to send to before the process is there, and after it is gone.
  private(set) var channel: FrameChannel?
  private var reportFault: (@ReactorActor (String) -> Void)?

  var incoming: [UInt64: Incoming] = [:]
  /// Of those, and of calls that are closed, what the host's services have not ended.
  var workload: HostWorkload
  var outgoing: OutgoingCalls<Origin>
  var serial: UInt64 = 0
  /// Answers that came when nobody waited any more, in either direction.
  var lateAnswers: UInt64 = 0
  var adapters: [(any Sendable)?] = Array(repeating: nil, count: ServiceName.allCases.count + 1)
  var rates: SessionRates
  private var deadlineTimer: ScheduledTimer?
  private var drain: SessionDrain?

  var subscriptions: [Int: String] = [:]
  var lastSubscription = 0
  var routes = EventRouteCache()
  var inbox = EventInbox()

  init(caller: ServiceCaller, rules: BrokerRules, isStandby: Bool = false, broker: ModuleBroker) {
    self.caller = caller
    self.rules = rules
    self.isStandby = isStandby
    eventRules = rules.policy.eventRules(for: caller.moduleID, origin: caller.origin)
    apiRules = rules.policy.apiRules(for: caller.moduleID, origin: caller.origin)
    self.broker = broker
    meter = broker.meters[caller.moduleID]
    spans = broker.tracer.map { SessionSpans($0, moduleID: caller.moduleID) }
    access = ServiceAccess(manifest: caller.manifest, grants: caller.grants)
    rates = SessionRates(rules.policy.rates(for: caller.moduleID, origin: caller.origin))
    outgoing = OutgoingCalls(limit: broker.limits.openCalls)
    workload = HostWorkload(limit: broker.limits.openCalls)
    refusals = RefusalLog(
      moduleID: caller.moduleID, logger: broker.logger, auditLog: broker.auditLog)
  }

  // MARK: Life

  /// Joins the session to its process's pipes.
  func attach(_ channel: FrameChannel, reportFault: @escaping @ReactorActor (String) -> Void) {
    self.channel = channel
    self.reportFault = reportFault
  }

  /// `start` is sent.
  func open() { if phase == .closed { phase = .open } }

  /// The module has started.
  func activate() {
    guard phase == .open else { return }
    phase = .active
    broker.didActivate(self)
  }

  /// `stop` is sent: nothing new is asked of it.
  func willStop() {
    guard phase == .open || phase == .active else { return }
    phase = .stopping
    broker.didLeave(self)
  }

  /// The process is gone: every call in either direction ends now.
  func end(_ exit: ModuleExit) {
    guard phase != .ended else { return }
    phase = .ended
    broker.didLeave(self)
    channel = nil
    reportFault = nil
    deadlineTimer?.cancel()
    deadlineTimer = nil
    let error = Self.error(of: exit, moduleID: moduleID, role: caller.manifest.defaultModuleRole)
    for origin in outgoing.takeAll() { finish(origin, error) }
    let left = incoming
    incoming = [:]
    for (id, call) in left { cancel(call, id) }
    for pattern in subscriptions.values { broker.events.index.remove(pattern, self) }
    subscriptions = [:]
    inbox.removeAll()
    routes.removeAll()
    refusals.finish(lateAnswers: lateAnswers)
  }

  private static func error(of exit: ModuleExit, moduleID: String, role: DefaultModuleRole?) -> ServiceError {
    guard exit.reason == .stopped else { return .moduleCrashed(moduleID: moduleID) }
    return .serviceUnavailable(role: role?.rawValue ?? moduleID, why: "\(moduleID) has stopped")
  }

  /// The module does what the protocol does not allow, found out of its own turn.
  func fault(_ reason: String) { reportFault?(reason) }

  // MARK: Another process in its place

  /// Takes its place among the active modules: it is called and told of events from here on.
  func takePlace() {
    isStandby = false
    for pattern in subscriptions.values { broker.events.index.add(pattern, self) }
  }

  /// Leaves its place to a later process of its module: it is told of no further event and gets no further call, but
  /// may answer those that it has.
  func giveWay() {
    for pattern in subscriptions.values { broker.events.index.remove(pattern, self) }
    willStop()
  }

  /// Returns when every call to it is answered, or the patience is over.
  func drained(within patience: Duration) async {
    guard outgoing.count > 0 else { return }
    let drain = SessionDrain()
    self.drain = drain
    let timer = broker.clock.schedule(after: patience) { drain.end() }
    await drain.wait()
    timer.cancel()
    self.drain = nil
  }

  /// A call to it has ended, in whatever way.
  func callEnded() { if outgoing.count == 0 { drain?.end() } }

  // MARK: Frames

  /// Frames are taken up from here on: calls among them count from now, and one look at the clock does for all.
  func beginTurn() { turnBegan = broker.clock.now }

  /// Handles one frame of calls and events where it lies.
  func receive(_ frame: borrowing Frame) throws(SessionFault) {
    let kind = frame.header.kind
    do { try frame.header.check() } catch { throw SessionFault("\(error)") }
    guard phase != .closed, phase != .ended else { throw SessionFault("sent \(kind) before it was started") }
    switch kind {
    case .call: try receiveCall(frame)
    case .reply: try receiveReply(frame)
    case .failure: try receiveFailure(frame)
    case .cancel: receiveCancel(frame.header.callID)
    case .publish: try receivePublish(frame)
    default: throw SessionFault("sent \(kind), which only a supervisor sends")
    }
  }

  // MARK: Deadlines

  /// Sees to it that `expire` runs when the earliest open call is due. A call that is answered costs nothing here: the
  /// timer of the earliest one stays, looks once, and is set anew to what is open then.
  func keepDeadline(_ deadline: UInt64) {
    if let deadlineTimer, deadlineTimer.isPending, deadlineTimer.due <= deadline { return }
    deadlineTimer?.cancel()
    let now = broker.clock.now
    // A millisecond apart at least, so that a caller's odd deadlines can't keep the reactor busy.
    let delay = max(1_000_000, deadline > now ? deadline &- now : 0)
    deadlineTimer = broker.clock.schedule(after: .nanoseconds(Int64(clamping: delay))) { [unowned self] in
      expire()
    }
  }

  private func expire() {
    let now = broker.clock.now
    var due: [(UInt64, Origin)] = []
    var next = outgoing.expire(now: now) { due.append(($0, $1)) }
    for (id, origin) in due {
      sendCancel(id)
      finish(origin, .deadlineExceeded)
    }
    for (id, call) in incoming {
      guard case .host = call.callee else { continue }
      guard call.deadline <= now else {
        next = min(next ?? call.deadline, call.deadline)
        continue
      }
      cancelCallee(of: call)
      if let key = close(id, now: now) { fail(key, .deadlineExceeded) }
    }
    if let next { keepDeadline(next) }
  }
}

/// What a module did that the protocol does not allow; its connection ends with it.
struct SessionFault: Error, Hashable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
