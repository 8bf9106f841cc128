/// Everything a fresh child needs to lock itself, in one value that travels in the first frame.
/// The supervisor compiles it, the child applies it step by step and reports the first step that fails.
public struct LockdownRequest: Sendable, Hashable {
  /// The seccomp filter: instructions of 8 bytes each (struct sock_filter), at most 4,096 of them.
  public var filter: [UInt8]
  /// The supervisor's process ID, compared with getppid(2) after PR_SET_PDEATHSIG is set.
  public var supervisorPID: Int32
  /// User and group to drop to; `nil` when the supervisor is no root.
  public var userID: UInt32?
  /// rlimits to set, hard and soft alike.
  public var limits: SandboxLimits
  /// Layers whose absence in this kernel is no failure.
  public var mayBeMissing: Set<SandboxLayer>
  /// Descriptors the child keeps: 0 to this number, inclusive.
  public var lastDescriptor: Int32
  /// The descriptor of a third party's sealed executable, which takes the child's place once it is locked; `nil` for
  /// a module of the host itself.
  public var executable: Int32?

  /// Makes a request.
  public init(
    filter: [UInt8], supervisorPID: Int32, userID: UInt32?, limits: SandboxLimits,
    mayBeMissing: Set<SandboxLayer>, lastDescriptor: Int32 = 4, executable: Int32? = nil
  ) {
    self.filter = filter
    self.supervisorPID = supervisorPID
    self.userID = userID
    self.limits = limits
    self.mayBeMissing = mayBeMissing
    self.lastDescriptor = lastDescriptor
    self.executable = executable
  }
}
