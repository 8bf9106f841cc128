import ForsettiCore
import Glibc

// What a third party's executable adds: the one exec, and the start of a static program. The filter is on before its
// first instruction, so its start goes through the supervisor like everything else.
extension SandboxPlan {
  /// The descriptor that the sealed executable is on, in the child.
  public static let executableDescriptor: Int32 = 5

  private static let atEmptyPath: UInt32 = 0x1000
  private static let setFS: UInt32 = 0x1002
  private static let shadowStackStatus: UInt32 = 0x3001
  private static let here = UInt32(bitPattern: AT_FDCWD)

  /// Adds what it takes that a third party's executable has the host's place.
  public mutating func addExecution() { served += Self.execution + Self.programStart + Self.lastWords }

  /// In the order of the steps. That the path is empty needs no looking at: until this call no code but the host's
  /// own has run in the process, and after it there is no second.
  static let execution: [ServedRule] = [
    ServedRule(
      "execveat",
      [
        ArgumentCondition(0, "dirfd", .word(word(executableDescriptor))),
        ArgumentCondition(4, "flags", .word(atEmptyPath...atEmptyPath)),
      ], answer: .setUp(.execute),
      because: "the host, locked, gives its place to the sealed executable that was hashed"),
    dumpableRule(
      .executableNotDumpable,
      because: "an exec makes a process readable to its user again; ModuleKit ends that"),
  ]

  /// What static programs of glibc, musl and Swift ask for before `main`. Two of these must succeed, all else is
  /// refused in the way that each library takes for an older kernel or a bare system.
  static let programStart: [ServedRule] = [
    ServedRule(
      "arch_prctl", [ArgumentCondition(0, "code", .word(setFS...setFS))], answer: .continue,
      because: "start: where its own thread's variables are; no C program runs without"),
    ServedRule(
      "set_tid_address", answer: .continue, because: "start: libc learns its thread's number by it"),
    ServedRule(
      "arch_prctl", [ArgumentCondition(0, "code", .word(shadowStackStatus...shadowStackStatus))],
      answer: .errno(EINVAL), because: "start: older glibc asks whether there are shadow stacks"),
    ServedRule(
      "set_robust_list", answer: .errno(ENOSYS), because: "start: for locks shared with other processes"),
    ServedRule("rseq", answer: .errno(ENOSYS), because: "start: glibc does without"),
    ServedRule(
      "prlimit64",
      [
        ArgumentCondition(0, "pid", .word(0...0)), ArgumentCondition(1, "resource", .word(3...3)),
        ArgumentCondition(2, "new", .equals(0)),
      ], answer: .errno(EPERM), because: "start: glibc asks for the stack's limit, for threads"),
    absent("readlink", 0, .path("/proc/self/exe"), "start: glibc asks where the program lies; in no file"),
    absent(
      "openat", 1, .path("/proc/self/maps"), "start: Swift looks for its arguments, of which there are none"),
    absent("openat", 1, .path("/sys/devices/system/cpu/possible"), "start: Swift counts processors"),
    absent("openat", 1, .path("/sys/devices/system/cpu/online"), "start: Swift counts processors"),
    absent("openat", 1, .path("/proc/stat"), "start: glibc counts processors where there is no /sys"),
    ServedRule("sched_getaffinity", answer: .errno(EPERM), because: "start: Swift counts processors"),
    ServedRule(
      "ioctl",
      [
        ArgumentCondition(0, "fd", .word(0...2)),
        ArgumentCondition(1, "request", .word(UInt32(TIOCGWINSZ)...UInt32(TIOCGWINSZ))),
      ], answer: .errno(ENOTTY), because: "musl's stdio asks whether it writes to a terminal"),
    ServedRule(
      "ioctl",
      [
        ArgumentCondition(0, "fd", .word(0...2)),
        ArgumentCondition(1, "request", .word(UInt32(TCGETS)...UInt32(TCGETS))),
      ], answer: .errno(ENOTTY), because: "glibc's isatty(3) asks whether it writes to a terminal"),
  ]

  /// What installs a handler for the signals that a fault ends in, on a stack of its own. The exec reset that of the
  /// host. Both calls change their caller alone, whatever lies in its memory: a handler can only end the process, for a
  /// return from it (rt_sigreturn) is a violation.
  static let lastWords: [ServedRule] = [
    ServedRule(
      "rt_sigaction",
      [ArgumentCondition(0, "signum", .word(word(SIGILL).lowerBound...word(SIGFPE).upperBound))],
      answer: .continueInStart,
      because: "start: ModuleKit's handler for ILL, TRAP, ABRT, BUS and FPE, which says where a crash was"),
    ServedRule(
      "rt_sigaction", [ArgumentCondition(0, "signum", .word(word(SIGSEGV)))], answer: .continueInStart,
      because: "start: the same handler for SEGV"),
    ServedRule(
      "sigaltstack", answer: .continueInStart, because: "start: the stack that the handler runs on"),
  ]
}
