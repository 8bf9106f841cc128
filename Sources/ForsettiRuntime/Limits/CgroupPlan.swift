public import ForsettiCore

/// What is written into a module's cgroup, as a value, and what can't be for want of a controller.
public struct CgroupPlan: Sendable, Hashable {
  /// One file of the cgroup, and its content.
  public struct Setting: Sendable, Hashable {
    /// The file's name.
    public var file: String
    /// What is written.
    public var text: String
  }

  /// A limit that the subtree has no controller for.
  public struct Unheld: Sendable, Hashable {
    /// The file that would hold it.
    public var file: String
    /// The controller that is missing.
    public var controller: String
  }

  /// The controllers that are of use.
  static let controllers = ["memory", "pids", "cpu"]

  /// In the order in which they are written.
  public var settings: [Setting] = []
  /// What isn't held.
  public var unheld: [Unheld] = []

  /// Derives the plan of one module.
  /// - Parameter controllers: those of the subtree.
  public static func derive(_ sandbox: SandboxPolicy, controllers: Set<String>) -> CgroupPlan {
    var plan = CgroupPlan()
    func add(_ controller: String, _ settings: [(String, String)]) {
      if controllers.contains(controller) {
        plan.settings += settings.map { Setting(file: $0, text: $1) }
      } else {
        plan.unheld += settings.map { Unheld(file: $0.0, controller: controller) }
      }
    }
    let memory = sandbox.cgroup[.memoryBytes] ?? sandbox.limits.addressSpaceBytes
    // A module of several threads is ended whole or not at all.
    add("memory", [("memory.max", "\(memory)"), ("memory.oom.group", "1")])
    add("pids", [("pids.max", "\(sandbox.tasks)")])
    if let percent = sandbox.cgroup[.cpuPercent] {
      // Microseconds of each tenth of a second.
      add("cpu", [("cpu.max", "\(percent &* 1_000) 100000")])
    }
    return plan
  }
}

extension SandboxPolicy {
  /// pids.max: its own number, or that of its threads.
  var tasks: UInt64 { cgroup[.tasks] ?? (direct.contains(.threads) ? limits.threads : 1) }
}
