import ForsettiCore

/// What holds a module with the direct grant `threads` to its number of them.
enum ThreadBound: Hashable {
  /// RLIMIT_NPROC: the kernel counts by user, and the module has one of its own.
  case ownUser
  /// pids.max of its own cgroup.
  case cgroup

  /// What there is for it; `nil`: nothing, and a module with threads must not start.
  /// - Parameters:
  ///   - hasOwnUser: whether modules get a user of their own, as under root.
  ///   - controllers: those of the subtree of cgroups; empty where there is none.
  static func holding(hasOwnUser: Bool, controllers: Set<String>) -> ThreadBound? {
    if hasOwnUser { return .ownUser }
    return controllers.contains("pids") ? .cgroup : nil
  }
}
