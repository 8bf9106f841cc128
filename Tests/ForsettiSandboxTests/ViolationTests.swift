import ForsettiCore
import Testing

@testable import ForsettiSandbox

@Suite("Arguments of a violation in words, and the way out of it")
struct ViolationTests {
  @Test(
    "arguments are named where a table knows them",
    arguments: [
      (
        "openat", [0xffff_ff9c, 0x1000, 0x80241, 0o644], "/tmp/x",
        #"dirfd=AT_FDCWD, path="/tmp/x", flags=O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, mode=0644"#
      ),
      (
        "mmap", [0, 4096, 7, 0x22, .max, 0], nil,
        "addr=0x0, length=4096, prot=PROT_READ|PROT_WRITE|PROT_EXEC, flags=MAP_PRIVATE|MAP_ANONYMOUS, fd=-1, offset=0"
      ),
      (
        "socket", [10, 0x80802, 17], nil,
        "domain=AF_INET6, type=SOCK_DGRAM|SOCK_NONBLOCK|SOCK_CLOEXEC, protocol=17"
      ),
      (
        "clone", [0x1000_0011, 0, 0, 0, 0, 0], nil,
        "flags=CLONE_NEWUSER|signal 17, stack=0x0, parent_tid=0x0, child_tid=0x0, tls=0x0"
      ),
      ("kill", [1, 9], nil, "pid=1, sig=SIGKILL"),
      // The kernel reads 32 bits of a request, whatever the upper half says.
      ("ioctl", [1, 0xdead_0000_5412, 0], nil, "fd=1, request=TIOCSTI, arg=0x0"),
      ("prctl", [4, 1], nil, "op=PR_SET_DUMPABLE, value=0x1"),
      ("mprotect", [0x1000, 4096, 0], nil, "addr=0x1000, length=4096, prot=PROT_NONE"),
      ("fork", [1, 2, 3], nil, ""),
      ("openat", [3, 0xdead, 3, 0], nil, "dirfd=3, path=0xdead, flags=0x3, mode=00"),
      ("symlinkat", [0x1000, 3, 0x2000], "/etc", #"path="/etc", newdirfd=3, linkpath=0x2000"#),
    ] as [(String, [UInt64], String?, String)])
  func named(call: String, registers: [UInt64], path: String?, expected: String) {
    let text = ArgumentText.all(of: call, arguments: registers, path: path).joined(separator: ", ")
    #expect(text == expected.replacing("signal 17", with: "SIGCHLD"))
  }

  @Test("a call that no table knows shows its six registers in hexadecimal")
  func unknown() {
    #expect(
      ArgumentText.all(of: "syscall_1000", arguments: [1, 255, 0, 0, 0, .max])
        == ["arg0=0x1", "arg1=0xff", "arg2=0x0", "arg3=0x0", "arg4=0x0", "arg5=0xffffffffffffffff"])
  }

  @Test("every line of the table is well formed, names a call of this kernel, and has at most six parameters")
  func table() {
    for line in SyscallSignatures.lines {
      let words = line.split(separator: " ").map(String.init)
      #expect(SyscallNames.number(of: words[0]) != nil, "\(words[0])")
      let parameters = SyscallSignatures.parameters(of: words[0])
      #expect(parameters?.count == words.count - 1 && words.count <= 7, "\(line)")
    }
    #expect(
      Set(SyscallSignatures.lines.map { $0.prefix { $0 != " " } }).count == SyscallSignatures.lines.count)
  }

  @Test(
    "the supervisor reads the path where the kernel does, the first of two, and none where there is none",
    arguments: [
      ("open", 0), ("openat2", 1), ("rename", 0), ("linkat", 1), ("symlinkat", 0), ("fanotify_mark", 4),
      ("memfd_create", 0), ("mmap", nil), ("fork", nil), ("syscall_1000", nil),
    ] as [(String, Int?)])
  func paths(call: String, index: Int?) { #expect(ArgumentText.pathIndex(of: call) == index) }

  @Test("every call of the never-list that is given a path names it in its violation") func neverListedPaths()
  {
    let named = NeverList.names.filter { ArgumentText.pathIndex(of: $0) != nil }
    #expect(
      named == [
        "acct", "chmod", "chown", "chroot", "execve", "execveat", "fanotify_mark", "fchmodat", "fchmodat2",
        "fchownat", "fspick", "futimesat", "inotify_add_watch", "lchown", "lremovexattr", "lsetxattr",
        "memfd_create", "mount", "mount_setattr", "move_mount", "name_to_handle_at", "open_tree",
        "pivot_root",
        "quotactl", "removexattr", "setxattr", "swapoff", "swapon", "truncate", "umount2", "uselib", "utime",
        "utimensat", "utimes",
      ])
  }

  @Test(
    "every register of every kind has a text: the bytes are the module's", arguments: ParameterKind.allCases)
  func hostile(kind: ParameterKind) {
    for value: UInt64 in [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 63, .max] {
      #expect(!ArgumentText.text(value, kind).isEmpty)
    }
  }

  @Test("the way out is what derive would allow, or that nothing would")
  func wayOut() {
    func violation(_ name: String, _ registers: [UInt64]) -> Violation {
      Violation(
        syscall: name, number: SyscallNames.number(of: name) ?? -1, arguments: registers, path: nil,
        instructionPointer: 1)
    }
    let thread = violation("clone", [0x3d0f00, 0, 0, 0, 0, 0])
    #expect(thread.wayOut(grants: [], policy: SandboxPolicy()).contains(#""direct": ["threads"]"#))
    // Whatever a policy has already can't be the way out.
    #expect(
      thread.wayOut(grants: [], policy: SandboxPolicy(direct: [.threads])).hasPrefix(
        "no grant and no policy line"))
    for (name, registers) in [("ptrace", [0]), ("socket", [2, 1, 0]), ("clone", [17])] as [(String, [UInt64])]
    {
      #expect(
        violation(name, registers).wayOut(grants: Set(Capability.allCases), policy: SandboxPolicy())
          .hasPrefix("no grant and no policy line"))
    }
    let foreign = Violation(syscall: "x", number: -1, arguments: [], path: nil, instructionPointer: 0)
    #expect(foreign.wayOut(grants: [], policy: SandboxPolicy()).contains("another architecture"))
  }
}
