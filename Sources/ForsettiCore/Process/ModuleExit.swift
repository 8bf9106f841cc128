/// How a module process ended: what the kernel said, and why. The first cause wins.
public struct ModuleExit: Sendable, Hashable {
  /// What the kernel said.
  public var status: ProcessStatus
  /// The first cause.
  public var reason: ExitReason

  /// Makes an exit.
  public init(status: ProcessStatus, reason: ExitReason) {
    self.status = status
    self.reason = reason
  }
}

/// What waitid(2) reported.
public enum ProcessStatus: Sendable, Hashable {
  case exited(code: Int32)
  case signalled(Int32)
}

/// Why a module process ended, as a closed set.
public enum ExitReason: Sendable, Hashable {
  /// It was asked to stop and did.
  case stopped
  /// It ended by a signal of its own making: SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGTRAP …
  case crashed(signal: Int32)
  /// It raised SIGABRT against itself.
  case aborted
  /// It ended by itself without having been asked, with this code.
  case exitedEarly(code: Int32)
  /// It made a call that is in neither list.
  case violation(Violation)
  /// It sent something that is no frame of the protocol, or not one for this moment.
  case protocolError(String)
  /// A phase did not end within its deadline.
  case timedOut(ModulePhase)
  /// A layer of the sandbox could not be applied.
  case sandboxFailed(step: SandboxLayer, errno: Int32)
  /// It did not heed the stop frame and was ended by this signal.
  case stopForced(signal: Int32)
  /// Its executor did not answer a heartbeat for so long.
  case heartbeatLost(milliseconds: Int)
  /// It asked for more memory than its limit or its cgroup gives.
  case outOfMemory
  /// It used up its CPU time (SIGXCPU).
  case cpuLimit
  /// It wrote a file past its limit (SIGXFSZ).
  case fileSizeLimit
  /// A person, or something outside, killed it.
  case killed(signal: Int32)
  /// It was killed, because the supervisor's shutdown waited no longer.
  case supervisorShutdown
}

/// A system call outside the plan, as the supervisor saw it before it killed the process.
public struct Violation: Sendable, Hashable {
  /// Kernel name of the call, or `syscall_N`.
  public var syscall: String
  /// Number of the call in the native table.
  public var number: Int32
  /// The six raw argument registers.
  public var arguments: [UInt64]
  /// The arguments as people read them, `name=value`; empty where nobody has spelled them out.
  public var decoded: [String]
  /// The path the call names, if it names one and it could be read; at most 256 bytes, escaped.
  public var path: String?
  /// Address of the instruction behind the call.
  public var instructionPointer: UInt64

  /// Makes a record.
  public init(
    syscall: String, number: Int32, arguments: [UInt64], decoded: [String] = [], path: String?,
    instructionPointer: UInt64
  ) {
    self.syscall = syscall
    self.number = number
    self.arguments = arguments
    self.decoded = decoded
    self.path = path
    self.instructionPointer = instructionPointer
  }
}

/// The phases of a module process that have a deadline each.
public enum ModulePhase: String, Sendable, Hashable, CaseIterable {
  case lockdown, describe, start, stop
}
