/// What one parameter of a system call means, as far as a report spells it out.
enum ParameterKind: String, Sendable, Hashable, CaseIterable {
  case descriptor = "fd"
  case folder = "dirfd"
  case path
  case openFlags = "open"
  case mode
  case protection = "prot"
  case mapFlags = "map"
  case remapFlags = "mremap"
  case family
  case socketType = "socket"
  case cloneFlags = "clone"
  case signal
  case operation = "prctl"
  case request = "ioctl"
  case atFlags = "at"
  case memoryFileFlags = "memfd"
  case number = "int"
  case count
  case pointer = "ptr"

  /// Whether its value says what is asked for, rather than where something lies or how much of it.
  var tellsCallsApart: Bool {
    switch self {
    case .path, .pointer, .count: false
    default: true
    }
  }
}

/// The parameters of the calls that modules are caught at, from section 2 of the manual.
enum SyscallSignatures {
  /// One parameter: its name in the manual, and what it means.
  struct Parameter: Sendable, Hashable {
    var name: String
    var kind: ParameterKind
  }

  /// The parameters of a call in order; `nil` for one that the table doesn't know.
  static func parameters(of name: String) -> [Parameter]? { table[name] }

  private static let table: [String: [Parameter]] = lines.reduce(into: [:]) { table, line in
    let words = line.split(separator: " ")
    guard let name = words.first else { return }
    table[String(name)] = words.dropFirst().compactMap { word in
      let parts = word.split(separator: ":")
      guard parts.count == 2, let kind = ParameterKind(rawValue: String(parts[1])) else { return nil }
      return Parameter(name: String(parts[0]), kind: kind)
    }
  }

  /// A call, then `name:kind` of each parameter; a test holds every word to the kinds above.
  static let lines: [String] = [
    "open path:path flags:open mode:mode",
    "openat dirfd:dirfd path:path flags:open mode:mode",
    "openat2 dirfd:dirfd path:path how:ptr size:count",
    "creat path:path mode:mode",
    "stat path:path buf:ptr",
    "lstat path:path buf:ptr",
    "fstat fd:fd buf:ptr",
    "newfstatat dirfd:dirfd path:path buf:ptr flags:at",
    "statx dirfd:dirfd path:path flags:at mask:ptr buf:ptr",
    "statfs path:path buf:ptr",
    "name_to_handle_at dirfd:dirfd path:path handle:ptr mount_id:ptr flags:at",
    "inotify_add_watch fd:fd path:path mask:ptr",
    "fanotify_mark fd:fd flags:ptr mask:ptr dirfd:dirfd path:path",
    "access path:path mode:mode",
    "faccessat dirfd:dirfd path:path mode:mode",
    "faccessat2 dirfd:dirfd path:path mode:mode flags:at",
    "readlink path:path buf:ptr size:count",
    "readlinkat dirfd:dirfd path:path buf:ptr size:count",
    "getxattr path:path name:ptr value:ptr size:count",
    "lgetxattr path:path name:ptr value:ptr size:count",
    "setxattr path:path name:ptr value:ptr size:count flags:int",
    "lsetxattr path:path name:ptr value:ptr size:count flags:int",
    "listxattr path:path list:ptr size:count",
    "llistxattr path:path list:ptr size:count",
    "removexattr path:path name:ptr",
    "lremovexattr path:path name:ptr",
    "link path:path newpath:ptr",
    "linkat dirfd:dirfd path:path newdirfd:dirfd newpath:ptr flags:at",
    "symlink path:path linkpath:ptr",
    "symlinkat path:path newdirfd:dirfd linkpath:ptr",
    "unlink path:path",
    "unlinkat dirfd:dirfd path:path flags:at",
    "rmdir path:path",
    "mkdir path:path mode:mode",
    "mkdirat dirfd:dirfd path:path mode:mode",
    "mknod path:path mode:mode dev:int",
    "mknodat dirfd:dirfd path:path mode:mode dev:int",
    "rename path:path newpath:ptr",
    "renameat dirfd:dirfd path:path newdirfd:dirfd newpath:ptr",
    "renameat2 dirfd:dirfd path:path newdirfd:dirfd newpath:ptr flags:int",
    "chmod path:path mode:mode",
    "fchmodat dirfd:dirfd path:path mode:mode",
    "fchmodat2 dirfd:dirfd path:path mode:mode flags:at",
    "chown path:path owner:int group:int",
    "lchown path:path owner:int group:int",
    "fchownat dirfd:dirfd path:path owner:int group:int flags:at",
    "truncate path:path length:count",
    "utime path:path times:ptr",
    "utimes path:path times:ptr",
    "futimesat dirfd:dirfd path:path times:ptr",
    "utimensat dirfd:dirfd path:path times:ptr flags:at",
    "chdir path:path",
    "chroot path:path",
    "mount path:path target:ptr type:ptr flags:ptr data:ptr",
    "umount2 path:path flags:int",
    "move_mount dirfd:dirfd path:path newdirfd:dirfd newpath:ptr flags:ptr",
    "open_tree dirfd:dirfd path:path flags:ptr",
    "fspick dirfd:dirfd path:path flags:ptr",
    "mount_setattr dirfd:dirfd path:path flags:at attr:ptr size:count",
    "pivot_root path:path put_old:ptr",
    "swapon path:path flags:ptr",
    "swapoff path:path",
    "acct path:path",
    "quotactl cmd:int path:path id:int addr:ptr",
    "uselib path:path",
    "execve path:path argv:ptr envp:ptr",
    "execveat dirfd:dirfd path:path argv:ptr envp:ptr flags:at",
    "close fd:fd",
    "dup fd:fd",
    "dup2 fd:fd newfd:fd",
    "fcntl fd:fd cmd:int arg:ptr",
    "ioctl fd:fd request:ioctl arg:ptr",
    "lseek fd:fd offset:count whence:int",
    "pread64 fd:fd buf:ptr count:count offset:count",
    "mmap addr:ptr length:count prot:prot flags:map fd:fd offset:count",
    "mprotect addr:ptr length:count prot:prot",
    "mremap addr:ptr oldsize:count newsize:count flags:mremap newaddr:ptr",
    "madvise addr:ptr length:count advice:int",
    "memfd_create path:path flags:memfd",
    "socket domain:family type:socket protocol:int",
    "socketpair domain:family type:socket protocol:int sv:ptr",
    "connect fd:fd addr:ptr length:count",
    "bind fd:fd addr:ptr length:count",
    "listen fd:fd backlog:int",
    "sendto fd:fd buf:ptr length:count flags:ptr addr:ptr addrlen:count",
    "sendmsg fd:fd msg:ptr flags:ptr",
    "clone flags:clone stack:ptr parent_tid:ptr child_tid:ptr tls:ptr",
    "unshare flags:clone",
    "fork",
    "vfork",
    "kill pid:int sig:signal",
    "tkill tid:int sig:signal",
    "tgkill tgid:int tid:int sig:signal",
    "rt_sigaction signum:signal act:ptr oldact:ptr size:count",
    "pidfd_send_signal fd:fd sig:signal info:ptr flags:int",
    "ptrace request:int pid:int addr:ptr data:ptr",
    "prctl op:prctl value:ptr",
    "seccomp operation:int flags:ptr args:ptr",
    "setuid uid:int",
    "setgid gid:int",
    "bpf cmd:int attr:ptr size:count",
    "keyctl operation:int",
    "perf_event_open attr:ptr pid:int cpu:int group_fd:fd flags:ptr",
    "userfaultfd flags:open",
  ]
}
