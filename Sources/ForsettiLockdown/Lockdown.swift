public import ForsettiCore
import CLinux
import Glibc

/// Locks this very process, step by step, in the order that the kernel needs. Called once, by a process of one
/// thread, before any module code: Landlock and the filter hold the calling thread and what it starts.
public enum Lockdown {
  /// Applies every layer and reads each back where the kernel lets it be read.
  /// - Throws: the first step that could not be applied; what came before stays applied, so the process must end.
  public static func apply(_ request: LockdownRequest) throws(LockdownFailure) -> LockdownResult {
    try lock(request, landlock: LandlockRuleset(), mayBeRoot: false, isHidden: false)
  }

  static func lock(
    _ request: LockdownRequest, landlock: LandlockRuleset, mayBeRoot: Bool, isHidden: Bool
  ) throws(LockdownFailure) -> LockdownResult {
    try closeDescriptors(above: request.lastDescriptor)
    if let executable = request.executable { try closeOnExecute(executable) }
    try ownSession()
    try resetSignals()
    try installLastWords()
    try dropIdentity(to: request.userID, mayBeRoot: mayBeRoot)
    try dieWithParent(request.supervisorPID)
    // After the drop of identity too, which may undo it (fs.suid_dumpable).
    if isHidden { try check(.dumpable, cl_prctl(PR_SET_DUMPABLE, 0)) }
    try limitResources(request.limits)
    try refuseNewPrivileges()
    takeShortTurns()
    let abi = try landlock.enforce(mayBeMissing: request.mayBeMissing.contains(.landlock))
    return LockdownResult(listener: try loadFilter(request.filter), landlockABI: abi)
  }

  /// Ends the set-up, once the supervisor holds the listener: from here on no descriptor but its own is open, and
  /// no process of the same user can read this one.
  public static func finish(listener: Int32) throws(LockdownFailure) {
    // The filter allows this close and notifies the supervisor of the prctl, which it lets through once.
    guard Glibc.close(listener) == 0 else { throw LockdownFailure(step: .listener, errno: errno) }
    try check(.dumpable, cl_prctl(PR_SET_DUMPABLE, 0))
  }

  /// Lets a third party's executable take the place of this process, which is locked and released: the supervisor
  /// lets one such call through. Nothing of this program is left when it succeeds, and every layer is.
  public static func execute(_ executable: Int32) throws(LockdownFailure) -> Never {
    // Returns only where it failed.
    throw LockdownFailure(step: .execute, errno: -cl_execute(executable))
  }

  static func check(_ step: SandboxLayer, _ result: Int32) throws(LockdownFailure) {
    if result < 0 { throw LockdownFailure(step: step, errno: -result) }
  }

  static func verify(_ step: SandboxLayer, _ holds: Bool) throws(LockdownFailure) {
    if !holds { throw LockdownFailure(step: step, errno: ENOTRECOVERABLE) }
  }
}

// MARK: - The steps, in order

extension Lockdown {
  private static func closeDescriptors(above last: Int32) throws(LockdownFailure) {
    guard last >= 0 else { throw LockdownFailure(step: .closeDescriptors, errno: EINVAL) }
    try check(.closeDescriptors, cl_close_range(UInt32(last) + 1, .max))
  }

  /// The module keeps no descriptor of its own executable.
  private static func closeOnExecute(_ executable: Int32) throws(LockdownFailure) {
    guard fcntl(executable, F_SETFD, FD_CLOEXEC) == 0 else {
      throw LockdownFailure(step: .closeDescriptors, errno: errno)
    }
  }

  /// A terminal's signals reach a session; the spawner made this process the leader of its own.
  private static func ownSession() throws(LockdownFailure) {
    if getsid(0) == getpid() { return }
    guard setsid() >= 0 else { throw LockdownFailure(step: .session, errno: errno) }
  }

  private static func resetSignals() throws(LockdownFailure) {
    var none = sigset_t()
    sigemptyset(&none)
    guard sigprocmask(SIG_SETMASK, &none, nil) == 0 else {
      throw LockdownFailure(step: .signals, errno: errno)
    }
    var standard = sigaction()
    standard.__sigaction_handler.sa_handler = SIG_DFL
    // 32 and 33 belong to glibc, which refuses them; KILL and STOP can't be changed.
    for signal in Int32(1)...64 where ![SIGKILL, SIGSTOP, 32, 33].contains(signal) {
      guard sigaction(signal, &standard, nil) == 0 else {
        throw LockdownFailure(step: .signals, errno: errno)
      }
    }
  }

  /// What a crash leaves: the filter refuses to install a handler later. Descriptor 2 is the log pipe.
  private static func installLastWords() throws(LockdownFailure) {
    try check(.signals, cl_install_last_words(STDERR_FILENO))
  }

  /// A supervisor that is root gives each module a user of its own; any other keeps its own, without capabilities.
  /// - Throws: where somebody would stay root, or the kernel shows another user than was asked for.
  public static func dropIdentity(to user: UInt32?, mayBeRoot: Bool = false) throws(LockdownFailure) {
    // Nobody runs a module as root, whoever forgot to name a user.
    try verify(.userID, user != nil || mayBeRoot || geteuid() != 0)
    if let user {
      try verify(.userID, user != 0 && user != .max)
      try check(.userID, cl_drop_groups())
      try check(.userID, cl_drop_to_user(user))
      try verify(.userID, cl_is_user(user) == 1)
    }
    try check(.userID, cl_clear_ambient())
    try check(.userID, cl_keep_capabilities(0))
  }

  /// After the drop of identity, which clears it. A parent that died before this has left another one.
  private static func dieWithParent(_ parent: Int32) throws(LockdownFailure) {
    try check(.parentDeathSignal, cl_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL)))
    var signal: Int32 = 0
    try check(.parentDeathSignal, cl_prctl_get(PR_GET_PDEATHSIG, &signal))
    try verify(.parentDeathSignal, signal == SIGKILL)
    guard getppid() == parent else { throw LockdownFailure(step: .parentDeathSignal, errno: ESRCH) }
  }

  private static func limitResources(_ limits: SandboxLimits) throws(LockdownFailure) {
    try limit(RLIMIT_AS, to: limits.addressSpaceBytes)
    try limit(RLIMIT_DATA, to: limits.dataBytes)
    try limit(RLIMIT_STACK, to: limits.stackBytes)
    try limit(RLIMIT_FSIZE, to: limits.fileSizeBytes)
    try limit(RLIMIT_NOFILE, to: limits.openFiles)
    try limit(RLIMIT_CORE, to: 0)
    // Set after the drop of identity: it counts what the module's own user has.
    if limits.threads > 0 { try limit(__RLIMIT_NPROC, to: limits.threads) }
    // At the hard limit the kernel sends SIGKILL, which says nothing: SIGXCPU comes a second before it.
    if limits.cpuSeconds > 0 { try limit(RLIMIT_CPU, to: limits.cpuSeconds, hard: limits.cpuSeconds &+ 1) }
  }

  private static func limit(
    _ resource: __rlimit_resource, to value: UInt64, hard: UInt64? = nil
  ) throws(LockdownFailure) {
    // A hard limit that is already lower can't be raised by an ordinary user, and holds as well.
    var current = rlimit()
    guard getrlimit(Int32(resource.rawValue), &current) == 0 else {
      throw LockdownFailure(step: .resourceLimits, errno: errno)
    }
    let wanted = rlim_t(min(value, UInt64(current.rlim_max)))
    let ceiling = rlim_t(min(hard ?? value, UInt64(current.rlim_max)))
    var new = rlimit(rlim_cur: wanted, rlim_max: ceiling)
    guard setrlimit(Int32(resource.rawValue), &new) == 0, getrlimit(Int32(resource.rawValue), &current) == 0
    else { throw LockdownFailure(step: .resourceLimits, errno: errno) }
    try verify(.resourceLimits, current.rlim_cur == wanted && current.rlim_max == ceiling)
  }

  /// Without it neither Landlock nor a filter can be had by an ordinary user (EPERM).
  private static func refuseNewPrivileges() throws(LockdownFailure) {
    try check(.noNewPrivileges, cl_prctl(PR_SET_NO_NEW_PRIVS, 1))
    try verify(.noNewPrivileges, cl_prctl(PR_GET_NO_NEW_PRIVS, 0) == 1)
  }

  /// Most of what a start costs is behind it, and held up nobody who runs already; from here on it is one of those. No
  /// layer: where the kernel can't, calls take longer beside others that start.
  private static func takeShortTurns() { _ = cl_set_slice(UInt64(CL_SHORT_SLICE)) }

  /// No policy can do without it: a module with no filter would be no module.
  private static func loadFilter(_ filter: [UInt8]) throws(LockdownFailure) -> Int32 {
    let size = MemoryLayout<sock_filter>.size
    guard !filter.isEmpty, filter.count % size == 0, let count = UInt16(exactly: filter.count / size) else {
      throw LockdownFailure(step: .seccomp, errno: EINVAL)
    }
    // WAIT_KILLABLE_RECV (5.19): once the supervisor has a call, only a fatal signal takes it back.
    let flags = UInt32(SECCOMP_FILTER_FLAG_NEW_LISTENER) | UInt32(SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV)
    let listener = filter.withUnsafeBytes { cl_seccomp_load($0.baseAddress, count, flags) }
    // EBUSY: a filter above this process has a listener already, and the kernel keeps one in a chain.
    try check(listener == -EBUSY ? .listener : .seccomp, listener)
    return listener
  }
}
