/// When a module ended unasked, and what follows: a value, asked once for each end. It outlives stop, start, reload
/// and the supervisor itself, so that nothing forgives a crash loop but time.
public struct RestartHistory: Sendable, Hashable {
  /// Times of the ends that still count, milliseconds since 1970, oldest first.
  public private(set) var ends: [Int64]
  /// Why the module is not started again by itself; `nil` when nothing holds it.
  public private(set) var quarantine: Quarantine?

  /// Starts from what was kept.
  public init(ends: [Int64] = [], quarantine: Quarantine? = nil) {
    self.ends = ends.sorted()
    self.quarantine = quarantine
  }

  /// How long the module is to run before it counts as stable; `nil` where its last end is longer ago than that.
  /// - Parameter now: milliseconds since 1970.
  public func convalescence(by policy: RestartPolicy, now: Int64) -> Duration? {
    guard let last = ends.last, now &- last < Int64(policy.stableMilliseconds) else { return nil }
    return .milliseconds(policy.stableMilliseconds)
  }

  /// Lets the module out of quarantine. Its ends stay: the next one may put it back.
  public mutating func release() { quarantine = nil }

  /// What follows from an end.
  public enum Decision: Sendable, Hashable {
    /// Start it again after this many milliseconds.
    case restart(afterMilliseconds: Int, attempt: Int)
    /// It ended well, or its policy says never: it stays down and stays desired.
    case stayDown
    /// It is not started again until a person activates or resets it, or its policy's end of a quarantine.
    case quarantine(QuarantineCause)
  }

  /// Records an end and decides.
  /// - Parameters:
  ///   - uptimeMilliseconds: how long it had been active.
  ///   - now: milliseconds since 1970.
  ///   - draw: a random number from 0 up to, not including, 1: the jitter.
  public mutating func decide(
    _ reason: ExitReason, policy: RestartPolicy, uptimeMilliseconds: Int64, now: Int64, draw: Double
  ) -> Decision {
    if let cause = reason.quarantineCause { return hold(cause, since: now) }
    guard policy.restartsAfter(reason) else { return .stayDown }
    // One long healthy run, and the past no longer counts.
    if uptimeMilliseconds >= Int64(policy.stableMilliseconds) { ends = [] }
    // A clock that was set back must not make old ends look new for ever: what lies ahead is dropped too.
    ends.removeAll { $0 > now || now - $0 >= Int64(policy.withinMilliseconds) }
    ends.append(now)
    guard ends.count <= policy.restarts else {
      return hold(
        .tooManyRestarts(count: ends.count, withinMilliseconds: policy.withinMilliseconds), since: now)
    }
    return .restart(
      afterMilliseconds: Self.backoff(attempt: ends.count, policy: policy, draw: draw), attempt: ends.count)
  }

  private mutating func hold(_ cause: QuarantineCause, since now: Int64) -> Decision {
    quarantine = Quarantine(cause: cause, since: now)
    return .quarantine(cause)
  }

  /// Exponential with full jitter: drawn between 0 and first · 2^(attempt − 1), at most the maximum. Modules that
  /// fell together do not rise together.
  public static func backoff(attempt: Int, policy: RestartPolicy, draw: Double) -> Int {
    let doublings = min(max(attempt - 1, 0), 30)
    let (grown, overflow) = policy.backoffFirstMilliseconds.multipliedReportingOverflow(by: 1 << doublings)
    let bound = overflow ? policy.backoffMaximumMilliseconds : min(grown, policy.backoffMaximumMilliseconds)
    return Int(Double(bound) * min(max(draw, 0), 1))
  }
}

extension ExitReason {
  /// ESRCH, for a child that was killed meanwhile, EINTR, EAGAIN, ENOMEM, ENFILE and EMFILE.
  private static let passing: Set<Int32> = [3, 4, 11, 12, 23, 24]

  /// Why a module that ended like this is not worth a restart; `nil` for crashes, aborts and the like.
  var quarantineCause: QuarantineCause? {
    switch self {
    case .violation: .violation
    case .protocolError: .protocolError
    // Want of descriptors or memory passes; a layer that this kernel does not have stays missing.
    case .sandboxFailed(_, let errno): Self.passing.contains(errno) ? nil : .sandboxFailed
    case .stopped, .crashed, .aborted, .exitedEarly, .timedOut, .stopForced, .killed, .heartbeatLost,
      .outOfMemory,
      .cpuLimit, .fileSizeLimit, .supervisorShutdown:
      nil
    }
  }
}

extension RestartPolicy {
  /// Whether a module that ended like this is started again at all.
  func restartsAfter(_ reason: ExitReason) -> Bool {
    switch (kind, reason) {
    case (.temporary, _): false
    case (.permanent, _): true
    case (.transient, .stopped), (.transient, .supervisorShutdown), (.transient, .exitedEarly(code: 0)): false
    case (.transient, _): true
    }
  }
}
