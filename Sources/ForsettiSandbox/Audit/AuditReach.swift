import CLinux
import Glibc

/// What an audit lets through: the calls that Landlock and the limits hold by themselves, or that touch the caller
/// alone. Judged by registers, which can't change while the caller waits; a call that only its memory tells apart
/// is in no rule here.
///
/// Whatever is not in it stays a violation: `NeverList` says why, and a test holds that together they name every
/// call there is.
enum AuditReach {
  /// The rules, by the Landlock that this kernel has.
  static func rules(landlockABI: Int) -> [SyscallRule] {
    guard landlockABI > 0 else { return [] }
    return unconditional + conditional + (landlockABI >= tcpABI ? network : [])
  }

  /// Landlock holds TCP's bind and connect from this ABI on (Linux 6.7).
  static let tcpABI = 4

  private static let groups: [(reason: String, names: [String])] = [
    (
      "audited: Landlock refuses the file",
      [
        "open", "openat", "openat2", "creat", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "link",
        "linkat", "symlink", "symlinkat", "rename", "renameat", "renameat2", "mknod", "mknodat",
      ]
    ),
    (
      "audited: names and attributes of files, whose content stays closed",
      [
        "stat", "lstat", "fstat", "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat",
        "faccessat2", "readlink", "readlinkat", "getxattr", "lgetxattr", "fgetxattr", "listxattr",
        "llistxattr", "flistxattr", "getcwd", "chdir", "fchdir", "umask",
      ]
    ),
    (
      "audited: works on descriptors that it has, and it has its own alone",
      [
        "lseek", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "preadv2", "pwritev2",
        "getdents", "getdents64", "dup", "poll", "select", "pselect6", "epoll_create", "epoll_create1",
        "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2", "eventfd", "eventfd2", "pipe", "pipe2",
        "signalfd", "signalfd4", "timerfd_create", "timerfd_settime", "timerfd_gettime", "flock", "fsync",
        "fdatasync", "ftruncate", "fallocate", "fadvise64", "readahead",
      ]
    ),
    (
      "audited: its own memory, within its limits",
      [
        "mmap", "mprotect", "mremap", "msync", "mincore", "madvise", "pkey_mprotect", "pkey_alloc",
        "pkey_free", "getrandom", "membarrier",
      ]
    ),
    (
      "audited: its own signals, timers and thread",
      [
        "rt_sigaction", "rt_sigprocmask", "rt_sigpending", "rt_sigtimedwait", "rt_sigsuspend",
        "rt_sigreturn", "sigaltstack", "pause", "alarm", "getitimer", "setitimer", "timer_create",
        "timer_settime", "timer_gettime", "timer_getoverrun", "timer_delete", "nanosleep",
        "clock_nanosleep", "clock_gettime", "clock_getres", "gettimeofday", "time", "sched_yield",
        "set_robust_list", "set_tid_address", "rseq", "arch_prctl", "futex_waitv", "futex_wait", "futex_wake",
        "futex_requeue", "restart_syscall",
        "exit", "wait4", "waitid",
      ]
    ),
    (
      "audited: says what the machine or the process is, and changes nothing",
      [
        "getpid", "getppid", "gettid", "getpgid", "getpgrp", "getsid", "getuid", "geteuid", "getgid",
        "getegid", "getresuid", "getresgid", "getgroups", "capget", "getpriority", "ioprio_get",
        "getrlimit", "getrusage", "times", "uname", "sysinfo", "getcpu", "sched_getaffinity",
        "sched_getparam", "sched_getscheduler", "sched_getattr", "sched_get_priority_max",
        "sched_get_priority_min", "sched_rr_get_interval",
      ]
    ),
  ]

  private static let unconditional: [SyscallRule] = groups.flatMap { group in
    group.names.map { SyscallRule($0, because: group.reason) }
  }

  /// Calls of which one form touches the caller alone, and the next one somebody else.
  private static let conditional: [SyscallRule] =
    [
      SyscallRule(
        "tgkill", [ArgumentCondition(0, "tgid", .ownProcess), ArgumentCondition(1, "tid", .ownThread)],
        because: "audited: a signal to itself"),
      SyscallRule(
        "prlimit64", [ArgumentCondition(0, "pid", .word(0...0)), ArgumentCondition(2, "new", .equals(0))],
        because: "audited: reads a limit of its own"),
    ]
    + ["dup2", "dup3"].map {
      SyscallRule(
        $0, [ArgumentCondition(1, "newfd", .word(5...UInt32(Int32.max)))],
        because: "audited: a copy of a descriptor that it has; 0–4 stay what they are")
    }
    // Not F_SETOWN and F_SETSIG: by those the kernel sends a signal to any process of the same user.
    + [F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC].map { command in
      form("fcntl", 1, "cmd", UInt32(command), "audited: flags and copies of descriptors that it has")
    }
    + [UInt32(TCGETS), UInt32(TIOCGWINSZ), UInt32(FIONREAD), UInt32(FIONBIO)].map { request in
      form("ioctl", 1, "request", request, "audited: asks what a descriptor is")
    }
    + [PR_SET_NAME, PR_GET_NAME].map { operation in
      form("prctl", 0, "op", UInt32(operation), "audited: the thread's name")
    }

  private static func form(
    _ name: String, _ argument: Int, _ parameter: String, _ value: UInt32, _ reason: String
  ) -> SyscallRule {
    SyscallRule(name, [ArgumentCondition(argument, parameter, .word(value...value))], because: reason)
  }
}

// MARK: - TCP

extension AuditReach {
  /// TCP alone: nothing in Landlock holds UDP, raw packets, or a listener on a port that was never bound.
  private static let network: [SyscallRule] =
    sockets
    + ["connect", "bind"].map { SyscallRule($0, because: "audited: Landlock refuses every TCP port") }
    + ["sendto", "sendmsg"].map { name in
      SyscallRule(
        name, [ArgumentCondition(name == "sendto" ? 3 : 2, "flags", .onlyBits(~fastOpen))],
        because: "audited: a socket that is not connected sends nothing")
    }
    + [
      "recvfrom", "recvmsg", "recvmmsg", "shutdown", "getsockname", "getpeername", "getsockopt", "setsockopt",
    ].map { SyscallRule($0, because: "audited: a socket that is not connected") }

  /// MSG_FASTOPEN connects without connect(2), past Landlock.
  private static let fastOpen: UInt64 = 0x2000_0000

  private static let sockets: [SyscallRule] = [AF_INET, AF_INET6].flatMap { family in
    [0, IPPROTO_TCP].map { transport in
      SyscallRule(
        "socket",
        [
          ArgumentCondition(0, "domain", .word(UInt32(family)...UInt32(family))),
          ArgumentCondition(1, "type", .onlyBits(streamTypes)),
          ArgumentCondition(1, "type", .wordHasBits(UInt32(SOCK_STREAM.rawValue))),
          ArgumentCondition(2, "protocol", .word(UInt32(transport)...UInt32(transport))),
        ], because: "audited: a TCP socket, which Landlock keeps from every port")
    }
  }

  private static let streamTypes =
    UInt64(SOCK_STREAM.rawValue) | UInt64(SOCK_NONBLOCK.rawValue) | UInt64(SOCK_CLOEXEC.rawValue)
}

extension SandboxPlan {
  /// The same plan with the default lifted as far as an audit goes. The kernel's and the supervisor's own list,
  /// Landlock and the limits stay as they are.
  /// - Parameter landlockABI: this kernel's; without Landlock nothing is lifted.
  public func audited(landlockABI: Int) -> SandboxPlan {
    var plan = self
    plan.audited = AuditReach.rules(landlockABI: landlockABI)
    return plan
  }
}
