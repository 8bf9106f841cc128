/// What the policy says of one module's sandbox: limits, direct grants, layers that may be missing.
public struct SandboxPolicy: Sendable, Hashable {
  /// Resource limits.
  public var limits: SandboxLimits
  /// What a cgroup holds, where there is one.
  public var cgroup = CgroupLimits()
  /// Grants that add system calls; a policy alone can give them, never a manifest.
  public var direct: Set<DirectGrant>
  /// Layers that the policy lets a module run without. Empty in strict: fail closed.
  public var mayBeMissing: Set<SandboxLayer>

  /// Makes a sandbox policy; the default is the strict one.
  public init(
    limits: SandboxLimits = SandboxLimits(), direct: Set<DirectGrant> = [],
    mayBeMissing: Set<SandboxLayer> = []
  ) {
    self.limits = limits
    self.direct = direct
    self.mayBeMissing = mayBeMissing
  }
}

/// Resource limits of a module process (setrlimit(2)).
public struct SandboxLimits: Sendable, Hashable {
  /// RLIMIT_AS, bytes.
  public var addressSpaceBytes: UInt64
  /// RLIMIT_DATA, bytes.
  public var dataBytes: UInt64
  /// RLIMIT_STACK, bytes.
  public var stackBytes: UInt64
  /// RLIMIT_FSIZE, bytes.
  public var fileSizeBytes: UInt64
  /// RLIMIT_NOFILE.
  public var openFiles: UInt64
  /// RLIMIT_CPU, seconds on a processor from one start to the next; 0 is no limit.
  public var cpuSeconds: UInt64
  /// RLIMIT_NPROC or pids.max of a module that was granted threads, its first thread counted; 0 is no limit.
  public var threads: UInt64

  /// Makes limits; the defaults hold an ordinary module.
  public init(
    addressSpaceBytes: UInt64 = 1 << 30, dataBytes: UInt64 = 512 << 20, stackBytes: UInt64 = 8 << 20,
    fileSizeBytes: UInt64 = 0, openFiles: UInt64 = 16, cpuSeconds: UInt64 = 0, threads: UInt64 = 16
  ) {
    self.addressSpaceBytes = addressSpaceBytes
    self.dataBytes = dataBytes
    self.stackBytes = stackBytes
    self.fileSizeBytes = fileSizeBytes
    self.openFiles = openFiles
    self.cpuSeconds = cpuSeconds
    self.threads = threads
  }
}

/// A grant that reaches the kernel itself instead of the broker (DESIGN, "The filter is derived").
/// `storage` and `networking` direct come with the services; a policy that asks for them today is refused.
public enum DirectGrant: String, Sendable, Hashable, CaseIterable {
  /// Threads of its own process, as many as `SandboxLimits.threads`.
  case threads
}

/// The layers that hold a module, in the order the child applies them.
public enum SandboxLayer: String, Sendable, Hashable, CaseIterable {
  case closeDescriptors = "close_descriptors"
  case session
  case signals
  case userID = "user_id"
  case parentDeathSignal = "parent_death_signal"
  case resourceLimits = "resource_limits"
  case noNewPrivileges = "no_new_privileges"
  case landlock
  case seccomp
  case listener
  case dumpable
  /// Only where a third party's executable takes over.
  case execute
}
