// Getting out of the sandbox, or around its filter.
extension HostileSuite {
  static let escaping: [HostileCase] = processes + kernel + filter

  private static let processes: [HostileCase] = [
    HostileCase("fork", "forks", program: "try_fork", .ends(.violation("fork"))),
    HostileCase("fork-bomb", "forks for ever", program: "fork_bomb", .ends(.violation("fork"))),
    HostileCase("vfork", "forks by vfork(2)", program: "try_vfork", .ends(.violation("vfork"))),
    HostileCase("clone", "forks by clone(2)", program: "try_clone", .ends(.violation("clone"))),
    HostileCase("thread", "starts a thread", program: "try_thread", .ends(.violation("clone"))),
    HostileCase(
      "exec", "becomes /bin/true", program: "try_execve", .ends(.violation("execve", path: "/bin/true"))),
    HostileCase(
      "execveat", "becomes /bin/true by execveat(2)", program: "try_execveat",
      .ends(.violation("execveat", path: "/bin/true"))),
    HostileCase(
      "memfd", "makes a file in memory, to execute it", program: "try_memfd",
      .ends(.violation("memfd_create"))),
    HostileCase(
      "end-thread", "ends its thread and not itself", program: "try_exit", .ends(.violation("exit"))),
  ]

  private static let kernel: [HostileCase] = [
    HostileCase(
      "io-uring", "makes a ring whose calls no filter sees", program: "io_uring_probe",
      .survives(saying: "-38")),
    HostileCase(
      "userfaultfd", "handles its own page faults", program: "try_userfaultfd",
      .ends(.violation("userfaultfd"))),
    HostileCase("bpf", "loads a program into the kernel", program: "try_bpf", .ends(.violation("bpf"))),
    HostileCase(
      "perf", "watches the processor", program: "try_perf_event_open", .ends(.violation("perf_event_open"))),
    HostileCase("keyctl", "reads the kernel's keyrings", program: "try_keyctl", .ends(.violation("keyctl"))),
    HostileCase("mount", "mounts a file system", program: "try_mount", .ends(.violation("mount"))),
    HostileCase("unshare", "makes a user namespace", program: "try_unshare", .ends(.violation("unshare"))),
    HostileCase("setns", "enters another namespace", program: "try_setns", .ends(.violation("setns"))),
    HostileCase("chroot", "changes its root", program: "try_chroot", .ends(.violation("chroot", path: "/"))),
    HostileCase("setuid", "becomes root", program: "try_setuid", .ends(.violation("setuid"))),
    HostileCase(
      "personality", "turns address randomisation off", program: "try_personality",
      .ends(.violation("personality"))),
    HostileCase(
      "raise-limits", "raises its own limits", program: "try_prlimit", .ends(.violation("prlimit64"))),
    HostileCase("ioctl", "types into the terminal", program: "try_ioctl", .ends(.violation("ioctl"))),
    HostileCase(
      "ioctl-high-bits", "types into the terminal by a request with its high bits set",
      program: "try_ioctl_high_bits", .ends(.violation("ioctl"))),
  ]

  private static let filter: [HostileCase] = [
    HostileCase(
      "int-80", "calls through the 32-bit gate", program: "try_i386_getpid", .ends(.foreignArchitecture)),
    HostileCase("x32", "calls by x32's numbers", program: "try_x32_getpid", .ends(.foreignArchitecture)),
    HostileCase(
      "unknown-call", "makes a call that does not exist", program: "try_unknown_call",
      .ends(.violation("syscall_1000"))),
    HostileCase(
      "seccomp-again", "loads a filter of its own", program: "try_seccomp_again", .ends(.violation("seccomp"))
    ),
    HostileCase(
      "landlock-again", "makes a ruleset of its own", program: "try_landlock",
      .ends(.violation("landlock_create_ruleset"))),
    HostileCase(
      "signal-handler", "installs a signal handler", program: "try_sigaction",
      .ends(.violation("rt_sigaction"))),
    HostileCase(
      "set-up-again", "repeats the last step of its set-up", program: "try_dumpable_again",
      .ends(.violation("prctl"))),
    HostileCase(
      "dumpable", "lets others of its user read it", program: "try_dumpable_on", .ends(.violation("prctl"))),
    HostileCase(
      "closed-pipes", "closes its pipes, by numbers with their high bits set", program: "close_own_pipes",
      .survives(saying: "true")),
    HostileCase(
      "served-flood", "makes calls that the supervisor has to answer, as fast as it can",
      program: "served_flood", .survives(saying: "answered")),
  ]
}
