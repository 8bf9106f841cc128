import ForsettiCore

/// One line of an explanation: what is held or allowed, on which conditions, and why.
public struct PlanRow: Sendable, Hashable {
  /// The part of the plan a row comes from, in the order an explanation shows them.
  public enum List: String, Sendable, Hashable, CaseIterable {
    case kernel, served, violation, landlock, limit, brokered
  }

  /// The part of the plan it comes from.
  public var list: List
  /// Call, layer, limit or capability.
  public var name: String
  /// Conditions that must all hold; empty: none.
  public var conditions: [String]
  /// What happens; the limit's value for a limit.
  public var outcome: String
  /// Why the plan has it.
  public var reason: String
  /// Of a limit, by what it holds: `rlimit`, `filter`, `cgroup` or `supervisor`; `nil` where nothing holds it.
  public var heldBy: String?

  /// Makes a row.
  public init(
    list: List, name: String, conditions: [String] = [], outcome: String, reason: String,
    heldBy: String? = nil
  ) {
    self.list = list
    self.name = name
    self.conditions = conditions
    self.outcome = outcome
    self.reason = reason
    self.heldBy = heldBy
  }
}

extension SandboxPlan {
  /// The whole plan as rows, in a fixed order, for `explain` to render as text or JSON.
  public var explanation: [PlanRow] {
    kernelRows + servedRows + [violationRow, landlockRow] + limitRows + brokeredRows
  }

  private var kernelRows: [PlanRow] {
    kernel.map {
      PlanRow(
        list: .kernel, name: $0.name, conditions: $0.conditions.map(\.text), outcome: "allowed",
        reason: $0.reason)
    }
  }

  private var servedRows: [PlanRow] {
    served.map {
      PlanRow(
        list: .served, name: $0.call.name, conditions: $0.call.conditions.map(\.text),
        outcome: $0.answer.text, reason: $0.call.reason)
    }
  }

  private var violationRow: PlanRow {
    PlanRow(list: .violation, name: "all else", outcome: "killed", reason: Self.violationReason)
  }

  private var landlockRow: PlanRow {
    PlanRow(
      list: .landlock, name: "files, TCP, scopes",
      outcome: mayBeMissing.contains(.landlock) ? "all refused, if the kernel has Landlock" : "all refused",
      reason: landlock.reason)
  }

  private var limitRows: [PlanRow] {
    func row(_ name: String, _ value: UInt64, _ unit: String, _ reason: String) -> PlanRow {
      PlanRow(list: .limit, name: name, outcome: "\(value)\(unit)", reason: reason, heldBy: "rlimit")
    }
    return [
      row("RLIMIT_AS", limits.addressSpaceBytes, " bytes", "memory ends here: mmap and brk fail"),
      row("RLIMIT_DATA", limits.dataBytes, " bytes", "writable memory ends here"),
      row("RLIMIT_STACK", limits.stackBytes, " bytes", "endless recursion ends in SIGSEGV"),
      row("RLIMIT_FSIZE", limits.fileSizeBytes, " bytes", "no file can grow; pipes are no files"),
      row("RLIMIT_NOFILE", limits.openFiles, "", "its own five, and what the supervisor hands in"),
      limits.cpuSeconds > 0
        ? row("RLIMIT_CPU", limits.cpuSeconds, " s", "time on a processor ends here, by SIGXCPU")
        : PlanRow(
          list: .limit, name: "RLIMIT_CPU", outcome: "not held",
          reason: "the policy sets no cpuSeconds; a heartbeat sees a loop without end"),
      tasksRow,
      row("RLIMIT_CORE", 0, " bytes", "a crash writes no memory to disk"),
    ]
  }

  private var tasksRow: PlanRow {
    let name = "processes and threads"
    guard limits.threads > 0 else {
      return PlanRow(
        list: .limit, name: name, outcome: "1",
        reason: "fork, vfork, clone and clone3 are not in the kernel's list", heldBy: "filter")
    }
    return PlanRow(
      list: .limit, name: name, outcome: "1 process, \(limits.threads) threads",
      reason: "clone makes threads alone; where nothing holds their number the module is not started",
      heldBy: "filter")
  }

  private var brokeredRows: [PlanRow] {
    brokered.map {
      PlanRow(
        list: .brokered, name: $0.rawValue, outcome: "through the supervisor",
        reason: "granted; a frame on descriptor 4 asks, the supervisor acts: no call is added")
    }
  }
}
