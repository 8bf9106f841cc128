public import ForsettiCore

/// The first step of the lockdown that could not be applied. The process must end: no module code may run.
public struct LockdownFailure: Error, Sendable, Hashable {
  /// The layer that failed.
  public var step: SandboxLayer
  /// What the kernel said. ENOTRECOVERABLE: the kernel said yes, but reading the state back shows otherwise.
  public var errno: Int32

  /// Makes a failure.
  public init(step: SandboxLayer, errno: Int32) {
    self.step = step
    self.errno = errno
  }
}

/// What the supervisor must know of a process that is locked.
public struct LockdownResult: Sendable, Hashable {
  /// The seccomp listener, for the supervisor to take with pidfd_getfd(2), then to be closed by `finish`.
  public var listener: Int32
  /// The kernel's Landlock ABI; 0 where it has none and the policy lets it be missing.
  public var landlockABI: Int32
}
