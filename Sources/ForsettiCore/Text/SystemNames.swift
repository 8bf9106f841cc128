/// Names of Linux's error numbers for messages; Core calls no C library, and its strerror(3) text names no number.
public enum ErrnoName {
  /// `EACCES (permission denied)`; `errno N` for a number that is not in the table.
  public static func text(_ number: Int32) -> String {
    names[number].map { "\($0.0) (\($0.1))" } ?? "errno \(number)"
  }

  // Numbers of asm-generic/errno-base.h and errno.h, the same on x86-64 and arm64.
  private static let names: [Int32: (String, String)] = [
    1: ("EPERM", "operation not permitted"), 2: ("ENOENT", "no such file or folder"),
    3: ("ESRCH", "no such process"), 4: ("EINTR", "interrupted"), 5: ("EIO", "input/output error"),
    7: ("E2BIG", "argument list too long"), 8: ("ENOEXEC", "no executable format"),
    9: ("EBADF", "bad descriptor"), 10: ("ECHILD", "no child process"), 11: ("EAGAIN", "try again"),
    12: ("ENOMEM", "out of memory"), 13: ("EACCES", "permission denied"), 14: ("EFAULT", "bad address"),
    16: ("EBUSY", "busy"), 17: ("EEXIST", "exists already"), 18: ("EXDEV", "another file system"),
    19: ("ENODEV", "no such device"), 20: ("ENOTDIR", "not a folder"), 21: ("EISDIR", "a folder"),
    22: ("EINVAL", "invalid argument"), 23: ("ENFILE", "too many open files in the system"),
    24: ("EMFILE", "too many open files"), 26: ("ETXTBSY", "text file busy"), 27: ("EFBIG", "file too large"),
    28: ("ENOSPC", "no space left"), 29: ("ESPIPE", "not seekable"), 30: ("EROFS", "read-only file system"),
    32: ("EPIPE", "broken pipe"), 36: ("ENAMETOOLONG", "name too long"), 38: ("ENOSYS", "not in this kernel"),
    40: ("ELOOP", "a symbolic link, or too many"), 61: ("ENODATA", "no data"),
    71: ("EPROTO", "protocol error"),
    75: ("EOVERFLOW", "value too large"), 95: ("EOPNOTSUPP", "not supported"),
    98: ("EADDRINUSE", "address in use"),
    104: ("ECONNRESET", "connection reset"), 110: ("ETIMEDOUT", "timed out"),
    122: ("EDQUOT", "quota exceeded"),
  ]
}

/// Names of Linux's signals for messages.
public enum SignalName {
  /// `SIGSEGV`; `signal N` for a number that is not in the table.
  public static func text(_ number: Int32) -> String { names[number] ?? "signal \(number)" }

  // Numbers of signal(7), the same on x86-64 and arm64.
  private static let names: [Int32: String] = [
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
    9: "SIGKILL", 10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
    16: "SIGSTKFLT", 17: "SIGCHLD", 18: "SIGCONT", 19: "SIGSTOP", 20: "SIGTSTP", 21: "SIGTTIN", 22: "SIGTTOU",
    23: "SIGURG", 24: "SIGXCPU", 25: "SIGXFSZ", 26: "SIGVTALRM", 27: "SIGPROF", 28: "SIGWINCH", 29: "SIGIO",
    30: "SIGPWR", 31: "SIGSYS",
  ]
}
