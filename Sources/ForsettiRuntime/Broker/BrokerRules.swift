import ForsettiCore

/// What calls and messages are judged by; replaced as a whole.
final class BrokerRules: Sendable {
  let policy: Policy
  /// Who answers the calls of each service.
  let routes: ServiceRoutes

  init(policy: Policy, providers: ProviderDirectory, hostServices: Set<ServiceName>) {
    self.policy = policy
    routes = ServiceRoutes(providers: providers, hostServices: hostServices)
  }
}

// A change of the rules with modules running: processes of the new rules start beside the old ones, unseen by the others,
// and take their places in one step.
extension ModuleBroker {
  /// Rules that are being made ready.
  struct Transition {
    let rules: BrokerRules
    /// Started modules that wait for their places, by their IDs in lower case.
    var sessions: [String: ModuleSession] = [:]
  }

  /// Begins a transition: sessions made from here on are of the new rules.
  func prepare(policy: Policy, providers: ProviderDirectory) {
    transition = Transition(
      rules: BrokerRules(policy: policy, providers: providers, hostServices: services.services))
  }

  /// Ends a transition without a change; whoever began it stops what was started for it.
  func callOff() { transition = nil }

  /// Ends a transition: its rules hold for everybody, its sessions take their places.
  /// - Returns: the sessions that had those places, by their IDs in lower case. They still answer what they were asked.
  func carryOut() -> [String: ModuleSession] {
    guard let transition else { return [:] }
    self.transition = nil
    var replaced: [String: ModuleSession] = [:]
    for (key, session) in transition.sessions {
      if let old = sessions[key] {
        replaced[key] = old
        old.giveWay()
      }
      sessions[key] = session
      session.takePlace()
    }
    adopt(transition.rules)
    return replaced
  }

  /// Judges by other rules from here on.
  func adopt(_ rules: BrokerRules) {
    self.rules = rules
    for session in sessions.values { session.rules = rules }
    handOverReports()
  }

  /// The session that a call or message of this one reaches: those that wait for their places see each other.
  func session(of moduleID: String, for caller: ModuleSession) -> ModuleSession? {
    if caller.isStandby, let standby = transition?.sessions[moduleID.lowercased()] { return standby }
    return session(of: moduleID)
  }
}

/// One wait for the calls to a session to end.
@ReactorActor final class SessionDrain {
  private var isOver = false
  private var waiter: CheckedContinuation<Void, Never>?

  func wait() async {
    await withCheckedContinuation { continuation in
      // The last answer, or the timer, may have come on the way here.
      if isOver { return continuation.resume() }
      waiter = continuation
    }
  }

  func end() {
    isOver = true
    waiter?.resume()
    waiter = nil
  }
}
