public import ForsettiCore
import CLinux
import Glibc

extension SandboxPlan {
  /// What a module may do, from its grants and the policy alone: the same input gives the same plan.
  /// Capabilities are brokered and add no calls; only the policy's `direct` grants do.
  /// - Parameter executes: whether a third party's executable takes the host's place, which adds that one step and
  ///   what the start of a static program asks for.
  public static func derive(
    grants: Set<Capability>, policy: SandboxPolicy, executes: Bool = false
  ) -> SandboxPlan {
    var plan = SandboxPlan(
      kernel: base(openFiles: policy.limits.openFiles),
      served: SandboxPlan.continued + refused + [urandom, setUpTail],
      landlock: LandlockPlan(
        reason: "handles every right this kernel's ABI knows and allows none: no file, no TCP port, "
          + "no abstract socket and no signal outside"),
      limits: policy.limits,
      mayBeMissing: policy.mayBeMissing,
      brokered: grants.sorted { $0.rawValue < $1.rawValue })
    if policy.direct.contains(.threads) {
      plan.kernel += threads
    } else {
      plan.limits.threads = 0
    }
    if executes { plan.addExecution() }
    return plan
  }
}

// MARK: - Kernel list

extension SandboxPlan {
  private static let anonymous = UInt64(MAP_PRIVATE | MAP_ANONYMOUS)
  private static let readWrite = UInt64(PROT_READ | PROT_WRITE)

  /// The twelve calls of a one-thread Swift program after its start-up.
  static func base(openFiles: UInt64) -> [SyscallRule] {
    // Above the limit no descriptor can exist; there the supervisor answers EBADF as the kernel would.
    let highest = UInt32(clamping: max(openFiles, 6) - 1)
    return [
      SyscallRule("read", because: "frames in; it has no other descriptor to read"),
      SyscallRule("write", because: "frames and log out"),
      SyscallRule("ppoll", because: "waits for frames and timers"),
      SyscallRule("futex", because: "locks of the Swift runtime, even when nobody contends"),
      SyscallRule("brk", because: "memory of malloc"),
      SyscallRule("munmap", because: "gives memory back"),
      SyscallRule("mmap", mapping(flags: anonymous), because: "anonymous memory that can't be executed"),
      SyscallRule(
        "mprotect", [ArgumentCondition(2, "prot", .onlyBits(readWrite))],
        because: "memory of malloc becomes usable, never executable"),
      SyscallRule(
        "mremap", [ArgumentCondition(3, "flags", .equals(UInt64(CL_MREMAP_MAYMOVE)))],
        because: "arrays and data grow without a copy"),
      SyscallRule(
        "getrandom", [ArgumentCondition(2, "flags", .word(0...1))],
        because: "random numbers, hash seeds and UUIDs"),
      SyscallRule(
        "close", [ArgumentCondition(0, "fd", .word(5...highest))],
        because: "drops the listener and descriptors handed in; 0–4 stay"),
      SyscallRule("exit_group", because: "the process ends itself"),
    ]
  }

  /// `fd` is a long to mmap(2) and ignored for anonymous memory; glibc passes an int −1, of either width.
  private static func mapping(flags: UInt64) -> [ArgumentCondition] {
    [
      ArgumentCondition(2, "prot", .onlyBits(readWrite)),
      ArgumentCondition(3, "flags", .equals(flags)),
      ArgumentCondition(4, "fd", .word(UInt32.max...UInt32.max)),
    ]
  }

  /// What the policy's `threads` adds: threads of the same process, never another process or namespace.
  static var threads: [SyscallRule] {
    [
      SyscallRule(
        "clone", [ArgumentCondition(0, "flags", .equals(UInt64(CL_CLONE_OF_PTHREADS)))],
        because: "threads: exactly the flags of pthread_create(3)"),
      SyscallRule(
        "rt_sigaction", [ArgumentCondition(0, "signum", .word(33...33))],
        because: "threads: glibc's own signal, by which setuid(2) would reach each"),
      SyscallRule("set_robust_list", because: "threads: glibc registers each"),
      SyscallRule("rseq", because: "threads: glibc ends the process where this is refused"),
      SyscallRule("exit", because: "threads: one ends"),
      SyscallRule(
        "mmap", mapping(flags: anonymous | UInt64(MAP_STACK)), because: "threads: a stack each"),
      SyscallRule(
        "mmap", mapping(flags: anonymous | UInt64(MAP_NORESERVE)), because: "threads: a malloc arena each"),
      SyscallRule(
        "madvise", [ArgumentCondition(2, "advice", .word(word(MADV_DONTNEED)))],
        because: "threads: a stack is given back"),
    ]
  }
}

// MARK: - Served list

extension SandboxPlan {
  /// Calls let through. Each is judged by registers alone, which can't change while the caller waits.
  private static let continued: [ServedRule] = [
    ServedRule(
      "rt_sigprocmask", answer: .continue, because: "abort(3) unblocks SIGABRT; it changes itself only"),
    ServedRule("gettid", answer: .continue, because: "abort(3) names its own thread"),
    ServedRule("getpid", answer: .continue, because: "abort(3) and log prefixes name the process"),
    ServedRule(
      "tgkill",
      [
        ArgumentCondition(0, "tgid", .ownProcess), ArgumentCondition(1, "tid", .ownThread),
        ArgumentCondition(2, "sig", .word(word(SIGABRT))),
      ], answer: .continue, because: "abort(3) against itself: the true signal is seen"),
    ServedRule(
      "writev", [ArgumentCondition(0, "fd", .word(1...2))], answer: .continue,
      because: "glibc's last words, such as a double free"),
    ServedRule("clock_nanosleep", answer: .continue, because: "sleep(3), usleep(3), Thread.sleep"),
    ServedRule(
      "clock_gettime", answer: .continue, because: "clocks that the vDSO doesn't serve, such as CPU time"),
    ServedRule(
      "restart_syscall", answer: .continue, because: "a sleep goes on after SIGSTOP and SIGCONT"),
  ]

  /// Calls that Swift, glibc or Foundation try and do without.
  private static let refused: [ServedRule] = [
    ServedRule(
      "newfstatat",
      [
        ArgumentCondition(0, "dirfd", .word(0...4)),
        ArgumentCondition(3, "flags", .wordHasBits(UInt32(CL_AT_EMPTY_PATH))),
      ], answer: .errno(EPERM), because: "stdio asks what stdout is, and buffers when it gets no answer"),
    ServedRule(
      "close", answer: .errno(EBADF), because: "0–4 stay open; above the descriptor limit there is none"),
    absent("newfstatat", 1, .pathBelow("/usr/share/icu/"), "Foundation looks for locale data beside its own"),
    absent("readlink", 0, .path("/etc/localtime"), "there is no local time zone: it is GMT"),
    absent("readlink", 0, .path("/etc"), "realpath(3) on the way to the time zone"),
    absent("openat", 1, .path("/etc/localtime"), "there is no local time zone: it is GMT"),
    absent("openat", 1, .pathBelow("/usr/share/zoneinfo/"), "Foundation brings the zones' names itself"),
    ServedRule("clone3", answer: .errno(ENOSYS), because: "a probe; glibc falls back to clone(2)"),
    ServedRule("io_uring_setup", answer: .errno(ENOSYS), because: "a probe; it would bypass this filter"),
    ServedRule("statx", answer: .errno(ENOSYS), because: "a probe; there is no file to ask about"),
  ]

  static func absent(
    _ name: String, _ argument: Int, _ test: ArgumentCondition.Test, _ reason: String
  ) -> ServedRule {
    ServedRule(name, [ArgumentCondition(argument, "path", test)], answer: .errno(ENOENT), because: reason)
  }

  private static let urandom = ServedRule(
    "openat", [ArgumentCondition(1, "path", .path(ConstantPath.urandom.rawValue))],
    answer: .descriptor(of: .urandom), because: "UUID() repeats itself silently without it")

  private static let setUpTail = dumpableRule(
    .notDumpable, because: "the last step of the set-up: nobody of its own user can read it")

  static func dumpableRule(_ step: SetUpStep, because reason: String) -> ServedRule {
    ServedRule(
      "prctl",
      [
        ArgumentCondition(0, "op", .word(word(PR_SET_DUMPABLE))), ArgumentCondition(1, "value", .equals(0)),
      ], answer: .setUp(step), because: reason)
  }

  static func word(_ value: Int32) -> ClosedRange<UInt32> {
    UInt32(bitPattern: value)...UInt32(bitPattern: value)
  }
}
