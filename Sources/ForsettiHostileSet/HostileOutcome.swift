public import ForsettiCore

/// What must come of a hostile case, and no other.
public enum HostileOutcome: Sendable, Hashable {
  /// Its process ends, for this cause.
  case ends(HostileCause)
  /// It never becomes active: its activation is refused.
  case refused(HostileRefusal)
  /// It lives, for what it did harms nobody; it publishes what it got, which holds this text.
  case survives(saying: String)
}

/// A pattern over `ExitReason`: all of it that is the same at each run.
public enum HostileCause: Sendable, Hashable {
  /// It was killed for this call, on this path where it names one.
  case violation(String, path: String? = nil)
  /// The kernel ended it for a call of another architecture.
  case foreignArchitecture
  case crashed(signal: Int32)
  case aborted
  case outOfMemory
  case exitedEarly(code: Int32)
  /// The reason in the supervisor's words holds this text.
  case protocolError(String)
  case stopForced(signal: Int32)
  case heartbeatLost
  case cpuLimit

  /// Whether a process ended for this cause.
  public func matches(_ reason: ExitReason) -> Bool {
    switch (self, reason) {
    case (.violation(let syscall, let path), .violation(let violation)):
      violation.syscall == syscall && (path == nil || violation.path == path)
    case (.foreignArchitecture, .violation(let violation)): violation.number == -1
    case (.crashed(let expected), .crashed(let signal)): signal == expected
    case (.aborted, .aborted), (.outOfMemory, .outOfMemory): true
    case (.exitedEarly(let expected), .exitedEarly(let code)): code == expected
    case (.protocolError(let expected), .protocolError(let reason)): reason.contains(expected)
    case (.stopForced(let expected), .stopForced(let signal)): signal == expected
    case (.heartbeatLost, .heartbeatLost), (.cpuLimit, .cpuLimit): true
    default: false
    }
  }

  /// Whether a module that ended so is never started again by itself.
  var isQuarantined: Bool {
    switch self {
    case .violation, .foreignArchitecture, .protocolError: true
    case .crashed, .aborted, .outOfMemory, .exitedEarly, .stopForced, .heartbeatLost, .cpuLimit: false
    }
  }
}

/// A pattern over `ModuleManagerError`.
public enum HostileRefusal: Sendable, Hashable {
  /// It is not what its manifest says, in this field.
  case identityMismatch(field: String)
  case timedOut(ModulePhase)
  case crashed(HostileCause)
  /// Its executable is not the one that was hashed.
  case executableChanged

  /// Whether an activation was refused so.
  public func matches(_ error: ModuleManagerError) -> Bool {
    switch (self, error) {
    case (.identityMismatch(let expected), .moduleIdentityMismatch(_, let field, _, _)): field == expected
    case (.timedOut(let expected), .startTimedOut(_, let phase, _)): phase == expected
    case (.executableChanged, .executableUnavailable(_, _, let reason)): reason.contains("was changed")
    case (.crashed(let cause), .crashedDuringStart(_, let exit)): cause.matches(exit.reason)
    default: false
    }
  }
}

extension HostileOutcome {
  /// In words, to follow "expected was: ".
  public var message: String {
    switch self {
    case .ends(let cause): cause.message
    case .refused(let refusal): refusal.message
    case .survives(let text): "it goes on and gets \"\(text)\""
    }
  }
}

extension HostileCause {
  /// In words.
  var message: String {
    switch self {
    case .violation(let syscall, let path): "a violation by \(syscall)" + (path.map { " on \($0)" } ?? "")
    case .foreignArchitecture: "a violation by a call of another architecture"
    case .crashed(let signal): "a crash by signal \(signal)"
    case .aborted: "an abort"
    case .outOfMemory: "a refusal of memory"
    case .exitedEarly(let code): "an end by itself with code \(code)"
    case .protocolError(let text): "a protocol error with \"\(text)\""
    case .cpuLimit: "a limit of CPU time"
    case .heartbeatLost: "a heartbeat that is not answered"
    case .stopForced(let signal): "a forced stop by signal \(signal)"
    }
  }
}

extension HostileRefusal {
  /// In words.
  var message: String {
    switch self {
    case .identityMismatch(let field): "a refusal for its \(field)"
    case .timedOut(let phase): "a refusal for its \(phase.rawValue) that takes too long"
    case .executableChanged: "a refusal for an executable that was changed"
    case .crashed(let cause): "a refusal for \(cause.message)"
    }
  }
}
