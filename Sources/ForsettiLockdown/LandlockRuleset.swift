import ForsettiCore
import CLinux
import Glibc

/// A Landlock domain as a value: everything the kernel's ABI knows is refused, but for what rules give back.
public struct LandlockRuleset: Sendable, Hashable {
  /// Rights on one file, or on a folder and all below it.
  public struct Rule: Sendable, Hashable {
    /// Where; a link is followed.
    public var path: String
    /// What is given back.
    public var rights: LandlockFileRights
    /// What it is needed for.
    public var reason: String

    /// Makes a rule.
    public init(_ path: String, _ rights: LandlockFileRights, _ reason: String) {
      self.path = path
      self.rights = rights
      self.reason = reason
    }
  }

  /// What is given back; nothing as a rule.
  public var rules: [Rule]
  /// What is not handled at all, as no rule could give it back.
  public var exceptions: LandlockRights

  /// Makes a ruleset.
  public init(rules: [Rule] = [], exceptions: LandlockRights = LandlockRights()) {
    self.rules = rules
    self.exceptions = exceptions
  }

  /// Holds the calling thread, and every thread and process that it starts from now on. The process needs
  /// no_new_privs first. A rule for a place that cannot be opened is left out: then less is allowed, never more.
  /// - Parameter mayBeMissing: whether a kernel without Landlock is no failure.
  /// - Returns: the kernel's ABI; 0 where it has none.
  func enforce(mayBeMissing: Bool) throws(LockdownFailure) -> Int32 {
    let abi = cl_landlock_abi()
    // ENOSYS: not built in; EOPNOTSUPP: built in, switched off at boot.
    if mayBeMissing, abi == -ENOSYS || abi == -EOPNOTSUPP { return 0 }
    try Lockdown.check(.landlock, abi)
    let handled = LandlockRights.handled(byABI: abi).subtracting(exceptions)
    var attributes = cl_landlock_attributes(
      handled_access_fs: handled.files.rawValue, handled_access_net: handled.network.rawValue,
      scoped: handled.scopes.rawValue)
    let ruleset = cl_landlock_create_ruleset(&attributes)
    try Lockdown.check(.landlock, ruleset)
    defer { Glibc.close(ruleset) }
    for rule in rules { try Self.add(rule, to: ruleset, handled.files) }
    try Lockdown.check(.landlock, cl_landlock_restrict_self(ruleset))
    return abi
  }

  private static func add(
    _ rule: Rule, to ruleset: Int32, _ handled: LandlockFileRights
  ) throws(LockdownFailure) {
    // O_PATH, which Swift's Glibc lacks: what may not be read can still be named.
    let place = Glibc.open(rule.path, 0o10_000_000 | O_CLOEXEC)
    guard place >= 0 else { return }
    defer { Glibc.close(place) }
    var status = stat()
    guard fstat(place, &status) == 0 else { throw LockdownFailure(step: .landlock, errno: errno) }
    var rights = rule.rights.intersection(handled)
    if status.st_mode & S_IFMT != S_IFDIR { rights.formIntersection(.ofFile) }
    guard !rights.isEmpty else { return }
    try Lockdown.check(.landlock, cl_landlock_allow_beneath(ruleset, place, rights.rawValue))
  }
}
