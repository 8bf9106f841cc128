import CLinux
import Glibc

// Names of the bits and numbers of the kernel's own headers; where glibc shows a constant under _GNU_SOURCE only, its
// number of asm-generic is written out, which x86-64 and arm64 share unless said otherwise.
extension ArgumentText {
  static let protections: [(UInt64, String)] = [(1, "PROT_READ"), (2, "PROT_WRITE"), (4, "PROT_EXEC")]

  static let mapFlags: [(UInt64, String)] = [
    (0x3, "MAP_SHARED_VALIDATE"), (0x1, "MAP_SHARED"), (0x2, "MAP_PRIVATE"), (0x10, "MAP_FIXED"),
    (0x20, "MAP_ANONYMOUS"), (0x100, "MAP_GROWSDOWN"), (0x2000, "MAP_LOCKED"), (0x4000, "MAP_NORESERVE"),
    (0x8000, "MAP_POPULATE"), (0x10000, "MAP_NONBLOCK"), (0x20000, "MAP_STACK"), (0x40000, "MAP_HUGETLB"),
    (0x100000, "MAP_FIXED_NOREPLACE"),
  ]

  /// O_TMPFILE holds O_DIRECTORY, and O_SYNC holds O_DSYNC: the wider ones come first. Both differ by architecture.
  static let openBits: [(UInt64, String)] = [
    (UInt64(O_SYNC), "O_SYNC"), (UInt64(O_DSYNC), "O_DSYNC"), (UInt64(O_CREAT), "O_CREAT"),
    (UInt64(O_EXCL), "O_EXCL"), (UInt64(O_NOCTTY), "O_NOCTTY"), (UInt64(O_TRUNC), "O_TRUNC"),
    (UInt64(O_APPEND), "O_APPEND"), (UInt64(O_NONBLOCK), "O_NONBLOCK"), (UInt64(O_DIRECTORY), "O_DIRECTORY"),
    (UInt64(O_NOFOLLOW), "O_NOFOLLOW"), (UInt64(O_CLOEXEC), "O_CLOEXEC"), (0x200000, "O_PATH"),
  ]

  static let atFlags: [(UInt64, String)] = [
    (0x100, "AT_SYMLINK_NOFOLLOW"), (0x200, "AT_REMOVEDIR"), (0x400, "AT_SYMLINK_FOLLOW"),
    (0x800, "AT_NO_AUTOMOUNT"), (0x1000, "AT_EMPTY_PATH"),
  ]

  static let families: [Int32: String] = [
    1: "AF_UNIX", 2: "AF_INET", 10: "AF_INET6", 16: "AF_NETLINK", 17: "AF_PACKET", 31: "AF_BLUETOOTH",
    38: "AF_ALG", 40: "AF_VSOCK", 44: "AF_XDP",
  ]

  static let socketTypes: [UInt32: String] = [
    1: "SOCK_STREAM", 2: "SOCK_DGRAM", 3: "SOCK_RAW", 5: "SOCK_SEQPACKET", 10: "SOCK_PACKET",
  ]

  static let socketBits: [(UInt64, String)] = [(0x800, "SOCK_NONBLOCK"), (0x80000, "SOCK_CLOEXEC")]

  static let cloneBits: [(UInt64, String)] = [
    (0x100, "CLONE_VM"), (0x200, "CLONE_FS"), (0x400, "CLONE_FILES"), (0x800, "CLONE_SIGHAND"),
    (0x1000, "CLONE_PIDFD"), (0x2000, "CLONE_PTRACE"), (0x4000, "CLONE_VFORK"), (0x8000, "CLONE_PARENT"),
    (0x10000, "CLONE_THREAD"), (0x20000, "CLONE_NEWNS"), (0x40000, "CLONE_SYSVSEM"),
    (0x80000, "CLONE_SETTLS"),
    (0x100000, "CLONE_PARENT_SETTID"), (0x200000, "CLONE_CHILD_CLEARTID"), (0x800000, "CLONE_UNTRACED"),
    (0x1000000, "CLONE_CHILD_SETTID"), (0x2000000, "CLONE_NEWCGROUP"), (0x4000000, "CLONE_NEWUTS"),
    (0x8000000, "CLONE_NEWIPC"), (0x10000000, "CLONE_NEWUSER"), (0x20000000, "CLONE_NEWPID"),
    (0x40000000, "CLONE_NEWNET"), (0x80000000, "CLONE_IO"),
  ]

  static let operations: [Int32: String] = [
    1: "PR_SET_PDEATHSIG", 2: "PR_GET_PDEATHSIG", 3: "PR_GET_DUMPABLE", 4: "PR_SET_DUMPABLE",
    8: "PR_SET_KEEPCAPS", 15: "PR_SET_NAME", 16: "PR_GET_NAME", 21: "PR_GET_SECCOMP", 22: "PR_SET_SECCOMP",
    23: "PR_CAPBSET_READ", 24: "PR_CAPBSET_DROP", 26: "PR_SET_TSC", 29: "PR_SET_TIMERSLACK", 35: "PR_SET_MM",
    36: "PR_SET_CHILD_SUBREAPER", 38: "PR_SET_NO_NEW_PRIVS", 39: "PR_GET_NO_NEW_PRIVS", 47: "PR_CAP_AMBIENT",
    0x5961_6d61: "PR_SET_PTRACER", 0x5356_4d41: "PR_SET_VMA",
  ]

  static let requests: [UInt32: String] = [
    0x5401: "TCGETS", 0x5402: "TCSETS", 0x540e: "TIOCSCTTY", 0x5412: "TIOCSTI", 0x5413: "TIOCGWINSZ",
    0x541b: "FIONREAD", 0x541c: "TIOCLINUX", 0x5421: "FIONBIO", 0x5451: "FIOCLEX",
  ]
}
