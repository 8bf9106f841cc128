public import ForsettiBlocking
public import ForsettiCore
public import ForsettiSandbox

/// Which of a module's limits hold by what, besides those of its plan, for `explain`.
public enum LimitsExplanation {
  /// What this process's own cgroup would give its modules. Reads /proc and the cgroup, and changes nothing. Whether it
  /// was given away can be marked so that only who has CAP_SYS_ADMIN sees it: a supervisor asks before it reduces itself.
  public static func cgroupStanding() -> CgroupStanding { CgroupTree.standing() }

  /// Rows of the limits that the supervisor, cgroups and a user of its own hold.
  /// - Parameter hasOwnUser: whether the module gets one, as under root.
  public static func rows(
    _ sandbox: SandboxPolicy, heartbeat: HeartbeatPolicy, logLinesPerSecond: Int?, cgroup: CgroupStanding,
    hasOwnUser: Bool
  ) -> [PlanRow] {
    let beat =
      heartbeat.isEnabled
      ? "every \(heartbeat.intervalMilliseconds) ms, answered within \(heartbeat.timeoutMilliseconds) ms"
      : "off"
    return [
      PlanRow(
        list: .limit, name: "heartbeat", outcome: beat, reason: "a module lost in a loop is ended",
        heldBy: heartbeat.isEnabled ? "supervisor" : nil),
      PlanRow(
        list: .limit, name: "log lines", outcome: "\(logLinesPerSecond ?? 500) a second",
        reason: "more are dropped and counted", heldBy: "supervisor"),
    ] + threadRows(sandbox, cgroup, hasOwnUser) + cgroupRows(sandbox, cgroup)
  }

  private static func threadRows(
    _ sandbox: SandboxPolicy, _ standing: CgroupStanding, _ hasOwnUser: Bool
  ) -> [PlanRow] {
    guard sandbox.direct.contains(.threads) else { return [] }
    let bound = ThreadBound.holding(hasOwnUser: hasOwnUser, controllers: standing.controllers)
    let reason =
      switch bound {
      case .ownUser: "clone fails past it: the module's own user has no other process"
      case .cgroup: "its user is the supervisor's, whose other processes would count; pids.max holds it"
      case nil: "its user is the supervisor's, and there is no pids.max: it is not started"
      }
    return [
      PlanRow(
        list: .limit, name: "RLIMIT_NPROC",
        outcome: bound == .ownUser ? "\(sandbox.limits.threads)" : "not held",
        reason: reason, heldBy: bound == .ownUser ? "rlimit" : nil)
    ]
  }

  private static func cgroupRows(_ sandbox: SandboxPolicy, _ standing: CgroupStanding) -> [PlanRow] {
    let why: String? =
      switch standing {
      case .delegated: nil
      case .notDelegated: "this cgroup was not given to the supervisor (Delegate=yes in its unit)"
      case .noHierarchy: "no cgroup hierarchy of version 2 is here"
      case .failed(let error): "the cgroup that was given to the supervisor could not be taken over: \(error)"
      }
    let plan = CgroupPlan.derive(sandbox, controllers: standing.controllers)
    return plan.settings.map {
      PlanRow(
        list: .limit, name: $0.file, outcome: $0.text, reason: "an extra to the rlimits", heldBy: "cgroup")
    }
      + plan.unheld.map {
        PlanRow(
          list: .limit, name: $0.file, outcome: "not held",
          reason: why ?? "the subtree has no controller \($0.controller)")
      }
  }
}

/// What a process's own cgroup would give its modules.
public enum CgroupStanding: Sendable, Hashable {
  /// It was given away, with these controllers; modules get theirs below this folder.
  case delegated(Set<String>, folder: String)
  /// Whoever manages it has not given it away.
  case notDelegated
  /// No hierarchy of version 2 can be seen.
  case noHierarchy
  /// It was given away, and the supervisor could not take it over.
  case failed(SystemError)

  /// The folder below which modules get theirs; `nil` where they get none.
  public var folder: String? {
    if case .delegated(_, let folder) = self { folder } else { nil }
  }

  /// The controllers that modules would have.
  var controllers: Set<String> {
    if case .delegated(let controllers, _) = self { controllers } else { [] }
  }
}
