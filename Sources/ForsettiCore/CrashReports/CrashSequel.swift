/// What becomes of a module after it ended unasked.
public enum CrashSequel: Sendable, Hashable {
  /// It is started again.
  case restart(afterMilliseconds: Int, attempt: Int)
  /// It is not started again until a person says so.
  case quarantine(QuarantineCause)
  /// It is not started again, for this reason.
  case staysDown(StayDownCause)

  /// Why a module is not started again although nothing holds it.
  public enum StayDownCause: String, Sendable, Hashable, CaseIterable {
    /// Its restart policy says so.
    case restartPolicy = "restart_policy"
    /// Nobody wants it active.
    case notDesired = "not_desired"
    /// Its activation failed, and whoever asked for it knows.
    case activationFailed = "activation_failed"
    /// It was being stopped already; whoever did that knows what follows.
    case beingStopped = "being_stopped"
  }

  /// What a decision on its history means for the module.
  public init(_ decision: RestartHistory.Decision) {
    self =
      switch decision {
      case .restart(let milliseconds, let attempt):
        .restart(afterMilliseconds: milliseconds, attempt: attempt)
      case .quarantine(let cause): .quarantine(cause)
      case .stayDown: .staysDown(.restartPolicy)
      }
  }

  /// In words, to follow the module's name.
  public var message: String {
    switch self {
    case .restart(let milliseconds, let attempt):
      "is started again after \(milliseconds) ms (attempt \(attempt))"
    case .quarantine(let cause): "is quarantined: \(cause)"
    case .staysDown(.restartPolicy): "stays down, as its restart policy says"
    case .staysDown(.notDesired): "stays down: nobody wants it active"
    case .staysDown(.activationFailed): "stays down: its activation failed"
    case .staysDown(.beingStopped): "stays down: it was being stopped already"
    }
  }

  /// The command of forsetti-supervisor that changes that, its module included.
  public func command(for moduleID: String) -> String {
    switch self {
    case .restart: "deactivate \(moduleID)"
    case .quarantine: "reset \(moduleID)"
    case .staysDown: "activate \(moduleID)"
    }
  }
}
