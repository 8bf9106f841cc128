/// What can be seen of a running module process from outside.
public struct ModuleProcessInfo: Sendable, Hashable {
  /// Its process ID.
  public var pid: Int32
  /// Its threads.
  public var threads: Int?
  /// Its open descriptors.
  public var openFileDescriptors: Int?
  /// Its proportional set size, KiB.
  public var pssKiB: Int?
  /// `Seccomp:` of /proc/PID/status: 2 is a filter.
  public var seccompMode: Int?
  /// `NoNewPrivs:` of /proc/PID/status.
  public var noNewPrivileges: Bool?
  /// From just before the spawn until `started` was read; `nil` before that.
  public var activationNanoseconds: UInt64?
  /// Calls that the supervisor answered.
  public var servedCalls: UInt64
  /// Those of them that had to wait for their turn.
  public var delayedCalls: UInt64
}

extension ModuleProcessInfo {
  /// What is known of a process that nobody looks at.
  init(_ process: RunningProcess) {
    self.init(
      pid: process.pid, activationNanoseconds: process.activationNanoseconds, servedCalls: 0, delayedCalls: 0)
  }
}
