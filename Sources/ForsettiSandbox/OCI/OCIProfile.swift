/// A seccomp profile as container tools take it: `linux.seccomp` of the OCI runtime specification, 1.0 and later, with
/// what the profiles of Docker and Podman have besides (`archMap`, `includes`, `excludes`).
public struct OCIProfile: Sendable, Hashable {
  /// What becomes of a call.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    case allow = "SCMP_ACT_ALLOW"
    case log = "SCMP_ACT_LOG"
    case errno = "SCMP_ACT_ERRNO"
    case trap = "SCMP_ACT_TRAP"
    case trace = "SCMP_ACT_TRACE"
    case notify = "SCMP_ACT_NOTIFY"
    case kill = "SCMP_ACT_KILL"
    case killThread = "SCMP_ACT_KILL_THREAD"
    case killProcess = "SCMP_ACT_KILL_PROCESS"

    /// Whether the kernel carries the call out.
    var letsThrough: Bool { self == .allow || self == .log }
  }

  /// How a register is compared with a value; all 64 bits of it.
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    case notEqual = "SCMP_CMP_NE"
    case less = "SCMP_CMP_LT"
    case lessOrEqual = "SCMP_CMP_LE"
    case equal = "SCMP_CMP_EQ"
    case greaterOrEqual = "SCMP_CMP_GE"
    case greater = "SCMP_CMP_GT"
    case maskedEqual = "SCMP_CMP_MASKED_EQ"
  }

  /// A condition on one register.
  public struct Argument: Sendable, Hashable {
    /// The register, 0 to 5.
    public var index: Int
    /// How it is compared.
    public var comparison: Comparison
    /// What it is compared with; of a masked compare the bits that count.
    public var value: UInt64
    /// Of a masked compare what those bits must be.
    public var valueTwo: UInt64 = 0

    /// The bits that count, and what they must be.
    static func bits(_ index: Int, mask: UInt64, value: UInt64) -> Argument {
      mask == .max
        ? Argument(index: index, comparison: .equal, value: value)
        : Argument(index: index, comparison: .maskedEqual, value: mask, valueTwo: value)
    }
  }

  /// Where an entry holds, or does not; empty is everywhere, or nowhere.
  public struct Scope: Sendable, Hashable {
    /// Go's names of architectures.
    public var architectures: [String] = []
    /// Linux capabilities of the container, such as `CAP_SYS_ADMIN`.
    public var capabilities: [String] = []
    /// The oldest kernel.
    public var kernel: KernelVersion?
  }

  /// Calls and what becomes of them. Several entries for a call are alternatives.
  public struct Entry: Sendable, Hashable {
    /// Kernel names.
    public var names: [String]
    /// What becomes of them.
    public var action: Action
    /// The error number of `Action.errno`; `nil` is EPERM.
    public var errno: Int32?
    /// All of these must hold; of several on one register, any.
    public var arguments: [Argument]
    /// What it is for.
    public var comment = ""
    /// Where alone it holds.
    public var includes = Scope()
    /// Where it does not.
    public var excludes = Scope()
  }

  /// What becomes of any other call.
  public var defaultAction: Action
  /// The error number of a default that is `Action.errno`; `nil` is EPERM.
  public var defaultErrno: Int32?
  /// libseccomp's names of the architectures whose calls it judges.
  public var architectures: [String]
  /// Entries in order.
  public var entries: [Entry]
}

/// A kernel's version as far as profiles ask for it.
public struct KernelVersion: Sendable, Hashable, Comparable {
  /// The first number.
  public var major: Int
  /// The second number.
  public var minor: Int

  /// Reads the beginning of `uname -r`, or of a profile's `minKernel`; `nil` where it does not begin with `N.N`.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).prefix(2).map { part in
      Int(part.prefix { $0.isASCII && $0.isNumber })
    }
    guard parts.count == 2, let major = parts[0], let minor = parts[1] else { return nil }
    self.major = major
    self.minor = minor
  }

  /// Whether the left one is the older one.
  public static func < (left: KernelVersion, right: KernelVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}
