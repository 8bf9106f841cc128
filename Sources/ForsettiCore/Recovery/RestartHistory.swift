/// When a module ended unasked, and what follows: a value, asked once for each end. It outlives stop, start, reload
/// and the supervisor itself, so that nothing forgives a crash loop but time.
public struct RestartHistory: Sendable, Hashable {
  /// Times of the ends that still count, milliseconds since 1970, oldest first.
  public private(set) var ends: [Int64]

  /// Starts from what was kept.
  public init(ends: [Int64] = []) { self.ends = ends.sorted() }

  /// What follows from an end.
  public enum Decision: Sendable, Hashable {
    /// Start it again after this many milliseconds.
    case restart(afterMilliseconds: Int, attempt: Int)
    /// It ended well, or its policy says never: it stays down and stays desired.
    case stayDown
    /// It is not started again until a person activates it, or the supervisor starts anew.
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
    if let cause = reason.quarantineCause { return .quarantine(cause) }
    guard policy.restartsAfter(reason) else { return .stayDown }
    // One long healthy run, and the past no longer counts.
    if uptimeMilliseconds >= Int64(policy.stableMilliseconds) { ends = [] }
    // A clock that was set back must not make old ends look new for ever: what lies ahead is dropped too.
    ends.removeAll { $0 > now || now - $0 >= Int64(policy.withinMilliseconds) }
    ends.append(now)
    guard ends.count <= policy.restarts else {
      return .quarantine(.tooManyRestarts(count: ends.count, withinMilliseconds: policy.withinMilliseconds))
    }
    return .restart(
      afterMilliseconds: Self.backoff(attempt: ends.count, policy: policy, draw: draw), attempt: ends.count)
  }

  /// Exponential with full jitter: drawn between 0 and first · 2^(attempt − 1), at most the maximum. Modules that
  /// fell together do not rise together.
  static func backoff(attempt: Int, policy: RestartPolicy, draw: Double) -> Int {
    let doublings = min(max(attempt - 1, 0), 30)
    let (grown, overflow) = policy.backoffFirstMilliseconds.multipliedReportingOverflow(by: 1 << doublings)
    let bound = overflow ? policy.backoffMaximumMilliseconds : min(grown, policy.backoffMaximumMilliseconds)
    return Int(Double(bound) * min(max(draw, 0), 1))
  }
}

/// Why a module is not started again by itself.
public enum QuarantineCause: Sendable, Hashable {
  /// It made a call outside its sandbox: that is no accident.
  case violation
  /// It broke the protocol.
  case protocolError
  /// A layer of its sandbox could not be applied; trying again would not help.
  case sandboxFailed
  /// It ended too often.
  case tooManyRestarts(count: Int, withinMilliseconds: Int)
}

extension QuarantineCause: CustomStringConvertible {
  /// In words, to follow "it is quarantined: ".
  public var description: String {
    switch self {
    case .violation: "it made a call outside its sandbox"
    case .protocolError: "it broke the protocol"
    case .sandboxFailed: "a layer of its sandbox could not be applied"
    case .tooManyRestarts(let count, let within): "it ended \(count) times within \(within / 1_000) s"
    }
  }
}

extension ExitReason {
  /// ESRCH, for a child that was killed meanwhile, EINTR, EAGAIN, ENOMEM, ENFILE and EMFILE.
  private static let passing: Set<Int32> = [3, 4, 11, 12, 23, 24]

  /// Why a module that ended like this is not worth a restart; `nil` for crashes, aborts and the like.
  public var quarantineCause: QuarantineCause? {
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
  public func restartsAfter(_ reason: ExitReason) -> Bool {
    switch (kind, reason) {
    case (.temporary, _): false
    case (.permanent, _): true
    case (.transient, .stopped), (.transient, .supervisorShutdown), (.transient, .exitedEarly(code: 0)): false
    case (.transient, _): true
    }
  }
}
