public import ForsettiCore

/// All that holds one module, as a value: what the filter allows, what the supervisor serves, Landlock, limits,
/// and a reason for each entry. Made by `derive`, printed by `explain`, compiled by `FilterCompiler`.
public struct SandboxPlan: Sendable, Hashable {
  /// Calls the kernel carries out without asking.
  public var kernel: [SyscallRule]
  /// Calls the supervisor answers; the first rule that matches wins. Any other call is a violation.
  public var served: [ServedRule]
  /// Calls outside both lists that are recorded and let through while the module is audited; empty otherwise.
  public var audited: [SyscallRule] = []
  /// What Landlock holds.
  public var landlock: LandlockPlan
  /// rlimits, hard and soft alike (of the CPU's, the hard one is a second later). `threads` is 0 where the filter
  /// holds the module to one.
  public var limits: SandboxLimits
  /// Layers whose absence in this kernel is no failure. Seccomp is never among them.
  public var mayBeMissing: Set<SandboxLayer>
  /// Capabilities that reach the module through the broker, sorted by name; they add no calls.
  public var brokered: [Capability]

  /// What Landlock refuses: every right that the running kernel's ABI knows, with no rule that gives one back.
  public struct LandlockPlan: Sendable, Hashable {
    /// Why nothing is given back.
    public var reason: String
  }

  /// Why a call outside both lists is a violation.
  static let violationReason =
    "in neither list: recorded with name, arguments, path and instruction pointer, then killed by pidfd"

  /// Names of the calls the filter allows, each once, in plan order.
  public var kernelNames: [String] { Self.distinct(kernel.map(\.name)) }
  /// Names of the calls the supervisor answers, each once, in plan order.
  public var servedNames: [String] { Self.distinct(served.map(\.call.name)) }

  /// The request that locks one child by this plan.
  /// - Parameters:
  ///   - filter: the plan's own program, from `FilterCompiler`.
  ///   - supervisorPID: the process that must be the child's parent.
  ///   - userID: user and group to drop to; `nil` when the supervisor is not root.
  public func lockdownRequest(
    filter: FilterProgram, supervisorPID: Int32, userID: UInt32?
  ) -> LockdownRequest {
    var limits = limits
    // The kernel counts by user: among the processes of another user's session the number would mean nothing.
    if userID == nil { limits.threads = 0 }
    return LockdownRequest(
      filter: filter.bytes, supervisorPID: supervisorPID, userID: userID, limits: limits,
      mayBeMissing: mayBeMissing)
  }

  /// How many `kernelNames` has, for whoever wants no more.
  public var kernelCallCount: Int { Set(kernel.lazy.map(\.name)).count }
  /// How many `servedNames` has.
  public var servedCallCount: Int { Set(served.lazy.map(\.call.name)).count }

  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
