/// Calls that no policy allows and no audit lets through, each with what it would reach. A closed set: a call that
/// this table doesn't know is refused as well.
public enum NeverList {
  /// Why a call is never let through; of one that an audit lets through in some form, why not in the others.
  /// - Parameter name: the kernel's name; `syscall_N` of a call that libseccomp doesn't know.
  public static func reason(for name: String) -> String {
    reasons[name] ?? "a call that this version doesn't know"
  }

  /// Every call that the table names.
  public static var names: Set<String> { Set(reasons.keys) }

  private static let reasons: [String: String] = groups.reduce(into: [:]) { table, group in
    for name in group.names { table[name] = group.reason }
  }

  private static let groups: [(reason: String, names: [String])] = processes + kernel + files + network
}

// MARK: - Processes and identity

extension NeverList {
  private static let processes: [(reason: String, names: [String])] = [
    ("it makes a process, a thread or a namespace", ["clone", "clone3", "fork", "vfork"]),
    ("it runs another program", ["execve", "execveat", "uselib"]),
    (
      "it reaches into another process",
      [
        "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp",
        "pidfd_open", "pidfd_getfd", "get_robust_list", "move_pages", "migrate_pages",
      ]
    ),
    (
      "it signals another process",
      ["kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal"]
    ),
    (
      "it enters or makes a namespace, or another root",
      ["unshare", "setns", "chroot", "pivot_root"]
    ),
    (
      "it changes who the process is",
      [
        "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setfsuid", "setfsgid",
        "setgroups", "capset", "setpgid", "setsid",
      ]
    ),
    (
      "it changes limits, priority or placement",
      [
        "setrlimit", "prlimit64", "setpriority", "ioprio_set", "sched_setparam", "sched_setscheduler",
        "sched_setattr", "sched_setaffinity", "mbind", "set_mempolicy", "get_mempolicy",
        "set_mempolicy_home_node", "mlock", "mlock2", "mlockall", "munlock", "munlockall",
      ]
    ),
    (
      "it changes what holds the process: parent death signal, dumpable, privileges, filter or Landlock",
      [
        "prctl", "seccomp", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self",
        "personality", "modify_ldt", "set_thread_area", "get_thread_area",
      ]
    ),
  ]
}

// MARK: - Kernel

extension NeverList {
  private static let kernel: [(reason: String, names: [String])] = [
    ("it loads code into the kernel", ["bpf", "init_module", "finit_module", "delete_module"]),
    ("it starts another kernel, or ends this one", ["kexec_load", "kexec_file_load", "reboot"]),
    (
      "it works behind the filter",
      [
        "io_uring_setup", "io_uring_enter", "io_uring_register", "io_setup", "io_destroy", "io_getevents",
        "io_pgetevents", "io_submit", "io_cancel",
      ]
    ),
    ("it changes how the kernel handles its pages", ["userfaultfd", "remap_file_pages", "map_shadow_stack"]),
    (
      "it watches the machine",
      ["cachestat", "perf_event_open", "syslog", "lookup_dcookie", "acct", "fanotify_init", "fanotify_mark"]
    ),
    ("it reaches the kernel's keys", ["add_key", "request_key", "keyctl"]),
    (
      "it makes memory that can be executed as a file, or that nobody can look into",
      ["memfd_create", "memfd_secret"]
    ),
    (
      "it shares memory or messages with other processes",
      [
        "shmget", "shmat", "shmctl", "shmdt", "semget", "semop", "semtimedop", "semctl", "msgget", "msgsnd",
        "msgrcv", "msgctl", "mq_open", "mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify",
        "mq_getsetattr",
      ]
    ),
    (
      "it changes the machine's clock, name or hardware",
      [
        "adjtimex", "clock_adjtime", "clock_settime", "settimeofday", "sethostname", "setdomainname",
        "iopl", "ioperm", "vhangup", "_sysctl", "sysfs",
      ]
    ),
    (
      "no kernel has it any more",
      [
        "create_module", "get_kernel_syms", "query_module", "nfsservctl", "getpmsg", "putpmsg",
        "afs_syscall", "tuxcall", "security", "vserver", "epoll_ctl_old", "epoll_wait_old",
      ]
    ),
  ]
}

// MARK: - Files and network

extension NeverList {
  private static let files: [(reason: String, names: [String])] = [
    (
      "it changes mounts",
      [
        "mount", "umount2", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount", "fspick",
        "mount_setattr", "swapon", "swapoff", "quotactl", "quotactl_fd", "ustat",
      ]
    ),
    (
      "it changes owner, mode or attributes of files, which Landlock doesn't hold",
      [
        "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime",
        "utimes",
        "utimensat", "futimesat", "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr",
        "fremovexattr",
      ]
    ),
    ("older kernels' Landlock doesn't hold it", ["truncate"]),
    ("it opens a file by handle, past every path", ["name_to_handle_at", "open_by_handle_at"]),
    (
      "it watches files, which Landlock doesn't hold",
      ["inotify_init", "inotify_init1", "inotify_add_watch", "inotify_rm_watch"]
    ),
    (
      "it moves data between descriptors within the kernel",
      ["splice", "tee", "vmsplice", "sendfile", "copy_file_range"]
    ),
    ("it writes out everybody's files", ["sync", "syncfs", "sync_file_range"]),
    ("in this form it replaces or closes descriptors 0–4", ["close_range", "dup2", "dup3"]),
    ("in this form it lets the kernel signal any process of its user", ["fcntl"]),
    ("in this form it reaches a driver, or types into a terminal", ["ioctl"]),
  ]

  private static let network: [(reason: String, names: [String])] = [
    ("of sockets Landlock holds TCP alone, from Linux 6.7 on", ["socket", "socketpair"]),
    (
      "it uses a socket that Landlock doesn't hold",
      [
        "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg", "recvfrom",
        "recvmsg", "recvmmsg", "shutdown", "getsockname", "getpeername", "getsockopt", "setsockopt",
      ]
    ),
  ]
}
