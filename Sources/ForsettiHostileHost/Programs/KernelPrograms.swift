import CLinux
import Glibc

/// More programs that ask the kernel for what no module may have: other processes, namespaces, memory of other kinds.
enum KernelPrograms {
  private static func call(_ number: Int, _ arguments: UInt64...) -> String {
    ForbiddenPrograms.call(number, arguments)
  }

  private static func call(_ number: Int, at index: Int, path: StaticString, _ arguments: UInt64...) -> String
  {
    ForbiddenPrograms.call(number, at: index, path: path, arguments)
  }

  private static let workingDirectory = UInt64(bitPattern: Int64(AT_FDCWD))
  private static let everyone = UInt64(bitPattern: -1)
  /// MAP_SHARED | MAP_ANONYMOUS.
  private static let sharedMemory: UInt64 = 0x21
  /// MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN.
  private static let growingMemory: UInt64 = 0x122

  static let all: [Program] = [
    Program("try_write_outside") {
      call(
        257, at: 1, path: "/tmp/forsetti-escaped", workingDirectory, 0, UInt64(O_WRONLY | O_CREAT), 0o600)
    },
    Program("try_open_proc_of_others") { call(257, at: 1, path: "/proc/1/environ", workingDirectory) },
    Program("try_unix_socket") { call(41, UInt64(AF_UNIX), 1, 0) },
    Program("try_ptrace_other") { call(101, 16, 1, 0, 0) },
    Program("try_process_vm_readv") { call(310, 1, 0, 0, 0, 0, 0) },
    Program("try_getppid") { call(110) },
    Program("try_kill_everyone") { call(62, everyone, 9) },
    Program("try_pidfd_open") { call(434, 1, 0) },
    Program("fork_bomb") {
      while true {
        let result = call(57)
        if !result.hasSuffix(" 0") { return result }
      }
    },
    Program("try_exit") { call(60, 0) },
    Program("try_userfaultfd") { call(323, 1) },
    Program("try_perf_event_open") { call(298, 0, 0, everyone, everyone, 0) },
    Program("try_keyctl") { call(250, 0, everyone - 2) },
    Program("try_mount") { call(165, 0, 0, 0, 0, 0) },
    Program("try_unshare") { call(272, 0x1000_0000) },
    Program("try_setns") { call(308, 3, 0) },
    Program("try_chroot") { call(161, at: 0, path: "/") },
    Program("try_personality") { call(135, 0x004_0000) },
    Program("try_prlimit") { call(302, 0, 9, 0, 0) },
    // TIOCSTI, as a 32-bit compare of the request would still see it, and a 64-bit one would not.
    Program("try_ioctl_high_bits") { call(16, 1, 0x5412 | 1 << 32, 0) },
    Program("try_mmap_shared") { call(9, 0, 1 << 30, 3, sharedMemory, .max, 0) },
    Program("try_mmap_grow_down") { call(9, 0, 4_096, 3, growingMemory, .max, 0) },
    Program("reserve_addresses") {
      let addresses = mmap(nil, opaque(64 << 30), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      return addresses == MAP_FAILED && errno == ENOMEM ? "refused" : "granted"
    },
    Program("probe_descriptors") {
      var byte: UInt8 = 0
      let open = (5..<Int32(1_024)).filter { read($0, &byte, 0) != -1 || errno != EBADF }
      return open.isEmpty ? "none is open" : "open: \(open)"
    },
  ]
}
