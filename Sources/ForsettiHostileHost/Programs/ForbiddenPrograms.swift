import CHostile
import CLinux
import Glibc

/// Programs that ask the kernel for what no module may have. One that returns has escaped.
enum ForbiddenPrograms {
  /// Makes the call and says what came back, which nobody should live to read.
  static func call(_ number: Int, _ arguments: [UInt64]) -> String {
    let a = arguments + [0, 0, 0, 0, 0, 0]
    return "escaped with \(ch_call(number, a[0], a[1], a[2], a[3], a[4], a[5]))"
  }

  /// As `call`, with a path as one of the arguments.
  static func call(_ number: Int, at index: Int, path: StaticString, _ arguments: [UInt64]) -> String {
    var a = arguments + [0, 0, 0, 0, 0, 0]
    a[index] = UInt64(UInt(bitPattern: path.utf8Start))
    return call(number, a)
  }

  private static func call(_ number: Int, _ arguments: UInt64...) -> String { call(number, arguments) }

  private static func call(_ number: Int, at index: Int, path: StaticString, _ arguments: UInt64...) -> String
  {
    call(number, at: index, path: path, arguments)
  }

  private static let workingDirectory = UInt64(bitPattern: Int64(AT_FDCWD))

  static let all: [Program] = [
    Program("try_open_passwd") { call(257, at: 1, path: "/etc/passwd", workingDirectory) },
    Program("try_open_proc") { call(257, at: 1, path: "/proc/self/maps", workingDirectory) },
    Program("try_open_old") { call(2, at: 0, path: "/etc/passwd") },
    Program("try_openat2") { call(437, at: 1, path: "/dev/urandom", workingDirectory) },
    Program("try_open_bad_pointer") { call(257, workingDirectory, 0xdead_0000, 0) },
    Program("try_stat_path") { call(262, at: 1, path: "/etc/passwd", workingDirectory) },
    Program("try_unlink") { call(87, at: 0, path: "/tmp/forsetti-none") },
    Program("try_socket") { call(41, 2, 1, 0) },
    Program("try_socketpair") { call(53, 1, 1, 0) },
    Program("try_fork") { call(57) },
    Program("try_vfork") { call(58) },
    Program("try_clone") { call(56, 17) },
    Program("try_thread") { call(56, 0x3d0f00) },
    Program("try_execve") { call(59, at: 0, path: "/bin/true") },
    Program("try_execveat") { call(322, at: 1, path: "/bin/true", workingDirectory) },
    Program("try_ptrace") { call(101, 0) },
    Program("try_kill_other") { call(62, 1, 9) },
    Program("try_tgkill_other") { call(234, 1, 1, 6) },
    Program("try_raise_kill") { call(234, UInt64(getpid()), UInt64(getpid()), 9) },
    Program("try_mmap_exec") { call(9, 0, 4_096, 7, 0x22, .max, 0) },
    Program("try_mmap_fixed") { call(9, 0x10_0000, 4_096, 3, 0x32, .max, 0) },
    Program("try_mprotect_exec") {
      let page = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      return call(10, UInt64(UInt(bitPattern: page)), 4_096, 5)
    },
    Program("try_mremap_fixed") { call(25, 0x1000, 4_096, 4_096, 3, 0x10_0000) },
    Program("try_memfd") { call(319, at: 0, path: "code") },
    Program("try_dup") { call(32, 4) },
    Program("try_fcntl") { call(72, 4, 4, 0) },
    Program("try_ioctl") { call(16, 1, 0x5412, 0) },
    Program("try_sendmsg") { call(46, 4, 0, 0) },
    Program("try_dumpable_again") { call(157, 4, 0) },
    Program("try_dumpable_on") { call(157, 4, 1) },
    Program("try_seccomp_again") { call(317, 1, 0, 0) },
    Program("try_landlock") { call(444) },
    Program("try_sigaction") { call(13, 6, 0, 0, 8) },
    Program("try_setuid") { call(105, 0) },
    Program("try_bpf") { call(321, 0) },
    Program("try_unknown_call") { call(1_000) },
    Program("try_i386_getpid") { "escaped with \(ch_getpid_of_i386())" },
    Program("try_x32_getpid") { "escaped with \(ch_getpid_of_x32())" },
    // With a filter that lets these through, what is left is Landlock.
    Program("landlock_probe") {
      let file = call(257, at: 1, path: "/etc/passwd", workingDirectory)
      let socket = ch_call(41, UInt64(AF_INET), 1, 0, 0, 0, 0)
      var loopback = sockaddr_in()
      loopback.sin_family = sa_family_t(AF_INET)
      loopback.sin_port = UInt16(9).bigEndian
      loopback.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      let connected = withUnsafeBytes(of: &loopback) {
        ch_call(42, UInt64(socket), UInt64(UInt(bitPattern: $0.baseAddress)), UInt64($0.count), 0, 0, 0)
      }
      let signalled = ch_call(62, UInt64(getppid()), 0, 0, 0, 0, 0)
      return "\(file), connected \(connected), signalled \(signalled)"
    },
    Program("file_growth_probe") {
      // A file in memory: of such Landlock knows nothing, so only the limit is left.
      let name: StaticString = "grown"
      let file = ch_call(319, UInt64(UInt(bitPattern: name.utf8Start)), 0, 0, 0, 0, 0)
      let page = [UInt8](repeating: 1, count: 4_096)
      for number in 0..<16 {
        let written = page.withUnsafeBytes {
          ch_call(
            18, UInt64(bitPattern: Int64(file)), UInt64(UInt(bitPattern: $0.baseAddress)), UInt64($0.count),
            UInt64(number * $0.count), 0, 0)
        }
        guard written == page.count else { return "\(written) at page \(number)" }
      }
      return "16 pages"
    },
    Program("io_uring_probe") { "\(ch_call(425, 8, 0, 0, 0, 0, 0))" },
    Program("close_own_pipes") {
      // 0 to 4 stay open, whatever the upper half says; the answer is EBADF.
      let results = (0...4).map { ch_call(3, UInt64($0) | 1 << 32, 0, 0, 0, 0, 0) }
      return "\(results.allSatisfy { $0 == -Int(EBADF) })"
    },
    Program("served_flood") {
      for _ in 0..<200 { _ = ch_call(186, 0, 0, 0, 0, 0, 0) }
      return "answered"
    },
  ]
}
