import CSeccomp
import Glibc

/// Names and numbers of this machine's system calls, as libseccomp knows them.
public enum SyscallNames {
  /// The kernel's name of a call, or `syscall_N` for one newer than libseccomp.
  public static func name(of number: Int32) -> String {
    guard let text = seccomp_syscall_resolve_num_arch(UInt32(SCMP_ARCH_NATIVE), number) else {
      return "syscall_\(number)"
    }
    defer { free(text) }
    return String(cString: text)
  }

  /// The number of a call, `nil` for a name that this architecture does not have.
  public static func number(of name: String) -> Int32? {
    let number = seccomp_syscall_resolve_name_arch(UInt32(SCMP_ARCH_NATIVE), name)
    // Negative numbers are libseccomp's own, for calls of other architectures.
    return number >= 0 ? number : nil
  }

  /// Every call of this machine that libseccomp knows, by number. None has a number of four digits.
  public static let all: [String] = (Int32(0)..<1_000).compactMap { number in
    let name = name(of: number)
    return name.hasPrefix("syscall_") ? nil : name
  }

  /// The argument that points to a path, for a report to read; the first one where there are two.
  public static func pathArgument(of name: String) -> Int? { pathArguments[name] }

  private static let pathArguments: [String: Int] = {
    let first = [
      "access", "acct", "chdir", "chmod", "chown", "chroot", "creat", "execve", "getxattr", "lchown",
      "lgetxattr", "link", "listxattr", "llistxattr", "lremovexattr", "lsetxattr", "lstat", "mkdir",
      "mknod", "mount", "open", "pivot_root", "readlink", "removexattr", "rename", "rmdir", "setxattr",
      "stat", "statfs", "swapoff", "swapon", "symlink", "truncate", "umount2", "unlink", "uselib",
      "utime", "utimes", "memfd_create",
    ]
    let second = [
      "execveat", "faccessat", "faccessat2", "fchmodat", "fchmodat2", "fchownat", "futimesat",
      "inotify_add_watch", "linkat", "mkdirat", "mknodat", "move_mount", "name_to_handle_at",
      "newfstatat", "open_tree", "openat", "openat2", "quotactl", "readlinkat", "renameat", "renameat2",
      "statx", "unlinkat", "utimensat",
    ]
    var table: [String: Int] = [:]
    for name in first { table[name] = 0 }
    for name in second { table[name] = 1 }
    table["symlinkat"] = 0
    table["fanotify_mark"] = 4
    return table
  }()
}
