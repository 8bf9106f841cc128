extension ModuleExit: CustomStringConvertible {
  /// One line: the cause, and what the kernel said of the end.
  public var description: String {
    let end =
      switch status {
      case .exited(let code): "exit code \(code)"
      case .signalled(let signal): SignalName.text(signal)
      }
    return "\(reason.message) (\(end))"
  }
}

extension ExitReason {
  /// The cause in words, on one line. Texts that come from the module are escaped and cut.
  public var message: String {
    switch self {
    case .stopped: "it stopped when asked"
    case .crashed(let signal): "it crashed by \(SignalName.text(signal))"
    case .aborted: "it aborted"
    case .exitedEarly(let code): "it ended by itself with code \(code)"
    case .violation(let violation): violation.message
    case .protocolError(let text): "it broke the protocol: \(text.plain())"
    case .timedOut(let phase): "it did not end the phase \(phase.rawValue) in time"
    case .sandboxFailed(let step, let errno):
      "the sandbox step \(step.rawValue) failed: \(ErrnoName.text(errno))"
    case .stopForced(let signal):
      "it did not heed the stop request and was ended by \(SignalName.text(signal))"
    case .heartbeatLost(let milliseconds): "it did not answer a heartbeat for \(milliseconds) ms"
    case .outOfMemory: "it asked for more memory than its limit"
    case .cpuLimit: "it used more CPU time than its limit"
    case .fileSizeLimit: "it wrote a file larger than its limit"
    case .killed(let signal): "something outside killed it by \(SignalName.text(signal))"
    case .supervisorShutdown: "the supervisor shut down and waited no longer for it"
    }
  }
}

extension Violation {
  /// The call with its arguments, or the path it names, on one line.
  public var message: String {
    guard number >= 0 else {
      return "it made a call of another architecture or of x32, which the kernel itself ends"
    }
    return "it made the call \(callText), which its sandbox doesn't allow"
  }

  /// The call alone, with its arguments or the path it names.
  public var callText: String {
    decoded.isEmpty
      ? syscall.plain() + (path.map { " on \($0.quoted(limit: 256))" } ?? "")
      : "\(syscall.plain())(\(decoded.joined(separator: ", ").plain()))"
  }
}
