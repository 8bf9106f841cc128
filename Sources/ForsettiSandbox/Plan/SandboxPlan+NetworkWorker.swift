import ForsettiCore
import Glibc

extension SandboxPlan {
  /// A name that is being found costs a thread with a stack of 8 MiB, an exchange a socket or three.
  private static let networkLimits = SandboxLimits(
    addressSpaceBytes: 16 << 30, dataBytes: 2 << 30, openFiles: 4_096, threads: 256)

  /// What holds the worker that speaks to strangers: libcurl, OpenSSL, glibc's resolver and its threads. As with the
  /// symbol worker nobody is asked about any other call: its listener is closed, so the call fails with ENOSYS, which
  /// libraries take for an old kernel.
  public static let networkWorker = SandboxPlan(
    kernel: base(openFiles: networkLimits.openFiles) + threads + time + files + sockets,
    served: [],
    landlock: LandlockPlan(
      reason:
        "allows reading how hosts are found and trusted, and connecting TCP; every other right that this "
        + "kernel's ABI knows is refused"),
    limits: networkLimits, mayBeMissing: [], brokered: [])

  private static func rules(_ names: String..., because reason: String) -> [SyscallRule] {
    // poll(2) is not everywhere.
    names.filter { SyscallNames.number(of: $0) != nil }.map { SyscallRule($0, because: reason) }
  }

  private static let time = rules(
    "clock_gettime", "restart_syscall", "poll", because: "waits for hosts and timers")

  private static let files = rules(
    "openat", "newfstatat", "lseek",
    because: "the files that Landlock leaves: how hosts are found and trusted")

  private static let sockets =
    rules(
      "connect", "getsockname", "getpeername", "getsockopt", "setsockopt", "sendto", "recvfrom", "fcntl",
      because: "hosts")
    + rules("sendmmsg", "writev", "uname", because: "the resolver asks its servers, by UDP and TCP")
    + rules(
      "rt_sigprocmask", "getpid", because: "threads are made with no signal let in; OpenSSL knows a fork")
    + [
      SyscallRule("socket", [family(AF_INET)], because: "IPv4"),
      SyscallRule("socket", [family(AF_INET6)], because: "IPv6"),
      SyscallRule("socketpair", [family(AF_UNIX)], because: "a thread of the resolver wakes the loop"),
      SyscallRule("ioctl", [request(FIONBIO)], because: "sockets that do not block"),
      SyscallRule("ioctl", [request(FIONREAD)], because: "the size of a name server's answer"),
    ]

  private static func family(_ family: Int32) -> ArgumentCondition {
    ArgumentCondition(0, "domain", .word(UInt32(family)...UInt32(family)))
  }

  private static func request(_ request: Int32) -> ArgumentCondition {
    let word = UInt32(bitPattern: request)
    return ArgumentCondition(1, "request", .word(word...word))
  }
}
