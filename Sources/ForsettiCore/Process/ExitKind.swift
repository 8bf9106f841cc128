/// The cases of `ExitReason` without what they carry: a closed set of names, for counts and reports.
public enum ExitKind: String, Sendable, Hashable, CaseIterable {
  case stopped, crashed, aborted
  case exitedEarly = "exited_early"
  case violation
  case protocolError = "protocol_error"
  case timedOut = "timed_out"
  case sandboxFailed = "sandbox_failed"
  case stopForced = "stop_forced"
  case heartbeatLost = "heartbeat_lost"
  case outOfMemory = "out_of_memory"
  case cpuLimit = "cpu_limit"
  case fileSizeLimit = "file_size_limit"
  case killed
  case supervisorShutdown = "supervisor_shutdown"
}

extension ExitReason {
  /// Which case it is.
  public var kind: ExitKind {
    switch self {
    case .stopped: .stopped
    case .crashed: .crashed
    case .aborted: .aborted
    case .exitedEarly: .exitedEarly
    case .violation: .violation
    case .protocolError: .protocolError
    case .timedOut: .timedOut
    case .sandboxFailed: .sandboxFailed
    case .stopForced: .stopForced
    case .heartbeatLost: .heartbeatLost
    case .outOfMemory: .outOfMemory
    case .cpuLimit: .cpuLimit
    case .fileSizeLimit: .fileSizeLimit
    case .killed: .killed
    case .supervisorShutdown: .supervisorShutdown
    }
  }
}
