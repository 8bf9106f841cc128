import ForsettiCore
import CLinux
import Glibc

extension SandboxPlan {
  private static let consoleLimits = SandboxLimits(
    addressSpaceBytes: 8 << 30, dataBytes: 512 << 20, openFiles: 256)

  /// What holds the web console, which reads the bytes of browsers: a server of many threads on one socket that it was
  /// given, which gets its connections to the control socket on another. It opens no file, makes no socket, and starts no
  /// process.
  /// It serves nobody, so nothing is served: every call but these fails, for its listener is closed. A kernel without
  /// Landlock holds it by the filter, which knows no file.
  public static let console = SandboxPlan(
    kernel: base(openFiles: consoleLimits.openFiles) + threads + sockets + waiting,
    served: [],
    landlock: LandlockPlan(reason: "handles every right this kernel's ABI knows and allows none"),
    limits: consoleLimits, mayBeMissing: [.landlock], brokered: [])

  private static let sockets: [SyscallRule] = [
    SyscallRule("accept4", because: "connections on the socket it was given"),
    SyscallRule("recvfrom", because: "requests"),
    SyscallRule("sendto", because: "answers"),
    SyscallRule(
      "sendmsg", because: "answers in two pieces, and asking for a connection to the control socket"),
    SyscallRule("recvmsg", because: "the connections to the control socket that it is handed"),
    SyscallRule("shutdown", because: "cuts off connections that are late"),
    SyscallRule("getsockname", because: "where it listens"),
    SyscallRule("getsockopt", because: "what the socket is that it was given"),
    SyscallRule("setsockopt", because: "answers leave at once (TCP_NODELAY)"),
    SyscallRule("fchmod", because: "the mode of a unix socket that is not bound yet"),
    SyscallRule("fcntl", [ArgumentCondition(1, "cmd", .word(1...4))], because: "flags of descriptors"),
  ]

  private static let waiting: [SyscallRule] = [
    SyscallRule("poll", because: "waits for sockets"),
    SyscallRule("pipe2", because: "wakes threads that wait"),
    SyscallRule("eventfd2", because: "wakes the server's loop"),
    SyscallRule("rt_sigprocmask", because: "threads leave signals alone"),
    SyscallRule("sched_yield", because: "locks of the Swift runtime"),
    SyscallRule("gettid", because: "locks of glibc"),
    SyscallRule("getpid", because: "abort(3)"),
    SyscallRule("clock_nanosleep", because: "waits"),
    SyscallRule("restart_syscall", because: "a wait goes on after SIGSTOP and SIGCONT"),
    SyscallRule("sched_getaffinity", because: "malloc asks how many arenas it may have"),
    SyscallRule("prctl", [ArgumentCondition(0, "op", .word(word(PR_SET_NAME)))], because: "names of threads"),
  ]
}
