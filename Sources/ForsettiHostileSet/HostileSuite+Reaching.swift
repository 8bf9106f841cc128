// Reaching for what is not the module's: files, the network, other processes.
extension HostileSuite {
  static let reaching: [HostileCase] = [
    HostileCase(
      "read-etc-passwd", "reads /etc/passwd", program: "try_open_passwd",
      .ends(.violation("openat", path: "/etc/passwd"))),
    HostileCase(
      "read-by-old-open", "reads /etc/passwd by open(2)", program: "try_open_old",
      .ends(.violation("open", path: "/etc/passwd"))),
    HostileCase(
      "read-by-openat2", "opens a file that openat(2) would have been served, by openat2(2)",
      program: "try_openat2", .ends(.violation("openat2", path: "/dev/urandom"))),
    HostileCase(
      "read-bad-pointer", "opens a file whose name lies nowhere", program: "try_open_bad_pointer",
      .ends(.violation("openat"))),
    HostileCase(
      "write-outside", "makes a file in /tmp", program: "try_write_outside",
      .ends(.violation("openat", path: "/tmp/forsetti-escaped"))),
    HostileCase(
      "stat-path", "asks whether a file exists", program: "try_stat_path",
      .ends(.violation("newfstatat", path: "/etc/passwd"))),
    HostileCase(
      "unlink", "removes a file", program: "try_unlink",
      .ends(.violation("unlink", path: "/tmp/forsetti-none"))),
    HostileCase(
      "read-own-maps", "reads its own /proc/self/maps", program: "try_open_proc",
      .ends(.violation("openat", path: "/proc/self/maps"))),
    HostileCase(
      "read-proc-of-others", "reads the environment of process 1", program: "try_open_proc_of_others",
      .ends(.violation("openat", path: "/proc/1/environ"))),
    HostileCase(
      "inherited-descriptors", "reads every descriptor it might have inherited",
      program: "probe_descriptors", .survives(saying: "none is open")),
    HostileCase("connect-out", "makes a TCP socket", program: "try_socket", .ends(.violation("socket"))),
    HostileCase(
      "unix-socket", "makes a socket to reach a local service", program: "try_unix_socket",
      .ends(.violation("socket"))),
    HostileCase(
      "socketpair", "makes a pair of sockets", program: "try_socketpair", .ends(.violation("socketpair"))),
    HostileCase(
      "send-descriptor", "sends a descriptor over its pipe", program: "try_sendmsg",
      .ends(.violation("sendmsg"))),
    HostileCase(
      "ptrace-me", "asks to be traced by the supervisor", program: "try_ptrace", .ends(.violation("ptrace"))),
    HostileCase(
      "ptrace-other", "attaches to process 1", program: "try_ptrace_other", .ends(.violation("ptrace"))),
    HostileCase(
      "read-memory-of-others", "reads the memory of process 1", program: "try_process_vm_readv",
      .ends(.violation("process_vm_readv"))),
    HostileCase(
      "find-parent", "asks who its supervisor is", program: "try_getppid", .ends(.violation("getppid"))),
    HostileCase(
      "signal-parent", "kills process 1", program: "try_kill_other", .ends(.violation("kill"))),
    HostileCase(
      "signal-everyone", "kills every process it may, siblings and supervisor with them",
      program: "try_kill_everyone", .ends(.violation("kill"))),
    HostileCase(
      "signal-thread", "aborts a thread of another process", program: "try_tgkill_other",
      .ends(.violation("tgkill"))),
    HostileCase(
      "signal-itself", "kills itself by a signal that is no abort", program: "try_raise_kill",
      .ends(.violation("tgkill"))),
    HostileCase(
      "hold-sibling", "opens a pidfd of another process", program: "try_pidfd_open",
      .ends(.violation("pidfd_open"))),
    HostileCase("dup", "doubles a descriptor", program: "try_dup", .ends(.violation("dup"))),
    HostileCase("fcntl", "changes a descriptor's flags", program: "try_fcntl", .ends(.violation("fcntl"))),
  ]
}
